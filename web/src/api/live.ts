import { create } from "zustand";
import type {
  Awaiting,
  Event,
  EventType,
  Finding,
  Option,
  StreamProgress,
  StreamUsage,
  Task,
  TaskStatus,
  Verdict,
} from "./types";
import { ended, noted, withSpending, type Spending } from "./spending";
import { awaitingOf, verdictOf } from "./words";

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
  findings: { items: Finding[]; at: string } | null;
  heardAt: number | null;
  /** The tool it is busy with, as its signs of life say; known also when the page came late. */
  busy: { name: string; since: number } | null;
  /** What spawns use that the snapshot may not have yet, by step. */
  spending: Spending;
}

export interface LiveSession {
  at: string;
  title?: string;
  archived?: boolean;
  deleted?: boolean;
  taskId?: string;
}

export interface Live {
  seq: number;
  tasks: Record<string, LiveTask>;
  sessions: Record<string, LiveSession>;
  holds: Record<string, { held: boolean; reason: string }>;
}

export const EMPTY: Live = { seq: 0, tasks: {}, sessions: {}, holds: {} };

const NEW_TASK: LiveTask = {
  sessionId: null,
  change: null,
  milestone: null,
  tools: [],
  question: null,
  rollbackId: undefined,
  rolledBack: undefined,
  findings: null,
  heardAt: null,
  busy: null,
  spending: {},
};

function change(event: Event, status: TaskStatus, rest: Partial<StatusChange> = {}): StatusChange {
  return {
    at: event.at,
    seq: event.seq,
    status,
    awaiting: null,
    verdict: null,
    reason: "",
    attempt: null,
    files: null,
    ...rest,
  };
}

function patchTask(task: LiveTask, event: Event): LiveTask {
  switch (event.type) {
    case "task.started":
      // Only a first attempt starts a task.
      return { ...task, change: change(event, "RUNNING", { attempt: 1 }), tools: [], question: null };
    case "attempt.started":
      return {
        ...task,
        change: change(event, "RUNNING", { attempt: event.data.attempt }),
        tools: [],
        question: null,
        rolledBack: false,
      };
    case "task.milestone": {
      const { code, text, current, total } = event.data;
      return { ...task, milestone: { text, code, at: event.at, current: current ?? null, total: total ?? null } };
    }
    case "task.awaiting": {
      const { awaiting, reason, attempt } = event.data;
      return {
        ...task,
        change: change(event, "AWAITING_RESPONSE", { awaiting: awaitingOf(awaiting), reason, attempt }),
        tools: [],
      };
    }
    case "task.completed": {
      const { verdict, summary, attempt, files_changed: changed, insertions, deletions } = event.data;
      const files = { changed, insertions, deletions };
      return {
        ...task,
        change: change(event, "COMPLETE", { verdict: verdictOf(verdict), reason: summary, attempt, files }),
        tools: [],
        question: null,
      };
    }
    case "task.failed":
      return {
        ...task,
        change: change(event, "ERROR", { reason: event.data.message, attempt: event.data.attempt }),
        tools: [],
        question: null,
      };
    case "task.stuck":
      return {
        ...task,
        change: change(event, "STUCK", { reason: event.data.message, attempt: event.data.attempt }),
        tools: [],
        question: null,
      };
    case "task.discarded":
      return {
        ...task,
        change: change(event, "COMPLETE", { verdict: "PROPOSED", attempt: event.data.attempt }),
        tools: [],
        question: null,
      };
    case "task.cancelled":
      return {
        ...task,
        change: change(event, "CANCELLED", { attempt: event.data.attempt }),
        tools: [],
        question: null,
      };
    case "task.replied":
      return event.data.replayed ? task : { ...task, change: change(event, "QUEUED"), question: null };
    case "task.resumed":
      return { ...task, change: change(event, "QUEUED"), tools: [], question: null };
    case "task.rolled_back":
      return { ...task, rollbackId: event.data.rollback_id, rolledBack: !event.data.replay };
    case "task.rollback_undone":
    case "task.committed":
      return { ...task, rollbackId: null, rolledBack: false };
    case "step.tool_started": {
      const { tool_id: id, name, detail } = event.data;
      return { ...task, tools: [...task.tools.filter((tool) => tool.id !== id), { id, name, detail, at: event.at }] };
    }
    case "step.tool_finished": {
      const finished = event.data.tool_id;
      return { ...task, tools: task.tools.filter((tool) => tool.id !== finished), busy: null };
    }
    case "question.asked": {
      // The questions of a form come together; each is shown with its own answers once the task is read again.
      const { text, options } = event.data;
      const before = task.question?.at === event.at ? task.question : null;
      return {
        ...task,
        question: before
          ? { text: `${before.text}\n${text}`, options: [], at: event.at }
          : { text, options, at: event.at },
      };
    }
    case "permission.decided":
      return event.data.replayed ? task : { ...task, change: change(event, "QUEUED") };
    case "question.answered":
      return { ...task, question: null };
    // The card must not call a task done before it has said what to look at.
    case "task.findings":
      return { ...task, findings: { items: event.data.findings, at: event.at } };
    case "step.finished":
      return { ...task, tools: [], spending: ended(task.spending, event.data.step_id, event.at) };
    case "attempt.finished":
      return { ...task, tools: [] };
    case "step.started":
    case "task.verified":
    case "task.applied":
    case "guard.timeout":
    case "guard.absent":
    case "guard.strays":
    case "guard.breaker":
    case "guard.limit":
    case "guard.budget":
    case "guard.decided":
    case "project.added":
    case "project.checks_changed":
    case "project.changed":
    case "settings.changed":
    case "session.created":
    case "session.changed":
    case "workspace.held":
    case "workspace.released":
    case "runner.started":
    case "runner.stopped":
    case "runner.operation_started":
    case "runner.operation_finished":
    case "storage.mirror_rebuilt":
    case "storage.restored":
    case "workbench.called":
    case "usage.recorded":
    case "usage.model_differs":
    case "context.filled":
    case "context.compacted":
    case "permission.asked":
    case "permission.revoked":
    case "steering.queued":
    case "steering.handed":
    case "steering.delivered":
    case "steering.taken_back":
    case "steering.returned":
    case "agent.denied":
    case "agent.fresh":
      return task;
  }
}

function patchSession(session: LiveSession, event: Event): LiveSession {
  const next: LiveSession = { ...session, at: event.at };
  if (event.task_id) next.taskId = event.task_id;
  if (event.type === "session.changed") {
    const { title, archived, deleted } = event.data;
    if (title !== null && title !== undefined) next.title = title;
    if (archived !== null && archived !== undefined) next.archived = archived;
    if (deleted !== null && deleted !== undefined) next.deleted = deleted;
  }
  return next;
}

/** One event onto the state. An event that was already applied changes nothing. */
export function applyEvent(state: Live, event: Event): Live {
  if (event.seq <= state.seq) return state;
  const next: Live = { ...state, seq: event.seq };
  if (event.task_id) {
    const known = state.tasks[event.task_id] ?? NEW_TASK;
    next.tasks = { ...state.tasks, [event.task_id]: { ...patchTask(known, event), sessionId: event.session_id } };
  }
  if (event.session_id) {
    const known = state.sessions[event.session_id] ?? { at: event.at };
    next.sessions = { ...state.sessions, [event.session_id]: patchSession(known, event) };
  }
  if (event.type === "workspace.held") {
    next.holds = { ...state.holds, [event.data.workspace_id]: { held: true, reason: event.data.reason } };
  }
  if (event.type === "workspace.released") {
    next.holds = { ...state.holds, [event.data.workspace_id]: { held: false, reason: "" } };
  }
  return next;
}

/** A sign of life that is not stored: it says that the agent is at work, never what became of the task. */
export function applyProgress(state: Live, item: StreamProgress | StreamUsage, now: number): Live {
  const task = state.tasks[item.task_id] ?? NEW_TASK;
  if (item.type === "usage")
    return {
      ...state,
      tasks: { ...state.tasks, [item.task_id]: { ...task, heardAt: now, spending: noted(task.spending, item) } },
    };
  const busy =
    item.kind === "tool" && item.tool
      ? { name: item.detail ?? item.tool, since: now - 1000 * (item.age_seconds ?? 0) }
      : null;
  return { ...state, tasks: { ...state.tasks, [item.task_id]: { ...task, heardAt: now, busy } } };
}

const isAfter = (at: string, snapshot: Task): boolean => Date.parse(at) >= Date.parse(snapshot.updated_at);

/** What an earlier attempt asked is over: under the number of a later one, an answer to it would count for something unseen. */
const NOTHING_ASKED = {
  question: null,
  options: [],
  form: [],
  plan: null,
  permission: null,
  limit: null,
  budget: null,
  breaker: null,
  choices: [],
} satisfies Partial<Task>;

/** What may be done now is the server's to say; until it has, only what can be done before and while a task runs. */
function stillOffered(task: Task, change: StatusChange): Task["actions"] {
  const atWork = change.status === "QUEUED" || change.status === "RUNNING";
  return atWork ? task.actions.filter((action) => action === "cancel") : [];
}

function withChange(task: Task, change: StatusChange): Task {
  const goneOn = change.attempt !== null && change.attempt > task.attempt;
  const same = change.status === task.status && change.awaiting === task.awaiting && !goneOn;
  const ended = change.status === "COMPLETE";
  return {
    ...task,
    ...(goneOn ? NOTHING_ASKED : {}),
    status: change.status,
    awaiting: change.awaiting,
    verdict: change.verdict ?? (ended ? task.verdict : null),
    actions: same ? task.actions : stillOffered(task, change),
    attempt: change.attempt ?? task.attempt,
    error_message: change.status === "ERROR" ? change.reason : task.error_message,
    summary: ended && change.reason ? change.reason : task.summary,
    position: change.status === "QUEUED" ? task.position : null,
    waits_for: change.status === "QUEUED" ? task.waits_for : null,
    files_changed: change.files?.changed ?? task.files_changed,
    insertions: change.files?.insertions ?? task.insertions,
    deletions: change.files?.deletions ?? task.deletions,
  };
}

/** The snapshot, moved on by whatever events say happened after it was taken. */
export function withLive(task: Task, live: LiveTask | undefined): Task {
  if (!live) return task;
  let merged = withSpending(task, live.spending);
  if (live.milestone && isAfter(live.milestone.at, task)) merged.milestone = live.milestone.text;
  if (live.rollbackId !== undefined) merged.rollback_id = live.rollbackId;
  if (live.findings && isAfter(live.findings.at, task)) merged.findings = live.findings.items;
  if (live.rolledBack !== undefined) merged.rolled_back = live.rolledBack;
  if (!live.change || !isAfter(live.change.at, task)) return merged;
  merged = withChange(merged, live.change);
  if (live.question && merged.status === "AWAITING_RESPONSE") {
    merged.question = live.question.text;
    merged.options = live.question.options;
  }
  return merged;
}

/** Events after which the snapshots of a task lack something only the server knows. */
export const REFRESHES_TASK: ReadonlySet<EventType> = new Set([
  "task.started",
  "attempt.started",
  "task.awaiting",
  "task.completed",
  "task.failed",
  "task.cancelled",
  "task.replied",
  "task.resumed",
  "task.rolled_back",
  "task.rollback_undone",
  "task.committed",
  "task.verified",
  "task.findings",
  "task.stuck",
  "task.applied",
  "task.discarded",
  "step.finished",
  "guard.decided",
  // After a restart it is what says that the state the task was found in has been saved.
  "attempt.finished",
  "permission.decided",
  "steering.queued",
  "steering.handed",
  "steering.delivered",
  "steering.taken_back",
  "steering.returned",
  "agent.denied",
  "agent.fresh",
]);

interface LiveStore extends Live {
  begin: (seq: number) => void;
  receive: (events: Event[], progress: (StreamProgress | StreamUsage)[], now: number) => void;
}

export const useLive = create<LiveStore>()((set) => ({
  ...EMPTY,
  begin: (seq) => {
    set((state) => (state.seq === 0 ? { seq } : {}));
  },
  receive: (events, progress, now) => {
    set((state) => {
      const after = events.reduce<Live>(applyEvent, state);
      return progress.reduce((next, item) => applyProgress(next, item, now), after);
    });
  },
}));
