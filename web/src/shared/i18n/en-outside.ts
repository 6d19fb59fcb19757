import { plural } from "@/shared/lib/numbers";

/** What agents say through our tools, what reaches a person who is not looking, and what keeps the machine awake. */
export const outsideWords = {
  workbench: {
    title: "Plan",
    progress: (done: number, total: number) => `${done} of ${total} done`,
    done: "done",
    open: "still to do",
    calls: "Told through the workbench",
    plan: (steps: number) => `Made a plan of ${plural(steps, "step", "steps")}`,
    stepDone: (step: number, note: string) => (note ? `Step ${step} of the plan is done: ${note}` : `Step ${step} of the plan is done`),
    decide: (text: string) => `Asks you to decide: ${text}`,
    blocked: (reason: string) => `Cannot go on: ${reason}`,
    other: (tool: string) => `Used ${tool}`,
  },
};
