import type { Awaiting, EventType, TaskStatus, Verdict } from "./types";

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
const EVENT_TYPES: Record<EventType, true> = {
  "project.added": true,
  "project.checks_changed": true,
  "session.created": true,
  "session.changed": true,
  "workspace.held": true,
  "workspace.released": true,
  "task.started": true,
  "task.milestone": true,
  "task.awaiting": true,
  "task.completed": true,
  "task.failed": true,
  "task.cancelled": true,
  "task.replied": true,
  "task.resumed": true,
  "task.rolled_back": true,
  "task.rollback_undone": true,
  "task.committed": true,
  "task.verified": true,
  "task.findings": true,
  "task.stuck": true,
  "task.applied": true,
  "task.discarded": true,
  "attempt.started": true,
  "attempt.finished": true,
  "step.started": true,
  "step.finished": true,
  "step.tool_started": true,
  "step.tool_finished": true,
  "question.asked": true,
  "question.answered": true,
  "guard.timeout": true,
  "guard.absent": true,
  "guard.strays": true,
  "guard.breaker": true,
  "guard.limit": true,
  "guard.budget": true,
  "guard.decided": true,
  "runner.started": true,
  "runner.stopped": true,
  "runner.operation_started": true,
  "runner.operation_finished": true,
  "storage.mirror_rebuilt": true,
  "storage.restored": true,
  "workbench.called": true,
  "usage.recorded": true,
  "usage.model_differs": true,
  "context.filled": true,
  "context.compacted": true,
  "permission.asked": true,
  "permission.decided": true,
  "permission.revoked": true,
  "steering.queued": true,
  "steering.handed": true,
  "steering.delivered": true,
  "steering.taken_back": true,
  "steering.returned": true,
  "agent.denied": true,
  "agent.fresh": true,
  "settings.changed": true,
  "project.changed": true,
};

const isAwaiting = (word: string): word is Awaiting => word in AWAITING;
const isVerdict = (word: string): word is Verdict => word in VERDICTS;
export const isEventType = (word: string): word is EventType => word in EVENT_TYPES;

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
