import { say, t } from "@/shared/i18n/t";
import { line, type Family } from "./entry";

type Arguments = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isRecord = (value: unknown): value is Arguments => typeof value === "object" && value !== null;

/** What an agent said through the workbench's tools, in a line; empty where it is shown as a milestone already. */
export function callWords(tool: string, given: Arguments): string {
  switch (tool) {
    case "plan":
      return say(t.workbench.plan, { count: listOf(given.steps).length });
    case "step_done": {
      const [step, note] = [typeof given.step === "number" ? given.step : 0, textOf(given.note)];
      return say(note ? t.workbench.stepDoneWith : t.workbench.stepDone, { step, note });
    }
    case "decide":
      return say(t.workbench.decide, {
        text: listOf(given.questions)
          .filter(isRecord)
          .map((question) => textOf(question.text))
          .join(" "),
      });
    case "blocked":
      return say(t.workbench.blocked, { reason: textOf(given.reason) });
    case "status":
      return "";
    default:
      return say(t.workbench.other, { tool });
  }
}

export const WORKBENCH_EVENTS: Family<"workbench"> = {
  "workbench.called": {
    live: null,
    stale: ["task", "tasks"],
    timeline: ({ data: { tool, arguments: given } }) => {
      const text = callWords(tool, given);
      return text === "" ? null : line(text, tool === "decide" || tool === "blocked" ? "ask" : "plain");
    },
  },
};
