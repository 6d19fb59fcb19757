import { useLive } from "@/events/live";
import { withLive } from "@/events/snapshot";
import type { Task } from "@/api/types";

/** The task as events have moved it on since it was read. */
export function useTask(snapshot: Task): Task {
  const live = useLive((state) => state.tasks[snapshot.task_id]);
  return withLive(snapshot, live);
}

export const draws = (task: Task, action: Task["actions"][number]): boolean => task.actions.includes(action);

/** The question without the lines that stand below it as buttons. */
export function questionOf(task: Pick<Task, "question" | "options">): string {
  const lines = (task.question ?? "").split("\n");
  const isOption = (line: string) =>
    task.options.some(
      (option) => option.label !== "" && line.includes(option.label) && /^\s*(?:[-*•]\s*)?\(?\w{1,3}[).:]\s/.test(line),
    );
  return lines
    .filter((line) => !isOption(line))
    .join("\n")
    .trim();
}

export function titleOf(task: Task): string {
  return task.prompt.split("\n", 1)[0]?.slice(0, 80) ?? "";
}

/** The first line as a commit would say it: scenario tags are for the rehearsal agent, not for the history. */
export function subjectOf(task: Pick<Task, "prompt">): string {
  const first = task.prompt
    .split("\n")
    .map((line) => line.replace(/\[\[[^\]]*\]\]/g, "").trim())
    .find((line) => line !== "");
  return (first ?? "").replace(/ {2,}/g, " ").slice(0, 80);
}
