import { create } from "zustand";
import type { Event, StreamProgress, StreamUsage } from "@/api/types";
import { noted } from "./step-usage";
import { EMPTY, NEW_SESSION, NEW_TASK, type Live, type LiveTask } from "./state";
import { effectOf } from "./table";

/** One event onto the state. An event that was already applied changes nothing. */
export function applyEvent(live: Live, event: Event): Live {
  if (event.seq <= live.seq) return live;
  const next = { ...effectOf(live, event), seq: event.seq };
  const { at, task_id: taskId, session_id: sessionId } = event;
  if (taskId) next.tasks = { ...next.tasks, [taskId]: { ...(next.tasks[taskId] ?? NEW_TASK), sessionId } };
  if (sessionId) {
    const session = next.sessions[sessionId] ?? NEW_SESSION;
    next.sessions = { ...next.sessions, [sessionId]: { ...session, at, taskId: taskId ?? session.taskId } };
  }
  return next;
}

function signOf(task: LiveTask, item: StreamProgress | StreamUsage, now: number): Partial<LiveTask> {
  if (item.type === "usage") return { heardAt: now, spending: noted(task.spending, item) };
  const opened = now - 1000 * (item.age_seconds ?? 0);
  return {
    heardAt: now,
    busy: item.kind === "tool" && item.tool ? { name: item.detail ?? item.tool, since: opened } : null,
  };
}

/** A sign of life that is not stored: it says that the agent is at work, never what became of the task. */
export function applyProgress(state: Live, item: StreamProgress | StreamUsage, now: number): Live {
  const task = state.tasks[item.task_id] ?? NEW_TASK;
  return { ...state, tasks: { ...state.tasks, [item.task_id]: { ...task, ...signOf(task, item, now) } } };
}

interface LiveStore extends Live {
  begin: (seq: number) => void;
  receive: (events: Event[], progress: (StreamProgress | StreamUsage)[], now: number) => void;
}

export const useLive = create<LiveStore>()((set) => ({
  ...EMPTY,
  begin: (seq) => set((state) => (state.seq === 0 ? { seq } : {})),
  receive: (events, progress, now) =>
    set((state) => {
      const after = events.reduce<Live>(applyEvent, state);
      return progress.reduce((next, item) => applyProgress(next, item, now), after);
    }),
}));
