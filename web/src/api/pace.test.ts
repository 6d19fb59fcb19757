import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { events, session, task } from "@/test/fixtures";
import { FakeSocket, world } from "@/test/world";
import { startLive } from "./connection";
import { useLive } from "./live";
import { isYoung } from "./output";
import { Pace } from "./pace";
import { beginThread, continueThread } from "./queries";
import type { StreamItem } from "./types";

const milestone = (seq: number): StreamItem => ({ type: "event", event: events.milestone(seq, "Working") });
const output: StreamItem = { type: "output", task_id: "t1", attempt: 1, offset: 0, text: "hello" };
const progress: StreamItem = {
  type: "progress",
  task_id: "t1",
  attempt: 1,
  kind: "heartbeat",
  tool: null,
  detail: null,
  age_seconds: null,
};

describe("what comes over the line (WEB-9)", () => {
  const handed: StreamItem[][] = [];
  const pace = new Pace((items) => {
    handed.push(items);
  });

  beforeEach(() => {
    vi.useFakeTimers();
    handed.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is handed on at once where somebody waits for it, with what waited before it, in order", () => {
    pace.take([milestone(1)]);
    pace.take([progress]);
    expect(handed).toEqual([]);
    pace.take([output, milestone(2)]);
    expect(handed).toEqual([[milestone(1), progress, output, milestone(2)]]);
    vi.runAllTimers();
    expect(handed).toHaveLength(1);
  });

  it("is handed on a moment later, together, where it only says that it goes on", () => {
    pace.take([milestone(1)]);
    vi.advanceTimersByTime(100);
    pace.take([milestone(2)]);
    vi.advanceTimersByTime(100);
    expect(handed).toEqual([[milestone(1), milestone(2)]]);
    pace.take([milestone(3)]);
    expect(handed).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(handed).toHaveLength(2);
  });

  it("is not lost when the line is given up", () => {
    pace.take([milestone(1)]);
    pace.flush();
    expect(handed).toEqual([[milestone(1)]]);
  });
});

describe("a page that listens (WEB-9)", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("draws a sign of progress a moment later, and what it has of it when it stops", async () => {
    world();
    const stop = startLive(new QueryClient(), 10, () => undefined);
    await vi.waitFor(() => {
      expect(FakeSocket.opened.at(-1)?.sent).toHaveLength(1);
    });
    vi.useFakeTimers();
    FakeSocket.say({ type: "event", event: events.milestone(11, "Working") });
    expect(useLive.getState().seq).toBe(10);
    vi.advanceTimersByTime(200);
    expect(useLive.getState().seq).toBe(11);
    FakeSocket.say({ type: "event", event: events.milestone(12, "Working") });
    stop();
    expect(useLive.getState().seq).toBe(12);
  });
});

describe("a message that was sent from this page (WEB-9)", () => {
  it("is young where it runs, and not where it waits in line", async () => {
    const client = new QueryClient();
    await continueThread(client, "p1", "fix", task({ task_id: "waits", status: "QUEUED", attempt: 0 }));
    await continueThread(client, "p1", "fix", task({ task_id: "runs", attempt: 1 }));
    expect([isYoung("waits"), isYoung("runs")]).toEqual([false, true]);
    beginThread(client, { ...session(), task: task({ task_id: "waits first", status: "QUEUED", attempt: 0 }) });
    beginThread(client, { ...session(), task: task({ task_id: "runs first", attempt: 1 }) });
    expect([isYoung("waits first"), isYoung("runs first")]).toEqual([false, true]);
  });
});
