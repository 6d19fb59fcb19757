import type { Problem } from "./types";

/** The server refused: what happened and what to do, in its words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly nextAction: string;
  readonly details: Record<string, unknown>;

  constructor(status: number, code: string, message: string, nextAction = "", details: Record<string, unknown> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.nextAction = nextAction;
    this.details = details;
  }
}

/** The server could not be reached at all. */
export class OfflineError extends Error {
  constructor() {
    super("The server cannot be reached.");
    this.name = "OfflineError";
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function errorFrom(status: number, body: unknown): ApiError {
  if (!isRecord(body)) return new ApiError(status, "unknown", `HTTP ${status}`);
  const message = text(body.message) || `HTTP ${status}`;
  return new ApiError(
    status,
    text(body.error) || "unknown",
    message,
    text(body.next_action),
    isRecord(body.details) ? body.details : {},
  );
}

/** Problems of a file that the refusal names by line and column; empty where it names none. */
export function problemsOf(error: unknown): Problem[] {
  const listed = error instanceof ApiError ? error.details.problems : null;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((item: unknown) =>
    isRecord(item) && typeof item.line === "number" && typeof item.column === "number"
      ? [{ line: item.line, column: item.column, message: text(item.message), suggestion: text(item.suggestion) }]
      : [],
  );
}

/** The server has just started, and does not know yet what an earlier run left. */
export const isRecovering = (error: unknown): boolean => error instanceof ApiError && error.code === "recovering";

export interface Clash {
  path: string;
  reason: string;
}

/** What stands in a proposal's way, by file. */
export function clashesOf(error: unknown): Clash[] {
  const listed = error instanceof ApiError ? error.details.clashes : null;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((item: unknown) =>
    isRecord(item) ? [{ path: text(item.path), reason: text(item.reason) }] : [],
  );
}

/** Something of the repository's own that a commit would run. */
export interface Program {
  name: string;
  text: string;
  digest: string;
}

/** What the person has yet to accept before a commit runs it. */
export function programsOf(error: unknown): Program[] {
  if (!(error instanceof ApiError) || error.code !== "programs_not_accepted") return [];
  const listed = error.details.programs;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((item: unknown) =>
    isRecord(item) ? [{ name: text(item.name), text: text(item.text), digest: text(item.digest) }] : [],
  );
}

export interface Merge {
  name: string;
  files: string[];
  insertions: number;
  deletions: number;
  patch: string;
  truncated: boolean;
}

/** The merge that the server wants confirmed; null when it asks for none. */
export function mergeOf(error: unknown): Merge | null {
  if (!(error instanceof ApiError) || error.code !== "merge_needed") return null;
  const { merge, files, insertions, deletions, patch, truncated } = error.details;
  const number = (value: unknown) => (typeof value === "number" ? value : 0);
  return {
    name: text(merge),
    files: Array.isArray(files) ? files.map(text) : [],
    insertions: number(insertions),
    deletions: number(deletions),
    patch: text(patch),
    truncated: truncated === true,
  };
}
