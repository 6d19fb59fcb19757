import type { Connection } from "@/api/connection";
import { beforeEach, describe, expect, it } from "vitest";
import { events } from "@/test/events";
import { Stream, type Socket } from "./stream";
import type { StreamItem } from "@/api/types";

class Line implements Socket {
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.onclose?.();
  }
}

let lines: Line[];
let timers: { run: () => void; ms: number; id: number }[];
let states: Connection[];
let items: StreamItem[];
let refused: number;
let wentBack: number;
let stream: Stream;

const newest = () => lines[lines.length - 1] ?? new Line();
const retries = () => timers.filter((timer) => timer.ms <= 30_000);
function fireRetry(): number {
  const due = retries()[0];
  if (!due) throw new Error("no retry was planned");
  timers = timers.filter((timer) => timer !== due);
  due.run();
  return due.ms / 1000;
}

beforeEach(() => {
  lines = [];
  timers = [];
  states = [];
  items = [];
  refused = 0;
  wentBack = 0;
  let ids = 0;
  stream = new Stream(
    {
      open: () => {
        const line = new Line();
        lines.push(line);
        return line;
      },
      timers: {
        set: (run, ms) => {
          ids += 1;
          timers.push({ run, ms, id: ids });
          return ids;
        },
        clear: (id) => {
          timers = timers.filter((timer) => timer.id !== id);
        },
      },
      items: (got) => {
        items.push(...got);
      },
      connection: (state) => {
        states.push(state);
      },
      refused: () => {
        refused += 1;
      },
      wentBack: () => {
        wentBack += 1;
      },
    },
    10,
  );
  stream.start();
});

describe("the stream (PLT-2)", () => {
  it("subscribes from its cursor and goes on after the last event it saw", () => {
    newest().onopen?.();
    expect(JSON.parse(newest().sent[0] ?? "")).toEqual({ subscribe: { since: 10, tasks: [] } });
    newest().onmessage?.({
      data: JSON.stringify([{ type: "event", event: events.milestone(14, "x") }, { type: "ping" }]),
    });
    expect(items).toHaveLength(2);
    newest().close();
    fireRetry();
    newest().onopen?.();
    expect(JSON.parse(newest().sent[0] ?? "")).toEqual({ subscribe: { since: 14, tasks: [] } });
  });

  it("notices that the server's log went back", () => {
    newest().onopen?.();
    newest().onmessage?.({ data: JSON.stringify([{ type: "ready", seq: 10 }]) });
    expect(wentBack).toBe(0);
    newest().onmessage?.({ data: JSON.stringify([{ type: "ready", seq: 7 }]) });
    expect(wentBack).toBe(1);
  });

  it("moves its cursor past events of types it does not know", () => {
    newest().onopen?.();
    newest().onmessage?.({ data: JSON.stringify([{ type: "event", event: { seq: 99, type: "future.thing" } }]) });
    expect(items).toEqual([]);
    expect(stream.since).toBe(99);
  });

  it("backs off 1-2-4-8-16 s, then every 30 s, and says lost after five failures", () => {
    newest().onopen?.();
    newest().close();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      waits.push(fireRetry());
      newest().close();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(states.slice(0, 7)).toEqual([
      "connecting",
      "open",
      "reconnecting",
      "reconnecting",
      "reconnecting",
      "reconnecting",
      "reconnecting",
    ]);
    expect(states[7]).toBe("lost");
    expect(refused).toBe(7);
  });

  it("starts its back-off over once it was connected again", () => {
    newest().onopen?.();
    newest().close();
    fireRetry();
    newest().close();
    fireRetry();
    newest().onopen?.();
    newest().close();
    expect(retries()[0]?.ms).toBe(1000);
  });

  it("does not wait for the timer when the page is seen or the network is back", () => {
    newest().close();
    stream.nudge();
    expect(lines).toHaveLength(2);
    expect(retries()).toHaveLength(0);
    stream.nudge();
    expect(lines).toHaveLength(2);
  });

  it("takes long silence for a dead line", () => {
    newest().onopen?.();
    const silence = timers.find((timer) => timer.ms === 70_000);
    silence?.run();
    expect(states.at(-1)).toBe("reconnecting");
  });

  it("asks for the output of what is watched, once per change", () => {
    newest().onopen?.();
    stream.watch(["b", "a", "a"]);
    stream.watch(["a", "b"]);
    expect(newest().sent).toHaveLength(2);
    expect(JSON.parse(newest().sent[1] ?? "")).toEqual({ subscribe: { since: 10, tasks: ["a", "b"] } });
  });

  it("stays down when it was stopped", () => {
    newest().onopen?.();
    stream.stop();
    expect(timers).toEqual([]);
    stream.nudge();
    expect(lines).toHaveLength(1);
  });
});
