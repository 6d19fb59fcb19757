import type { Doubt, Event } from "@/api/types";
import { awaitingOf, verdictOf } from "@/api/status";
import { say, t } from "@/shared/i18n/t";
import { line, onTask, TASK, TASK_AND_FILES, type Family } from "./entry";
import { becomes, type Milestone } from "./state";

export function milestoneOf({ at, data }: Event<"task.milestone">): Milestone {
  const { text, code, current, total } = data;
  return { text, code, at, current: current ?? null, total: total ?? null };
}

/** As it was found: nobody has accepted it yet. */
function doubtOf(found: Event<"task.findings">["data"]["findings"][number]): Doubt {
  const { id, kind, path, line: at, name, message, severity } = found;
  return { id: id ?? "", kind, path, line: at, name, message, severity: severity ?? "serious", accepted: null };
}

function verifiedWords({
  purpose,
  result,
  loop: n,
  of,
  failing: check,
  first_failing_line: text,
}: Event<"task.verified">["data"]): string {
  if (purpose === "base_tests")
    return result === "PASS" ? t.events.verified.baseTestsPass : t.events.verified.baseTestsFail;
  if (purpose === "pinned") return result === "PASS" ? t.events.verified.pinnedPass : t.events.verified.pinnedFail;
  if (result === "PASS") return t.events.verified.passed;
  const which = n > 0 ? say(t.verified.counter, { n, of }) : t.runs.verificationOnly;
  return say(result === "FAIL" ? t.events.verified.failed : t.events.verified.notRun, { which, check, line: text });
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
    timeline: ({ data }) => line(say(t.events.awaiting, { why: data.reason }), "ask"),
  },
  "task.completed": {
    live: onTask((event) => {
      const { verdict, summary: reason, attempt, files_changed: changed, insertions, deletions, doubts } = event.data;
      const files = { changed, insertions, deletions };
      return becomes(event, "COMPLETE", { verdict: verdictOf(verdict), reason, attempt, files, doubts });
    }),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => {
      const verdict = verdictOf(data.verdict);
      const doubtful = verdict === "PASS" && data.doubts > 0;
      const word = doubtful ? t.verdict.doubtful : verdict ? t.verdict[verdict] : data.verdict;
      return line(say(t.events.completed, { word }), doubtful ? "ask" : "ok");
    },
  },
  "task.failed": {
    live: onTask((event) => becomes(event, "ERROR", { reason: event.data.message, attempt: event.data.attempt })),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(say(t.events.failed, { text: data.message }), "bad"),
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
    timeline: ({ data }) =>
      line(say(data.merged ? t.events.appliedMerged : t.events.applied, { count: data.files }), "strong"),
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
      line(replayed ? say(t.events.repliedAgain, { text: reply }) : say(t.events.replied, { text: reply }), "strong"),
  },
  "task.resumed": {
    live: onTask((event) => becomes(event, "QUEUED")),
    stale: [...TASK, "queues", "projects"],
    timeline: ({ data }) => line(data.mode === "soft" ? t.events.resumed.soft : t.events.resumed.rollback, "strong"),
  },
  "task.rolled_back": {
    live: onTask(({ data }) => ({ rollbackId: data.rollback_id, rolledBack: !data.replay })),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(say(t.events.rolledBack, { count: data.files }), "strong"),
  },
  "task.rollback_undone": {
    live: onTask(() => ({ rollbackId: null, rolledBack: false })),
    stale: TASK_AND_FILES,
    timeline: () => line(t.events.undone, "strong"),
  },
  "task.ref_restored": {
    live: null,
    stale: [...TASK, "changes", "rollback-preview"],
    timeline: ({ data: { kind, name, commit } }) =>
      line(
        say(t.events.refRestored, { what: say(t.ways.movedKind[kind], { name }), commit: commit.slice(0, 8) }),
        "strong",
      ),
  },
  "task.committed": {
    live: onTask(() => ({ rollbackId: null, rolledBack: false })),
    stale: TASK_AND_FILES,
    timeline: ({ data }) => line(say(t.events.committed, { sha: data.commit.slice(0, 8), text: data.message }), "ok"),
  },
  "task.verified": {
    live: null,
    stale: [...TASK, "runs"],
    timeline: ({ data }) => line(verifiedWords(data), data.result === "PASS" ? "ok" : "bad"),
  },
  "task.findings": {
    // The card must not call a task done before it has said what to look at.
    live: onTask(({ at, data }) => ({ doubts: { items: data.findings.map(doubtOf), at } })),
    stale: TASK,
    timeline: ({ data: { findings } }) =>
      findings.length > 0 ? line(say(t.events.doubts, { count: findings.length }), "ask") : null,
  },
  "task.doubt_accepted": {
    live: null,
    stale: TASK,
    timeline: ({ data }) => line(say(t.events.doubtAccepted, { reason: data.reason }), "strong"),
  },
};
