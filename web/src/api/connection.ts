import type { QueryClient } from "@tanstack/react-query";
import { create } from "zustand";
import { announce } from "./announce";
import { REFRESHES_TASK, useLive } from "./live";
import { deliverOutput, onWatchChange, watchedTasks } from "./output";
import { stateQuery } from "./queries";
import { Stream, type Connection, type Socket } from "./stream";
import type { Event, StreamItem, StreamProgress, StreamUsage } from "./types";

export const useConnection = create<{ connection: Connection }>()(() => ({ connection: "connecting" }));

function openSocket(): Socket {
  const url = new URL("/ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const raw = new WebSocket(url);
  const socket: Socket = {
    send: (text) => {
      raw.send(text);
    },
    close: () => {
      raw.close();
    },
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  raw.onopen = () => socket.onopen?.();
  raw.onmessage = (message) => socket.onmessage?.({ data: message.data });
  raw.onclose = () => socket.onclose?.();
  return socket;
}

/** Collects what became stale and asks for it once: a burst of events is one request, not a hundred. */
export class Refresh {
  private readonly keys = new Map<string, readonly unknown[]>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly client: Pick<QueryClient, "invalidateQueries">;
  private readonly ms: number;

  constructor(client: Pick<QueryClient, "invalidateQueries">, ms = 120) {
    this.client = client;
    this.ms = ms;
  }

  stale(...keys: (readonly unknown[])[]): void {
    for (const key of keys) this.keys.set(JSON.stringify(key), key);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      const due = [...this.keys.values()];
      this.keys.clear();
      for (const queryKey of due) void this.client.invalidateQueries({ queryKey });
    }, this.ms);
  }
}

/** What an event makes stale beyond what the reducer itself can tell. */
export function staleAfter(event: Event): (readonly unknown[])[] {
  const keys: (readonly unknown[])[] = [];
  if (event.task_id && REFRESHES_TASK.has(event.type)) {
    keys.push(
      ["task", event.task_id],
      ["steps", event.task_id],
      ["tasks"],
      ["sessions"],
      ["session"],
      ["resume-options", event.task_id],
    );
  }
  switch (event.type) {
    case "task.completed":
    case "task.failed":
    case "task.cancelled":
    case "task.awaiting":
    case "task.rolled_back":
    case "task.rollback_undone":
    case "task.committed":
    case "task.stuck":
    case "task.applied":
    case "task.discarded":
    case "step.finished":
    case "attempt.finished":
      keys.push(["diff", event.task_id], ["changes"], ["queues"]);
      break;
    case "task.verified":
      keys.push(["runs", event.task_id]);
      break;
    case "permission.revoked":
      keys.push(["grants"]);
      break;
    case "permission.decided":
      keys.push(["grants"], ["queues"]);
      break;
    case "task.findings":
    case "permission.asked":
    case "steering.queued":
    case "steering.handed":
    case "steering.delivered":
    case "steering.taken_back":
    case "steering.returned":
    case "agent.denied":
    case "agent.fresh":
      break;
    case "task.started":
    case "task.replied":
    case "task.resumed":
    case "workspace.held":
    case "workspace.released":
      keys.push(["queues"], ["projects"]);
      break;
    case "workbench.called":
      keys.push(["task", event.task_id], ["tasks"]);
      break;
    case "project.checks_changed":
      keys.push(["commands"]);
      break;
    case "project.added":
    case "project.changed":
      keys.push(["projects"]);
      break;
    case "settings.changed":
      keys.push(["settings"], ["agents"]);
      break;
    case "session.created":
    case "session.changed":
      keys.push(["sessions"], ["session"], ["projects"]);
      break;
    case "guard.strays":
      keys.push(["state"]);
      break;
    case "usage.model_differs":
      keys.push(["state"], ["session"]);
      break;
    case "usage.recorded":
      keys.push(["usage"]);
      break;
    case "runner.started":
    case "runner.stopped":
    case "runner.operation_started":
    case "runner.operation_finished":
    case "storage.restored":
    case "storage.mirror_rebuilt":
      keys.push(["state"], ["runner"], ["tasks"], ["sessions"], ["queues"]);
      break;
    case "guard.breaker":
    case "guard.limit":
    case "guard.budget":
    case "guard.decided":
    case "task.milestone":
    case "attempt.started":
    case "step.started":
    case "step.tool_started":
    case "step.tool_finished":
    case "question.asked":
    case "question.answered":
    case "guard.timeout":
    case "guard.absent":
    case "context.filled":
    case "context.compacted":
      break;
  }
  return keys;
}

/** Events of one frame go in with one update, so a burst draws once. */
export function receiveItems(
  items: StreamItem[],
  refresh: Pick<Refresh, "stale">,
  client: Pick<QueryClient, "setQueryData">,
): void {
  const events: Event[] = [];
  const progress: (StreamProgress | StreamUsage)[] = [];
  for (const item of items) {
    switch (item.type) {
      case "event":
        if (item.event.seq > useLive.getState().seq) refresh.stale(...staleAfter(item.event));
        events.push(item.event);
        break;
      case "output":
        deliverOutput(item);
        break;
      case "progress":
      case "usage":
        progress.push(item);
        break;
      case "queue":
        refresh.stale(["queues"], ["tasks"], ["sessions"], ["projects"], ["runner"]);
        break;
      case "runner":
        refresh.stale(["runner"], ["state"]);
        break;
      case "notification":
        announce(item);
        break;
      case "ready":
      case "ping":
        break;
    }
  }
  if (events.length + progress.length > 0) useLive.getState().receive(events, progress, Date.now());
  for (const event of events) {
    if (!event.task_id) continue;
    client.setQueryData<Event[]>(["events", event.task_id], (known) =>
      known && (known.at(-1)?.seq ?? 0) < event.seq ? [...known, event] : known,
    );
  }
}

/** Opens the stream for as long as somebody is logged in; returns how to end it. */
export function startLive(client: QueryClient, since: number, reconnected: () => void): () => void {
  const refresh = new Refresh(client);
  useLive.getState().begin(since);
  let wasDown = false;
  const stream = new Stream(
    {
      open: openSocket,
      timers: {
        set: (run, ms) => window.setTimeout(run, ms),
        clear: (id) => {
          window.clearTimeout(id);
        },
      },
      items: (items) => {
        receiveItems(items, refresh, client);
      },
      connection: (connection) => {
        useConnection.setState({ connection });
        if (connection === "open") {
          // What is not stored as an event (the queue) may have changed while nobody listened.
          if (wasDown) void client.invalidateQueries();
          wasDown = false;
          reconnected();
        } else if (connection !== "connecting") {
          wasDown = true;
        }
      },
      wentBack: () => {
        window.location.reload();
      },
      refused: () => {
        void client.fetchQuery({ ...stateQuery, retry: false }).catch(() => undefined);
      },
    },
    useLive.getState().seq,
  );
  const nudge = () => {
    stream.nudge();
  };
  const seen = () => {
    if (document.visibilityState === "visible") stream.nudge();
  };
  window.addEventListener("online", nudge);
  document.addEventListener("visibilitychange", seen);
  onWatchChange(() => {
    stream.watch(watchedTasks());
  });
  stream.watch(watchedTasks());
  stream.start();
  return () => {
    window.removeEventListener("online", nudge);
    document.removeEventListener("visibilitychange", seen);
    onWatchChange(() => undefined);
    stream.stop();
  };
}
