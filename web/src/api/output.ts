import type { StreamOutput } from "./types";

type Listener = (item: StreamOutput) => void;

const listeners = new Map<string, Set<Listener>>();
let changed: () => void = () => undefined;

/** Whose output somebody on the page reads now. */
export function watchedTasks(): string[] {
  return [...listeners.keys()];
}

export function onWatchChange(run: () => void): void {
  changed = run;
}

/** Live text of one task, beside the stores: thousands of chunks a second must not pass through React state. */
export function watchOutput(taskId: string, listener: Listener): () => void {
  const of = listeners.get(taskId) ?? new Set();
  of.add(listener);
  listeners.set(taskId, of);
  changed();
  return () => {
    of.delete(listener);
    if (of.size === 0) listeners.delete(taskId);
    changed();
  };
}

export function deliverOutput(item: StreamOutput): void {
  for (const listener of listeners.get(item.task_id) ?? []) listener(item);
}
