import { watchOutput } from "@/api/output";
import { outputPage, runLogPage } from "@/api/queries";

export interface Page {
  offset: number;
  text: string;
  next_offset: number;
  total: number;
}

/** Where a log is read from, page by page, and how it is heard of when it grows. */
export interface Source {
  label: "task" | "run";
  page: (offset: number, bytes: number, signal?: AbortSignal) => Promise<Page>;
  watch: (hear: (offset: number, text: string) => void) => () => void;
}

/** What one attempt of a task wrote: the agent and the checks, in order. */
export const attemptLog = (taskId: string, attempt: number): Source => ({
  label: "task",
  page: (offset, bytes, signal) => outputPage(taskId, attempt, offset, bytes, signal),
  watch: (hear) => watchOutput(taskId, (item) => { if (item.attempt === attempt) hear(item.offset, item.text); }),
});

/** What the checks of one verification wrote; it is there in whole or not at all. */
export const runLog = (runId: string, check: string): Source => ({
  label: "run",
  page: (offset, bytes, signal) => runLogPage(runId, check, offset, bytes, signal),
  watch: () => () => undefined,
});
