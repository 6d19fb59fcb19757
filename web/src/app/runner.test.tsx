import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { AT, runner } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { world } from "@/test/world";

beforeAll(fetched(() => import("@/features/runner/runner-page")));

describe("the runner", () => {
  it("is shown with the agents' health with the fix, and stopped after asking", async () => {
    const server = world();
    open("/runner");
    expect(await screen.findByText("npm install -g it", {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    await userEvent.click(await screen.findByRole("button", { name: "Stop the runner" }));
    await waitFor(() => expect(server.sent("POST /api/runner/stop")).toHaveLength(1));
  });

  it("takes the next wish although the page still reads what became of the last (WEB-8)", async () => {
    let reads = 0;
    const never = new Promise<unknown>(() => undefined);
    const server = world()
      .on("GET /api/runner", () => {
        reads += 1;
        return reads === 1 ? runner : never;
      })
      .on("POST /api/runner/stop", () => ({ ...runner, state: "stopped" }))
      .on("POST /api/runner/run", () => runner);
    open("/runner");
    const stop = await screen.findByRole("button", { name: "Stop" }, SLOW);
    await waitFor(() => expect(stop).toBeEnabled());
    await userEvent.click(stop);
    await userEvent.click(await screen.findByRole("button", { name: "Stop the runner" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Run" })).toBeEnabled());
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    await waitFor(() => expect(server.sent("POST /api/runner/run")).toHaveLength(1));
  });

  it("shows why an operation failed, its log, and tries it again (WEB-8)", async () => {
    const phase = { started_at: AT, finished_at: AT, note: "" };
    const operation = {
      operation_id: "o1",
      kind: "restart",
      project_id: null,
      started_at: AT,
      finished_at: AT,
      outcome: "failed",
      cause: "It ended with code 2.",
      duration_ms: 900,
      phases: [
        { phase: "build", ...phase },
        { phase: "stop", started_at: null, finished_at: null, note: "" },
      ],
      cancellable: false,
    };
    const server = world()
      .on("GET /api/runner", () => ({ ...runner, operation }))
      .on("GET /api/runner/operations/o1/output", () => ({
        operation_id: "o1",
        offset: 0,
        text: "boom\n",
        next_offset: 5,
        total: 5,
        live: false,
      }))
      .on("POST /api/runner/restart", () => ({
        ...runner,
        operation: { ...operation, operation_id: "o2", outcome: null },
      }));
    open("/runner");
    expect(await screen.findByText("It ended with code 2.", {}, SLOW)).toBeVisible();
    await waitFor(() => expect(server.sent("GET /api/runner/operations/o1/output")).toHaveLength(1));
    await waitFor(() => expect(screen.getByRole("button", { name: "Retry" })).toBeEnabled());
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(server.sent("POST /api/runner/restart")).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    expect(screen.queryByText("It ended with code 2.")).toBeNull();
  });
});
