import type { QueryName } from "@/api/queries";
import type { Event, EventType } from "@/api/types";
import { NEW_TASK, type Live, type LiveTask } from "./state";

/** The queries of one task; the others are about more than that. */
const OF_TASK: readonly QueryName[] = ["task", "steps", "runs", "diff", "resume-options"];

export type Tone = "plain" | "strong" | "ask" | "bad" | "ok" | "dim";

/** How an event reads in a task's timeline. */
export interface TimelineLine {
  text: string;
  tone: Tone;
}

/** All that the page knows about one type of event. */
export interface Entry<T extends EventType> {
  /** What it does to the live state; null where it does nothing. */
  live: ((live: Live, event: Event<T>) => Live) | null;
  /** The queries whose answers lack something after it that only the server knows. */
  stale: readonly QueryName[];
  /** What it says to a person; null where it only matters to the machine. */
  timeline: ((event: Event<T>) => TimelineLine | null) | null;
}

/** The entries of every type that begins so: one that is left out does not compile. */
export type Family<Prefix extends string> = {
  [T in EventType as T extends `${Prefix}.${string}` ? T : never]: Entry<T>;
};

/** What anything that moves a task on makes stale. */
export const TASK = ["task", "steps", "tasks", "sessions", "session", "resume-options"] as const;
/** The same, where it may have changed files or whose turn it is. */
export const TASK_AND_FILES = [...TASK, "diff", "changes", "queues"] as const;

/** What a server that began anew may have left different. */
export const EVERYTHING = ["state", "runner", "tasks", "sessions", "queues"] as const;

export const line = (text: string, tone: Tone = "plain"): TimelineLine => ({ text, tone });

/** The effect of an event on the task it is about. */
export function onTask<T extends EventType>(
  patch: (event: Event<T>, task: LiveTask) => Partial<LiveTask>,
): (live: Live, event: Event<T>) => Live {
  return (live, event) => {
    if (!event.task_id) return live;
    const task = live.tasks[event.task_id] ?? NEW_TASK;
    return { ...live, tasks: { ...live.tasks, [event.task_id]: { ...task, ...patch(event, task) } } };
  };
}

export function keyOf(query: QueryName, event: Event): readonly unknown[] {
  return OF_TASK.includes(query) ? [query, event.task_id] : [query];
}
