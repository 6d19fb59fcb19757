import { act, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { useDelayed } from "./delay";

function Word({ on }: { on: boolean }) {
  return <p>{useDelayed(on) ? "lasts" : "nothing"}</p>;
}

afterEach(() => {
  vi.useRealTimers();
});

it("says so of what has been so for a while, and of nothing that is over before", () => {
  vi.useFakeTimers();
  const { again } = show(<Word on />);
  const pass = (ms: number) =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  pass(100);
  expect(screen.getByText("nothing")).toBeVisible();
  again(<Word on={false} />);
  pass(1000);
  again(<Word on />);
  expect(screen.getByText("nothing")).toBeVisible();
  pass(200);
  expect(screen.getByText("lasts")).toBeVisible();
  again(<Word on={false} />);
  expect(screen.getByText("nothing")).toBeVisible();
  again(<Word on />);
  expect(screen.getByText("nothing")).toBeVisible();
});
