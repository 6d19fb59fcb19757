import type { Awaiting, Doubt, TaskStatus, Verdict } from "./types";

/* Lists the compiler keeps complete: leaving one out of a record is a type error. */
const AWAITING: Record<Awaiting, true> = {
  question: true,
  permission: true,
  interrupted: true,
  timeout: true,
  dry_run: true,
  blocker: true,
  usage_limit: true,
  budget: true,
  breaker: true,
};
const VERDICTS: Record<Verdict, true> = { PASS: true, NO_CHANGES: true, UNVERIFIED: true, PROPOSED: true };

const isAwaiting = (word: string): word is Awaiting => word in AWAITING;
const isVerdict = (word: string): word is Verdict => word in VERDICTS;

export const awaitingOf = (word: string): Awaiting | null => (isAwaiting(word) ? word : null);
export const verdictOf = (word: string): Verdict | null => (isVerdict(word) ? word : null);

export function hasEnded(status: TaskStatus): boolean {
  switch (status) {
    case "COMPLETE":
    case "CANCELLED":
    case "STUCK":
    case "ERROR":
      return true;
    case "QUEUED":
    case "RUNNING":
    case "AWAITING_RESPONSE":
      return false;
  }
}

/** The doubts that keep a verdict from being green: serious, and nobody accepted them. */
export const standing = (doubts: Doubt[]): Doubt[] =>
  doubts.filter((doubt) => doubt.severity === "serious" && doubt.accepted === null);
