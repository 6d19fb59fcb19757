import { act, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useNow } from "./time";

function Clock({ drawn }: { drawn: number }) {
  return <p data-testid="clock">{`${useNow(1000)} ${drawn}`}</p>;
}

const shown = () => Number(screen.getByTestId("clock").textContent.split(" ")[0]);

afterEach(() => {
  vi.useRealTimers();
});

describe("the time on a page", () => {
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
  });
});
