import type { StepKind } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { line, onTask, TASK, TASK_AND_FILES, type Family } from "./entry";
import { ended } from "./spending";
import { becomes } from "./state";

const isStepKind = (kind: string): kind is StepKind => kind in t.stepKinds;
const stepWord = (kind: string): string => (isStepKind(kind) ? t.stepKinds[kind] : kind);
const isMode = (mode: string): mode is keyof typeof t.steps.attemptModes => mode in t.steps.attemptModes;
const modeWord = (mode: string): string => (isMode(mode) ? t.steps.attemptModes[mode] : mode);

/** Outcomes of a step that are no failure. */
const CALM = ["done", "passed", "asked", "permission"];

export const ATTEMPT_EVENTS: Family<"attempt" | "step"> = {
  "attempt.started": {
    live: onTask((event) => ({ ...becomes(event, "RUNNING", { attempt: event.data.attempt }), rolledBack: false })),
    stale: TASK,
    timeline: ({ data: { attempt, mode } }) =>
      attempt > 1 ? line(t.events.attempt(attempt, modeWord(mode)), "strong") : null,
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
    timeline: ({ data }) => line(t.events.stepStarted(data.number, stepWord(data.kind)), "dim"),
  },
  "step.finished": {
    live: onTask(({ at, data }, { spending }) => ({ tools: [], spending: ended(spending, data.step_id, at) })),
    stale: TASK_AND_FILES,
    timeline: ({ data: { number, kind, outcome } }) =>
      line(t.events.stepFinished(number, stepWord(kind), outcome), CALM.includes(outcome) ? "dim" : "bad"),
  },
  "step.tool_started": {
    live: onTask(({ at, data: { tool_id: id, name, detail } }, { tools }) => ({
      tools: [...tools.filter((tool) => tool.id !== id), { id, name, detail, at }],
    })),
    stale: [],
    timeline: ({ data }) => line(t.events.tool(data.name, data.detail), "dim"),
  },
  "step.tool_finished": {
    live: onTask(({ data }, { tools }) => ({ tools: tools.filter((tool) => tool.id !== data.tool_id), busy: null })),
    stale: [],
    timeline: ({ data: { ok, detail, name, exit_code: code } }) =>
      ok ? null : line(t.events.toolFailed(detail || name, code ?? null), "bad"),
  },
};
