import type { EventType, StreamItem } from "./types";

/** What only says that it goes on. What a person waits for, or must not miss, is none of these. */
const QUIET: ReadonlySet<EventType> = new Set([
  "session.created",
  "task.started",
  "task.milestone",
  "attempt.started",
  "step.started",
  "step.tool_started",
  "step.tool_finished",
  "context.filled",
  "usage.recorded",
]);
const PAUSE_MS = 150;

function isQuiet(item: StreamItem): boolean {
  switch (item.type) {
    case "event":
      return QUIET.has(item.event.type);
    case "progress":
    case "usage":
    case "queue":
    case "ready":
    case "ping":
      return true;
    case "output":
    case "runner":
    case "notification":
      return false;
  }
}

/** Lets what is quiet wait a moment for what comes next, in its order: a task that begins is drawn once, not for every sign of it. */
export class Pace {
  private waiting: StreamItem[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly hand: (items: StreamItem[]) => void;

  constructor(hand: (items: StreamItem[]) => void) {
    this.hand = hand;
  }

  take(items: StreamItem[]): void {
    this.waiting.push(...items);
    if (items.every(isQuiet))
      this.timer ??= setTimeout(() => {
        this.flush();
      }, PAUSE_MS);
    else this.flush();
  }

  /** Hands on what has come; what is still to come waits anew. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const due = this.waiting;
    this.waiting = [];
    if (due.length > 0) this.hand(due);
  }
}
