import type { LiveSession, LiveTask } from "@/events/state";
import type { Session, SessionGroup, TaskStatus } from "@/api/types";

export const GROUPS: SessionGroup[] = ["needs_you", "running", "queued", "recent"];

export function groupOf(status: TaskStatus): SessionGroup {
  switch (status) {
    case "AWAITING_RESPONSE":
      return "needs_you";
    case "RUNNING":
      return "running";
    case "QUEUED":
      return "queued";
    case "COMPLETE":
    case "CANCELLED":
    case "STUCK":
    case "ERROR":
      return "recent";
  }
}

/** The row, moved on by events that came after it was read. */
export function withLiveSession(session: Session, live: LiveSession | undefined, task: LiveTask | undefined): Session {
  if (!live) return session;
  const merged = {
    ...session,
    title: live.title ?? session.title,
    archived: live.archived ?? session.archived,
    deleted: live.deleted ?? session.deleted,
  };
  if (Date.parse(live.at) < Date.parse(session.updated_at)) return merged;
  merged.updated_at = live.at;
  if (!task || live.taskId !== session.current_task_id) return merged;
  if (task.milestone) merged.doing = task.milestone.text;
  if (task.change && task.change.status !== session.task_status) {
    merged.task_status = task.change.status;
    merged.awaiting = task.change.awaiting;
    merged.verdict = task.change.verdict;
    merged.doubts = task.change.doubts;
    merged.group = groupOf(task.change.status);
    if (task.question && task.change.status === "AWAITING_RESPONSE") merged.doing = task.question.text;
    else if (task.change.reason) merged.doing = task.change.reason;
  }
  return merged;
}

export function grouped(sessions: Session[]): { group: SessionGroup; sessions: Session[] }[] {
  return GROUPS.map((group) => ({ group, sessions: sessions.filter((session) => session.group === group) })).filter(
    (part) => part.sessions.length > 0,
  );
}
