import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useConnection } from "@/api/connection";
import type { Task } from "@/api/types";
import { Elapsed } from "@/shared/ui/time";
import { AT, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { world } from "@/test/world";
import { TaskCard } from "./task-card";
import { subjectOf } from "./task-state";

const done = task({
  status: "COMPLETE",
  verdict: "PASS",
  files_changed: 2,
  actions: [],
  summary: "Raised the fee.",
  finished_at: AT,
  working_since: null,
  worked_ms: 65_000,
});

function card(changes: Partial<Task>) {
  const shown = { ...done, ...changes };
  world([shown]);
  return show(<TaskCard snapshot={shown} view={null} onView={() => undefined} />);
}

const button = (name: RegExp | string) => screen.queryByRole("button", { name });

describe("a task that has ended (WEB-13)", () => {
  it("is not called verified once its changes were rolled back", () => {
    card({ rolled_back: true, rollback_id: "b1" });
    expect(screen.getByText("Rolled back")).toBeVisible();
    expect(screen.queryByText("Verified")).toBeNull();
    expect(button("Undo the rollback")).toBeVisible();
  });

  it("names what a rollback could not bring back, and offers to go on or to undo it", () => {
    card({ rollback_id: "b1", rollback_problem: "One file could not be brought back: calc.py." });
    expect(screen.getByText(/could not be brought back: calc.py/)).toBeVisible();
    expect(button("Undo the rollback")).toBeVisible();
    expect(button("Roll back")).toBeVisible();
  });

  it("says which commit has its changes, and offers no second one", () => {
    card({ committed: { commit: "abcdef0123456789", files: 2 } });
    expect(screen.getByText(/Committed as/)).toHaveTextContent("Committed as abcdef01");
    expect(button("Commit")).toBeNull();
    expect(button("Roll back")).toBeVisible();
  });

  it("offers the rest where only a part was committed", () => {
    card({ committed: { commit: "abcdef0123456789", files: 1 } });
    expect(screen.getByText(/1 file of it committed as/)).toBeVisible();
    expect(button("Commit")).toBeVisible();
  });

  it("says of a discarded proposal that nothing was written", () => {
    card({ verdict: "PROPOSED", newest_of_workspace: false });
    expect(screen.getByText("Discarded; nothing was written")).toBeVisible();
    expect(button("Roll back")).toBeNull();
  });

  it("offers the same whoever came after: the tree decides (BYD-22)", () => {
    const { again } = card({ newest_of_workspace: false });
    expect(button("Commit")).toBeVisible();
    expect(button("Roll back")).toBeVisible();
    const older = { ...done, newest_of_workspace: false, rolled_back: true, rollback_id: "b1" };
    again(<TaskCard snapshot={older} view={null} onView={() => undefined} />);
    expect(button("Undo the rollback")).toBeVisible();
  });

  it("says what became of the repository, and offers to have it again (BYD-3)", async () => {
    const gone = "The repository is gone: there is no .git here any more.";
    card({ repository: gone, files_changed: 0, newest_of_workspace: false });
    expect(screen.getByRole("status")).toHaveTextContent(gone);
    act(() => button("Restore repository and files")?.click());
    expect(await screen.findByRole("dialog", { name: "Restore repository and files?" })).toBeVisible();
  });

  it("tells how long it worked, not how long it waited for somebody", () => {
    card({ started_at: "2026-01-01T10:00:00Z" });
    expect(screen.getByText("1m 05s")).toBeVisible();
  });
});

it("suggests a message without the tags of the rehearsal agent", () => {
  expect(subjectOf({ prompt: "[[fix-add]]\nFix the [[x]] sum [[y]]\nmore" })).toBe("Fix the sum");
  expect(subjectOf({ prompt: "Fix it. [[fix-add]]" })).toBe("Fix it.");
});

describe("clocks (WEB-6)", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse(AT) });
  });
  afterEach(() => {
    vi.useRealTimers();
    useConnection.setState({ connection: "connecting" });
  });

  it("stand still while the server does not answer", () => {
    useConnection.setState({ connection: "open" });
    show(<Elapsed from={AT} />);
    act(() => {
      vi.advanceTimersByTime(5000);
    });
    expect(screen.getByText("5s")).toBeVisible();
    act(() => useConnection.setState({ connection: "lost" }));
    act(() => {
      vi.advanceTimersByTime(60_000);
    });
    expect(screen.getByText("5s")).toHaveAttribute("title", expect.stringContaining("does not answer"));
    act(() => useConnection.setState({ connection: "open" }));
    expect(screen.getByText("1m 05s")).toBeVisible();
  });
});

it("marks what is code in why a task failed (BYD-1)", () => {
  const failed = task({
    status: "ERROR",
    error_kind: "credentials",
    error_message: "Run `claude auth login`, then try again.",
    actions: [],
  });
  world([failed]);
  show(<TaskCard snapshot={failed} view={null} onView={() => undefined} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Run claude auth login, then try again.");
  expect(screen.getByText("claude auth login", { selector: "code" })).toBeVisible();
});

it("asks for no output of a task that has not begun", async () => {
  const waiting = task({ status: "RUNNING", attempt: 0 });
  const server = world([waiting]);
  show(<TaskCard snapshot={waiting} view={null} onView={() => undefined} />);
  await waitFor(() => expect(screen.getByText("Running")).toBeVisible());
  expect(server.seen.filter((one) => one.path.includes("/output"))).toEqual([]);
});
