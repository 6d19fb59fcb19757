import type { Event } from "@/api/types";
import { awaitingOf, verdictOf } from "@/api/status";
import { t } from "@/shared/i18n/t";
import { line, onTask, TASK, TASK_AND_FILES, type Family } from "./entry";
import { becomes, type Milestone } from "./state";

export function milestoneOf({ at, data }: Event<"task.milestone">): Milestone {
  const { text, code, current, total } = data;
  return { text, code, at, current: current ?? null, total: total ?? null };
}

export const TASK_EVENTS: Family<"task"> = {
  "task.started": {
    // Only a first attempt starts a task.
    live: onTask((event) => becomes(event, "RUNNING", { attempt: 1 })),
    stale: [...TASK, "queues", "projects"],
    timeline: () => line(t.events.started, "strong"),
  },
  "task.milestone": {
    live: onTask((event) => ({ milestone: milestoneOf(event) })),
    stale: [],
    timeline: ({ data }) => line(data.text),
  },
  "task.awaiting": {
    live: onTask((event, { question }) => {
      const { awaiting, reason, attempt } = event.data;
      return { ...becomes(event, "AWAITING_RESPONSE", { awaiting: awaitingOf(awaiting), reason, attempt }), question };
    }),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(t.events.awaiting(data.reason), "ask"),
  },
  "task.completed": {
    live: onTask((event) => {
      const { verdict, summary: reason, attempt, files_changed: changed, insertions, deletions } = event.data;
      const files = { changed, insertions, deletions };
      return becomes(event, "COMPLETE", { verdict: verdictOf(verdict), reason, attempt, files });
    }),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => {
      const verdict = verdictOf(data.verdict);
      return line(t.events.completed(verdict ? t.verdict[verdict] : data.verdict), "ok");
    },
  },
  "task.failed": {
    live: onTask((event) => becomes(event, "ERROR", { reason: event.data.message, attempt: event.data.attempt })),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(t.events.failed(data.message), "bad"),
  },
  "task.stuck": {
    live: onTask((event) => becomes(event, "STUCK", { reason: event.data.message, attempt: event.data.attempt })),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(data.message, "bad"),
  },
  "task.discarded": {
    live: onTask((event) => becomes(event, "COMPLETE", { verdict: "PROPOSED", attempt: event.data.attempt })),
    stale: TASK_AND_FILES,
    timeline: () => line(t.events.discarded, "strong"),
  },
  "task.applied": {
    live: null,
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(t.events.applied(data.files, data.merged), "strong"),
  },
  "task.cancelled": {
    live: onTask((event) => becomes(event, "CANCELLED", { attempt: event.data.attempt })),
    stale: TASK_AND_FILES,
    timeline: () => line(t.events.cancelled, "strong"),
  },
  "task.replied": {
    live: onTask((event) => (event.data.replayed ? {} : becomes(event, "QUEUED"))),
    stale: [...TASK, "queues", "projects"],
    timeline: ({ data: { reply, replayed } }) =>
      line(replayed ? t.events.repliedAgain(reply) : t.events.replied(reply), "strong"),
  },
  "task.resumed": {
    live: onTask((event) => becomes(event, "QUEUED")),
    stale: [...TASK, "queues", "projects"],
    timeline: ({ data }) => line(t.events.resumed(data.mode), "strong"),
  },
  "task.rolled_back": {
    live: onTask(({ data }) => ({ rollbackId: data.rollback_id, rolledBack: !data.replay })),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(t.events.rolledBack(data.files), "strong"),
  },
  "task.rollback_undone": {
    live: onTask(() => ({ rollbackId: null, rolledBack: false })),
    stale: TASK_AND_FILES,
    timeline: () => line(t.events.undone, "strong"),
  },
  "task.committed": {
    live: onTask(() => ({ rollbackId: null, rolledBack: false })),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(t.events.committed(data.commit, data.message), "ok"),
  },
  "task.verified": {
    live: null,
    stale: [...TASK, "runs"],
    timeline: ({ data }) => line(t.events.verified(data), data.result === "PASS" ? "ok" : "bad"),
  },
  "task.findings": {
    // The card must not call a task done before it has said what to look at.
    live: onTask(({ at, data }) => ({ doubts: { items: data.findings, at } })),
    stale: TASK,
    timeline: ({ data: { findings } }) => (findings.length > 0 ? line(t.events.doubts(findings.length), "ask") : null),
  },
};
