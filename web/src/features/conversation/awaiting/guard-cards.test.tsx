import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { GuardChoice, Task } from "@/api/types";
import { AT, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { world } from "@/test/world";
import { AwaitingCard } from "./awaiting-card";

const DECIDED = "POST /api/tasks/t1/decision";
const decided = (choice: GuardChoice) => ({
  success: true,
  task_id: "t1",
  choice,
  old_status: "AWAITING_RESPONSE",
  new_status: "QUEUED",
});
const held = (changes: Partial<Task>): Task =>
  task({ status: "AWAITING_RESPONSE", actions: ["cancel", "resume", "decide"], ...changes });
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const limit = {
  kind: "provider" as const,
  message: "5-hour limit reached.",
  at: AT,
  until: inSeconds(125),
  waiting: true,
};

describe("a usage limit (GRD-6)", () => {
  const limited = held({ awaiting: "usage_limit", limit, choices: ["wait", "retry", "pause", "close"] });

  it("counts down to when it goes on by itself, and can be retried now", async () => {
    const server = world([limited]).on(DECIDED, () => decided("retry"));
    show(<AwaitingCard task={limited} />);
    expect(screen.getByRole("timer")).toHaveTextContent(/^in 2m 0[0-5]s$/);
    expect(screen.getByText("5-hour limit reached.")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Lift the limit/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Retry now" }));
    await waitFor(() => expect(server.sent(DECIDED)[0]?.body).toEqual({ choice: "retry", amount: null, attempt: 1 }));
    expect(await screen.findByText("It continues.")).toBeVisible();
  });

  it("says that it is paused, and offers to wait again", () => {
    const paused = { ...limited, limit: { ...limit, waiting: false } };
    world([paused]);
    show(<AwaitingCard task={paused} />);
    expect(screen.getByText("Paused. It continues when you say so.")).toBeVisible();
    expect(screen.queryByRole("timer")).toBeNull();
    expect(screen.getByRole("button", { name: "Wait and continue automatically" })).toBeEnabled();
  });

  it("of this hour can be lifted for the session, with a warning", async () => {
    const hourly: Task = {
      ...limited,
      limit: { ...limit, kind: "hourly" },
      choices: ["wait", "retry", "pause", "close", "override"],
    };
    const server = world([hourly]).on(DECIDED, () => decided("override"));
    show(<AwaitingCard task={hourly} />);
    expect(screen.getByText(/it may cost more/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Lift the limit for this session" }));
    await waitFor(() => expect(server.sent(DECIDED)).toHaveLength(1));
  });
});

describe("a budget that is used up (GRD-8)", () => {
  const spent = held({
    awaiting: "budget",
    choices: ["more", "replan", "stop"],
    budget: {
      kind: "money",
      scope: "task",
      message: "The budget of $0.50 is used up for this task.",
      spent: 0.8,
      limit: 0.5,
    },
  });

  it("shows what was spent of it and takes an amount to go on with", async () => {
    const server = world([spent]).on(DECIDED, () => decided("more"));
    show(<AwaitingCard task={spent} />);
    expect(screen.getByText("$0.80 of $0.50 spent for this task")).toBeVisible();
    expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "100");
    const amount = screen.getByRole("textbox", { name: "How many dollars more" });
    await userEvent.clear(amount);
    expect(screen.getByRole("button", { name: "Give more" })).toBeDisabled();
    await userEvent.type(amount, "1.25");
    await userEvent.click(screen.getByRole("button", { name: "Give more" }));
    await waitFor(() => expect(server.sent(DECIDED)[0]?.body).toEqual({ choice: "more", amount: 1.25, attempt: 1 }));
  });

  it("keeps the way back to the beginning one click away", async () => {
    world([spent]);
    show(<AwaitingCard task={spent} />);
    expect(screen.queryByRole("button", { name: "Rollback & replay" })).toBeNull();
    await userEvent.click(screen.getByText("Other ways to continue"));
    expect(await screen.findByRole("region", { name: "How should it continue?" })).toBeVisible();
  });

  it("can be ended there", async () => {
    const server = world([spent]).on(DECIDED, () => decided("stop"));
    show(<AwaitingCard task={spent} />);
    await userEvent.click(screen.getByRole("button", { name: "Stop here" }));
    await waitFor(() => expect(server.sent(DECIDED)[0]?.body).toEqual({ choice: "stop", amount: null, attempt: 1 }));
    expect(await screen.findByText("Stopped. The changes stay.")).toBeVisible();
  });
});

describe("the circuit breaker (GRD-4)", () =>
  it("says why, with its history, and is reset by the person", async () => {
    const open = held({
      awaiting: "breaker",
      choices: ["reset"],
      breaker: {
        state: "OPEN",
        reason: "5 runs in a row ended with the same error.",
        history: [
          {
            at: AT,
            source: "CLOSED",
            target: "OPEN",
            trigger: "same_error",
            spawn_count: 5,
            context: "5 runs in a row ended with the same error",
          },
        ],
      },
    });
    const server = world([open]).on(DECIDED, () => decided("reset"));
    show(<AwaitingCard task={open} />);
    expect(screen.getByRole("heading", { name: "5 runs in a row ended with the same error." })).toBeVisible();
    expect(screen.getByText("Open")).toBeVisible();
    await userEvent.click(screen.getByText("What happened"));
    expect(screen.getByText("The same error again")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Reset and go on" }));
    await waitFor(() => expect(server.sent(DECIDED)[0]?.body).toEqual({ choice: "reset", amount: null, attempt: 1 }));
  }));
