import { useLive, withLive } from "@/api/live";
import type { Task } from "@/api/types";

/** The task as events have moved it on since it was read. */
export function useTask(snapshot: Task): Task {
  const live = useLive((state) => state.tasks[snapshot.task_id]);
  return withLive(snapshot, live);
}

export const draws = (task: Task, action: Task["actions"][number]): boolean => task.actions.includes(action);

export function titleOf(task: Task): string {
  return task.prompt.split("\n", 1)[0]?.slice(0, 80) ?? "";
}
