import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { events } from "@/test/fixtures";
import { Pace } from "./pace";
import type { StreamItem } from "./types";

const milestone = (seq: number): StreamItem => ({ type: "event", event: events.milestone(seq, "Working") });
const output: StreamItem = { type: "output", task_id: "t1", attempt: 1, offset: 0, text: "hello" };
const progress: StreamItem = { type: "progress", task_id: "t1", attempt: 1, kind: "heartbeat", tool: null, detail: null, age_seconds: null };

describe("what comes over the line (WEB-9)", () => {
  const handed: StreamItem[][] = [];
  const pace = new Pace((items) => { handed.push(items); });

  beforeEach(() => {
    vi.useFakeTimers();
    handed.length = 0;
  });
  afterEach(() => { vi.useRealTimers(); });

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
