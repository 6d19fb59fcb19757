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
  if (!isRecord(body)) return new ApiError(status, "unknown", `The server answered with status ${status}.`);
  const message = text(body.message) || `The server answered with status ${status}.`;
  return new ApiError(status, text(body.error) || "unknown", message, text(body.next_action), isRecord(body.details) ? body.details : {});
}
