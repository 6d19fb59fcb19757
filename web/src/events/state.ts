import type { Awaiting, Event, Doubt, Option, TaskStatus, Verdict } from "@/api/types";
import type { Spending } from "./step-usage";

export interface Milestone {
  text: string;
  code: string;
  at: string;
  current: number | null;
  total: number | null;
}

export interface OpenTool {
  id: string;
  name: string;
  detail: string;
  at: string;
}

/** What a task's status last became, as its events told it. */
export interface StatusChange {
  at: string;
  seq: number;
  status: TaskStatus;
  awaiting: Awaiting | null;
  verdict: Verdict | null;
  reason: string;
  attempt: number | null;
  files: { changed: number; insertions: number; deletions: number } | null;
  /** Serious ones that the verdict carries. */
  doubts: number;
}

/** What events have said about a task since the page was opened. Snapshots over HTTP hold the rest. */
export interface LiveTask {
  sessionId: string | null;
  change: StatusChange | null;
  milestone: Milestone | null;
  tools: OpenTool[];
  question: { text: string; options: Option[]; at: string } | null;
  rollbackId: string | null | undefined;
  rolledBack: boolean | undefined;
  doubts: { items: Doubt[]; at: string } | null;
  heardAt: number | null;
  /** The tool it is busy with, as its signs of life say; known also when the page came late. */
  busy: { name: string; since: number } | null;
  /** What spawns use that the snapshot may not have yet, by step. */
  spending: Spending;
}

export interface LiveSession {
  at: string;
  title: string | null;
  archived: boolean | null;
  deleted: boolean | null;
  taskId: string | null;
}

export interface Live {
  seq: number;
  tasks: Record<string, LiveTask>;
  sessions: Record<string, LiveSession>;
  holds: Record<string, { held: boolean; reason: string }>;
}

export const EMPTY: Live = { seq: 0, tasks: {}, sessions: {}, holds: {} };

export const NEW_TASK: LiveTask = {
  sessionId: null,
  change: null,
  milestone: null,
  tools: [],
  question: null,
  rollbackId: undefined,
  rolledBack: undefined,
  doubts: null,
  heardAt: null,
  busy: null,
  spending: {},
};

export const NEW_SESSION: LiveSession = { at: "", title: null, archived: null, deleted: null, taskId: null };

/** Another status, in which no tool is open and no earlier question is asked any more. */
export function becomes(event: Event, status: TaskStatus, rest: Partial<StatusChange> = {}): Partial<LiveTask> {
  const change: StatusChange = {
    at: event.at,
    seq: event.seq,
    status,
    awaiting: null,
    verdict: null,
    reason: "",
    attempt: null,
    files: null,
    doubts: 0,
    ...rest,
  };
  return { change, tools: [], question: null };
}
