import { describe, expect, it } from "vitest";
import { later, NO_USAGE, task } from "@/test/fixtures";
import { applyEvent, applyProgress } from "./live";
import { withLive } from "./snapshot";
import { EMPTY } from "./state";
import type { Event, StreamUsage } from "@/api/types";

const used = (changes: Partial<StreamUsage> = {}): StreamUsage => ({
  type: "usage",
  task_id: "t1",
  attempt: 1,
  step_id: "st",
  model: "claude-sonnet-4-5",
  cost_usd: 0.25,
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: 90,
  cache_write_tokens: 0,
  context_tokens: 170_000,
  context_window: 200_000,
  ...changes,
});

const finished: Event = {
  seq: 1,
  at: later(1),
  session_id: "s1",
  task_id: "t1",
  type: "step.finished",
  data: {
    step_id: "st",
    attempt: 1,
    number: 1,
    kind: "edit",
    outcome: "done",
    name: "",
    detail: "",
    run_id: null,
    duration_ms: 1,
    files_changed: 0,
    insertions: 0,
    deletions: 0,
    cost_usd: 0.5,
  },
};

const spent = task({ cost_usd: 1, usage: { ...NO_USAGE, spawns: 1, cost_usd: 1 } });

describe("what a spawn uses while it runs (GRD-8)", () => {
  it("is added to what the task has, and the newest report replaces the one before", () => {
    const live = [used(), used({ cost_usd: 0.5, output_tokens: 20 })].reduce(
      (state, item) => applyProgress(state, item, 0),
      EMPTY,
    );
    const shown = withLive(spent, live.tasks.t1);
    expect(shown.cost_usd).toBe(1.5);
    expect(shown.usage).toMatchObject({
      spawns: 2,
      cost_usd: 1.5,
      output_tokens: 20,
      cache_share: 0.9,
      models: ["claude-sonnet-4-5"],
      context: { tokens: 170_000, level: 80 },
    });
  });

  it("counts those that run side by side", () => {
    const live = [used(), used({ step_id: "other", context_window: 0 })].reduce(
      (state, item) => applyProgress(state, item, 0),
      EMPTY,
    );
    expect(withLive(spent, live.tasks.t1)).toMatchObject({ cost_usd: 1.5, usage: { context: { tokens: 170_000 } } });
  });

  it("is not counted twice once the task that was read has it", () => {
    const live = applyEvent(applyProgress(EMPTY, used(), 0), finished);
    expect(withLive(spent, live.tasks.t1).cost_usd).toBe(1.25);
    expect(withLive({ ...spent, cost_usd: 1.25, updated_at: later(1) }, live.tasks.t1).cost_usd).toBe(1.25);
    // Told again to a page that came late, or came back.
    const again = applyProgress(live, used(), 0);
    expect(withLive({ ...spent, cost_usd: 1.25, updated_at: later(1) }, again.tasks.t1).cost_usd).toBe(1.25);
    const late = applyProgress(applyEvent(EMPTY, finished), used(), 0);
    expect(withLive({ ...spent, cost_usd: 1.25, updated_at: later(1) }, late.tasks.t1).cost_usd).toBe(1.25);
    expect(withLive({ ...spent, attempt: 2 }, live.tasks.t1).cost_usd).toBe(1);
  });
});
