import { act, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { duration, relative, useNow } from "./time";

function Clock({ drawn }: { drawn: number }) {
  return <p data-testid="clock">{`${useNow(1000)} ${drawn}`}</p>;
}

const shown = () => Number(screen.getByTestId("clock").textContent.split(" ")[0]);

afterEach(() => {
  vi.useRealTimers();
});

describe("the time on a page", () =>
  it("moves on though the page is drawn more often than it does", () => {
    vi.useFakeTimers();
    const { rerender } = render(<Clock drawn={0} />);
    const began = shown();
    for (let drawn = 1; drawn <= 30; drawn += 1) {
      act(() => {
        vi.advanceTimersByTime(100);
      });
      rerender(<Clock drawn={drawn} />);
    }
    expect(shown() - began).toBeGreaterThanOrEqual(2000);
  }));

it("says durations as people do", () => {
  expect([900, 59_000, 125_000, 1_800_000, 7_500_000, 300_000_000].map(duration)).toEqual([
    "0s",
    "59s",
    "2m 05s",
    "30m",
    "2h 05m",
    "3d",
  ]);
});

it("says times relative to now", () => {
  expect(relative(0, 3_600_000)).toContain("1");
  expect(relative(0, 1000)).toBe("now");
});
