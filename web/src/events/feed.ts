import type { QueryClient } from "@tanstack/react-query";
import { announce } from "@/api/announce";
import { useConnection } from "@/api/connection";
import { deliverOutput, onWatchChange, watchedTasks } from "@/api/output";
import { stateQuery } from "@/api/queries";
import type { Event, StreamItem, StreamProgress, StreamUsage } from "@/api/types";
import { useLive } from "./live";
import { Stream } from "./stream";
import { staleAfter } from "./table";

const GATHERING_MS = 120;

export type Refresh = (...stale: (readonly unknown[])[]) => void;

function openSocket(): WebSocket {
  const url = new URL("/ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url);
}

/** Collects what became stale and asks for it once: a burst of events is one request, not a hundred. */
function refreshing(client: QueryClient): Refresh {
  const keys = new Map<string, readonly unknown[]>();
  return (...stale) => {
    const waiting = keys.size > 0;
    for (const key of stale) keys.set(JSON.stringify(key), key);
    if (waiting || keys.size === 0) return;
    setTimeout(() => {
      for (const queryKey of keys.values()) void client.invalidateQueries({ queryKey });
      keys.clear();
    }, GATHERING_MS);
  };
}

/** Events of one frame go in with one update, so a burst draws once. */
export function receiveItems(items: StreamItem[], refresh: Refresh, client: Pick<QueryClient, "setQueryData">): void {
  const events: Event[] = [];
  const progress: (StreamProgress | StreamUsage)[] = [];
  for (const item of items) {
    switch (item.type) {
      case "event":
        if (item.event.seq > useLive.getState().seq) refresh(...staleAfter(item.event));
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
        refresh(["queues"], ["tasks"], ["sessions"], ["projects"], ["runner"]);
        break;
      case "runner":
        refresh(["runner"], ["state"]);
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
  const refresh = refreshing(client);
  useLive.getState().begin(since);
  let wasDown = false;
  const stream = new Stream(
    {
      open: openSocket,
      timers: {
        set: (run, ms) => window.setTimeout(run, ms),
        clear: (id) => window.clearTimeout(id),
      },
      items: (items) => receiveItems(items, refresh, client),
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
      wentBack: () => window.location.reload(),
      refused: () => {
        void client.fetchQuery({ ...stateQuery, retry: false }).catch(() => undefined);
      },
    },
    useLive.getState().seq,
  );
  const nudge = () => stream.nudge();
  const seen = () => {
    if (document.visibilityState === "visible") stream.nudge();
  };
  window.addEventListener("online", nudge);
  document.addEventListener("visibilitychange", seen);
  onWatchChange(() => stream.watch(watchedTasks()));
  stream.watch(watchedTasks());
  stream.start();
  return () => {
    window.removeEventListener("online", nudge);
    document.removeEventListener("visibilitychange", seen);
    onWatchChange(() => undefined);
    stream.stop();
  };
}
