import { describe, expect, it } from "vitest";
import type { UsageLine } from "@/api/types";
import { beginning, ceiling, everyDay } from "./days";

const line = (key: string): UsageLine => ({
  key,
  label: key,
  project_id: null,
  session_slug: null,
  spawns: 1,
  cost_usd: 1,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_share: null,
});

describe("the days of a time (GRD-8)", () => {
  it("begin at midnight and reach today", () => {
    const since = beginning(7, new Date(2026, 2, 3, 15, 30));
    expect(since).toEqual(new Date(2026, 1, 25));
    const days = everyDay(since, 7, [line("2026-02-28"), line("2026-03-03")]);
    expect(days.map((day) => day.key)).toEqual([
      "2026-02-25",
      "2026-02-26",
      "2026-02-27",
      "2026-02-28",
      "2026-03-01",
      "2026-03-02",
      "2026-03-03",
    ]);
    expect(days.map((day) => day.line !== null)).toEqual([false, false, false, true, false, false, true]);
  });

  it("have a scale that ends at a round number", () =>
    expect([0, 0.03, 0.7, 1, 1.2, 2.3, 4, 7, 130_000].map(ceiling)).toEqual([1, 0.05, 1, 1, 2, 2.5, 5, 10, 200_000]));
});
