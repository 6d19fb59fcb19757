import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { agent, project } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";

beforeAll(fetched(() => import("@/features/projects/projects-page")));

describe("the projects", () => {
  it("say why a path is no project and what to do", async () => {
    world().on("POST /api/projects", () => new Refusal(400, "not_a_repository", "That folder is no git repository."));
    open("/projects");
    await userEvent.type(await screen.findByRole("textbox", {}, SLOW), "/nowhere{Enter}");
    expect(await screen.findByText("That folder is no git repository.")).toBeVisible();
    expect(screen.getByText("Do something else.")).toBeVisible();
  });

  it("show what checkpoints take and clean up (BYD-3)", async () => {
    const storage = { checkpoints: 12, bytes: 3_500_000, retention_days: 30 };
    const server = world()
      .on("GET /api/projects/p1/storage", () => storage)
      .on("POST /api/projects/p1/clean-up", () => ({ ...storage, checkpoints: 2, bytes: 900, forgotten: 10 }));
    open("/projects");
    await userEvent.click(await screen.findByRole("button", { name: "Storage" }, SLOW));
    expect(await screen.findByText("12 checkpoints, about 3.3MB.")).toBeVisible();
    expect(screen.getByRole("link", { name: "Checks" })).toHaveAttribute("href", "/projects/p1/checks");
    await userEvent.click(screen.getByRole("button", { name: "Clean up now" }));
    expect(await screen.findByText("10 checkpoints deleted.")).toBeVisible();
    expect(screen.getByText("2 checkpoints, about 900B.")).toBeVisible();
    expect(server.sent("POST /api/projects/p1/clean-up")).toHaveLength(1);
  });
});

describe("the agent of a project (BYD-1)", () =>
  it("is chosen on the projects page", async () => {
    const claude = agent({ name: "claude", label: "Claude Code" });
    const server = world()
      .on("GET /api/agents", () => ({ items: [claude, agent()] }))
      .on("PATCH /api/projects/p1", () => project({ agent: "claude" }));
    open("/projects");
    const chosen = await screen.findByRole("combobox", { name: "Agent of harbour" }, SLOW);
    await waitFor(() => expect(within(chosen).getByRole("option", { name: "Claude Code" })).toBeInTheDocument());
    await userEvent.selectOptions(chosen, "claude");
    await waitFor(() => expect(server.sent("PATCH /api/projects/p1")[0]?.body).toEqual({ agent: "claude" }));
  }));
