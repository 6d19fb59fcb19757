import type { Task } from "@/api/types";
import { withSpending } from "./step-usage";
import type { LiveTask, StatusChange } from "./state";

const isAfter = (at: string, snapshot: Task): boolean => Date.parse(at) >= Date.parse(snapshot.updated_at);

/** What an earlier attempt asked is over: under the number of a later one, an answer to it would count for something unseen. */
const NOTHING_ASKED = {
  question: null,
  options: [],
  form: [],
  plan: null,
  permission: null,
  limit: null,
  budget: null,
  breaker: null,
  choices: [],
} satisfies Partial<Task>;

/** What may be done now is the server's to say; until it has, only what can be done before and while a task runs. */
function stillOffered(task: Task, change: StatusChange): Task["actions"] {
  const atWork = change.status === "QUEUED" || change.status === "RUNNING";
  return atWork ? task.actions.filter((action) => action === "cancel") : [];
}

function withChange(task: Task, change: StatusChange): Task {
  const goneOn = change.attempt !== null && change.attempt > task.attempt;
  const same = change.status === task.status && change.awaiting === task.awaiting && !goneOn;
  const ended = change.status === "COMPLETE";
  return {
    ...task,
    ...(goneOn ? NOTHING_ASKED : {}),
    status: change.status,
    awaiting: change.awaiting,
    verdict: change.verdict ?? (ended ? task.verdict : null),
    actions: same ? task.actions : stillOffered(task, change),
    attempt: change.attempt ?? task.attempt,
    error_message: change.status === "ERROR" ? change.reason : task.error_message,
    summary: ended && change.reason ? change.reason : task.summary,
    position: change.status === "QUEUED" ? task.position : null,
    waits_for: change.status === "QUEUED" ? task.waits_for : null,
    files_changed: change.files?.changed ?? task.files_changed,
    insertions: change.files?.insertions ?? task.insertions,
    deletions: change.files?.deletions ?? task.deletions,
  };
}

/** The snapshot, moved on by whatever events say happened after it was taken. */
export function withLive(task: Task, live: LiveTask | undefined): Task {
  if (!live) return task;
  let merged = withSpending(task, live.spending);
  if (live.milestone && isAfter(live.milestone.at, task)) merged.milestone = live.milestone.text;
  if (live.rollbackId !== undefined) merged.rollback_id = live.rollbackId;
  if (live.doubts && isAfter(live.doubts.at, task)) merged.doubts = live.doubts.items;
  if (live.rolledBack !== undefined) merged.rolled_back = live.rolledBack;
  if (!live.change || !isAfter(live.change.at, task)) return merged;
  merged = withChange(merged, live.change);
  if (live.question && merged.status === "AWAITING_RESPONSE") {
    merged.question = live.question.text;
    merged.options = live.question.options;
  }
  return merged;
}
