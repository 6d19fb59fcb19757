import { say, t } from "@/shared/i18n/t";
import { lookUp, toolWords } from "@/shared/lib/words";
import { line, onTask, TASK, TASK_AND_FILES, type Family } from "./entry";
import { ended } from "./step-usage";
import { becomes } from "./state";

/** Outcomes of a step that are no failure. */
const CALM = ["done", "passed", "asked", "permission"];

const failedWords = (name: string, code: number | null): string =>
  code === null ? say(t.events.toolFailed, { name }) : say(t.events.toolFailedWith, { name, code });

export const ATTEMPT_EVENTS: Family<"attempt" | "step"> = {
  "attempt.started": {
    live: onTask((event) => ({ ...becomes(event, "RUNNING", { attempt: event.data.attempt }), rolledBack: false })),
    stale: TASK,
    timeline: ({ data: { attempt, mode } }) =>
      attempt > 1
        ? line(say(t.events.attempt, { n: attempt, how: lookUp(t.steps.attemptModes, mode) }), "strong")
        : null,
  },
  "attempt.finished": {
    live: onTask(() => ({ tools: [] })),
    // After a restart it is what says that the state the task was found in has been saved.
    stale: TASK_AND_FILES,
    timeline: null,
  },
  "step.started": {
    live: null,
    stale: [],
    timeline: ({ data }) =>
      line(say(t.events.stepStarted, { n: data.number, kind: lookUp(t.stepKinds, data.kind) }), "dim"),
  },
  "step.finished": {
    live: onTask(({ at, data }, { spending }) => ({ tools: [], spending: ended(spending, data.step_id, at) })),
    stale: TASK_AND_FILES,
    timeline: ({ data: { number, kind, outcome } }) =>
      line(
        say(t.events.stepFinished, { n: number, kind: lookUp(t.stepKinds, kind), outcome }),
        CALM.includes(outcome) ? "dim" : "bad",
      ),
  },
  "step.tool_started": {
    live: onTask(({ at, data: { tool_id: id, name, detail } }, { tools }) => ({
      tools: [...tools.filter((tool) => tool.id !== id), { id, name, detail, at }],
    })),
    stale: [],
    timeline: ({ data }) => line(toolWords(data.name, data.detail), "dim"),
  },
  "step.tool_finished": {
    live: onTask(({ data }, { tools }) => ({ tools: tools.filter((tool) => tool.id !== data.tool_id), busy: null })),
    stale: [],
    timeline: ({ data: { ok, detail, name, exit_code: code } }) =>
      ok ? null : line(failedWords(detail || name, code ?? null), "bad"),
  },
};
