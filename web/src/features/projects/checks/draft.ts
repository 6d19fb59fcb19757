import type { Check, CheckInput } from "@/api/types";
import { t } from "@/shared/i18n/t";

/** A check as a person edits it; `key` tells rows apart while names change. */
export interface Draft {
  key: number;
  name: string;
  command: string;
  /** A command that is a program and its arguments stays one until its text is changed. */
  argv: { shown: string; parts: string[] } | null;
  timeout: string;
  folder: string;
  source: string;
}

export type Field = "name" | "command" | "timeout";
export type Faults = Partial<Record<Field, string>>;

const UNITS = { s: 1, m: 60, h: 3600 } as const;
const MOST_SECONDS = 24 * 3600;
const DEFAULT_TIMEOUT = "10m";
let last = 0;

const key = (): number => {
  last += 1;
  return last;
};

/** 600 → "10m", 90 → "90s": in the largest unit that leaves no rest. */
export function shownTime(seconds: number): string {
  if (seconds % UNITS.h === 0) return `${seconds / UNITS.h}h`;
  if (seconds % UNITS.m === 0) return `${seconds / UNITS.m}m`;
  return `${seconds}s`;
}

/** Seconds; null where the text is no time, or one that is not allowed. */
export function readTime(text: string): number | null {
  const found = /^(\d+(?:\.\d+)?)\s*([smh]?)$/.exec(text.trim().toLowerCase());
  if (!found) return null;
  const unit = found[2] === "m" ? UNITS.m : found[2] === "h" ? UNITS.h : UNITS.s;
  const seconds = Number(found[1]) * unit;
  return seconds > 0 && seconds <= MOST_SECONDS ? seconds : null;
}

export function draftOf(check: Check): Draft {
  return {
    key: key(),
    name: check.name,
    command: check.shown,
    argv: typeof check.command === "string" ? null : { shown: check.shown, parts: check.command },
    timeout: shownTime(check.timeout_seconds),
    folder: check.folder,
    source: check.source,
  };
}

export const emptyDraft = (): Draft => ({
  key: key(),
  name: "",
  command: "",
  argv: null,
  timeout: DEFAULT_TIMEOUT,
  folder: "",
  source: "",
});

export const isArgv = (draft: Draft): boolean => draft.argv !== null && draft.argv.shown === draft.command;

export function inputOf(draft: Draft): CheckInput {
  const command = draft.argv && isArgv(draft) ? draft.argv.parts : draft.command.trim();
  return {
    name: draft.name.trim(),
    command,
    timeout_seconds: readTime(draft.timeout) ?? 0,
    folder: draft.folder.trim(),
  };
}

export function faultsOf(draft: Draft, all: Draft[]): Faults {
  const name = draft.name.trim();
  const twice = all.some((other) => other.key !== draft.key && other.name.trim() === name);
  return {
    ...(name === "" || name.includes("/")
      ? { name: t.checks.problems.name }
      : twice
        ? { name: t.checks.problems.twice }
        : {}),
    ...(draft.command.trim() === "" ? { command: t.checks.problems.command } : {}),
    ...(readTime(draft.timeout) === null ? { timeout: t.checks.problems.timeout } : {}),
  };
}

export const isSame = (drafts: Draft[], checks: Check[]): boolean =>
  JSON.stringify(drafts.map(inputOf)) === JSON.stringify(checks.map((check) => inputOf(draftOf(check))));

export function moved(drafts: Draft[], from: number, to: number): Draft[] {
  const next = [...drafts];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
