import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { runner, task } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { world } from "@/test/world";

const SESSION = "/sessions/p1/fix";

beforeAll(
  fetched(
    () => import("./pages/session"),
    () => import("@/features/queue/queue-page"),
  ),
);

describe("the queue", () => {
  it("is shown in order, and held (TSK-3, TSK-17)", async () => {
    const server = world();
    open("/queue");
    expect(await screen.findByText(/Waits for: the task that runs/, {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Hold" }));
    await waitFor(() => expect(server.sent("POST /api/workspaces/w1/hold")).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Take back" }));
    expect(await screen.findByText("Take this task back?")).toBeVisible();
  });
});

describe("a stopped runner", () => {
  it("is told where tasks wait, with the way to it", async () => {
    world([task({ status: "QUEUED", attempt: 0, started_at: null })]).on("GET /api/runner", () => ({
      ...runner,
      state: "stopped",
    }));
    open(SESSION);
    expect(await screen.findByText(/The runner is stopped/, {}, SLOW)).toBeVisible();
    expect(screen.getByRole("link", { name: "Open Runner" })).toHaveAttribute("href", "/runner");
  });

  it("is told on the queue", async () => {
    world().on("GET /api/runner", () => ({ ...runner, state: "stopping" }));
    open("/queue");
    expect(await screen.findByText(/The runner is stopping/, {}, SLOW)).toBeVisible();
  });
});
