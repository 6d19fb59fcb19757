import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import type { Spawn, Totals, Usage, UsageLine } from "@/api/types";
import { AT, NO_USAGE, project, session, step, task } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { Refusal } from "@/test/server";
import { FakeSocket, world } from "@/test/world";

const totals: Totals = {
  spawns: 3,
  cost_usd: 4.5,
  input_tokens: 1000,
  output_tokens: 500,
  cache_read_tokens: 9000,
  cache_write_tokens: 0,
  cache_share: 0.9,
};

const line = (key: string, changes: Partial<UsageLine> = {}): UsageLine => ({
  ...totals,
  key,
  label: key,
  project_id: null,
  session_slug: null,
  ...changes,
});

beforeAll(
  fetched(
    () => import("./pages/usage"),
    () => import("./pages/session"),
    () => import("@/features/conversation/detail/task-detail"),
  ),
);

const today = (): string => {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`;
};

function answer(url: URL): Usage {
  const by = url.searchParams.get("by") ?? "day";
  const base = { since: null, until: null, totals, more: false };
  switch (by) {
    case "session":
      return {
        ...base,
        by,
        items: [line("s1", { label: "Fix the fee", project_id: "p1", session_slug: "fix" })],
        more: true,
      };
    case "project":
      return { ...base, by, items: [line("p1", { label: "harbour" })] };
    case "agent":
      return { ...base, by, items: [line("claude")] };
    case "model":
      return { ...base, by, items: [line("claude-sonnet-4-5"), line("", { label: "unknown", cost_usd: 0 })] };
    default:
      return { ...base, by: "day", items: [line(today())] };
  }
}

describe("the Usage screen (GRD-8)", () => {
  it("sums up cost, tokens and cache, over time and by what it was for", async () => {
    const server = world().on("GET /api/usage", (_, url) => answer(url));
    open("/usage");
    expect(await screen.findByText("90%", { selector: "dd" }, SLOW)).toBeVisible();
    expect(screen.getByText("10.5K", { selector: "dd" })).toBeVisible();
    expect(
      within(screen.getByRole("region", { name: "Over time" })).getByText(/^Cost per day\. Most on .*: \$4\.50\.$/),
    ).toBeInTheDocument();
    const sessions = within(screen.getByRole("region", { name: "By session" }));
    expect(await sessions.findByRole("link", { name: "Fix the fee" })).toHaveAttribute("href", "/sessions/p1/fix");
    expect(sessions.getByText("The 1 that cost most.")).toBeVisible();
    expect(
      await within(screen.getByRole("region", { name: "By model" })).findByText("Not reported by the agent"),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Tokens" }));
    expect(screen.getByText(/^Tokens per day\. Most on .*: 10\.5K\.$/)).toBeInTheDocument();
    expect(server.sent("GET /api/usage")).toHaveLength(5);
  });

  it("asks for the time and the project that are chosen, and the address keeps them", async () => {
    const asked: URL[] = [];
    world()
      .on("GET /api/projects", () => ({ items: [project(), project({ id: "p2", name: "quay" })] }))
      .on("GET /api/usage", (_, url) => {
        asked.push(url);
        return answer(url);
      });
    const router = open("/usage?days=30");
    await screen.findByText("90%", { selector: "dd" }, SLOW);
    expect(screen.getByRole("button", { name: "30 days" })).toHaveAttribute("aria-pressed", "true");
    expect(Date.now() - Date.parse(asked[0]?.searchParams.get("since") ?? "")).toBeGreaterThan(28 * 86_400_000);
    await userEvent.selectOptions(await screen.findByLabelText("Project"), "quay");
    await userEvent.click(screen.getByRole("button", { name: "Today" }));
    await waitFor(() => expect(asked.at(-1)?.searchParams.get("project")).toBe("p2"));
    expect(router.state.location.search).toMatchObject({ days: 1, project: "p2" });
    expect(screen.queryByRole("region", { name: "By project" })).toBeNull();
    expect(screen.queryByRole("region", { name: "Over time" })).toBeNull();
    expect(asked.at(-1)?.searchParams.get("zone")).toBeTruthy();
  });

  it("says what to do where nothing ran, and where the sums cannot be had", async () => {
    const none = { ...totals, spawns: 0, cost_usd: 0 };
    const server = world().on("GET /api/usage", () => new Refusal(503, "unavailable", "The database is busy."));
    open("/usage");
    expect(await screen.findByText("The database is busy.", {}, SLOW)).toBeVisible();
    server.on("GET /api/usage", () => ({ by: "day", since: null, until: null, totals: none, items: [], more: false }));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("No agent has run in this time.")).toBeVisible();
  });

  it("is read again when another spawn has ended", async () => {
    const server = world().on("GET /api/usage", (_, url) => answer(url));
    open("/usage");
    await screen.findByRole("link", { name: "Fix the fee" }, SLOW);
    const before = server.sent("GET /api/usage").length;
    act(() =>
      FakeSocket.say({
        type: "event",
        event: {
          seq: 11,
          at: AT,
          session_id: "s1",
          task_id: "t1",
          type: "usage.recorded",
          data: { step_id: "st", attempt: 1, agent: "claude", role: "edit", model: "" },
        },
      }),
    );
    await waitFor(() => expect(server.sent("GET /api/usage").length).toBeGreaterThan(before), SLOW);
  });
});

describe("what a task used (GRD-8, FTR-19)", () => {
  const usage = {
    ...NO_USAGE,
    spawns: 1,
    cost_usd: 0.5,
    output_tokens: 1500,
    models: ["claude-sonnet-4-5"],
    context: { tokens: 192_000, window: 200_000, level: 95 as const },
    warnings: ["Asked for the model opus, but claude-sonnet-4-5 answered."],
  };

  it("stands on its card, with the marks of the memory and the lasting warning", async () => {
    world([task({ cost_usd: 0.5, usage })]).on("GET /api/sessions/p1/fix", () => session({ usage: { ...usage } }));
    open("/sessions/p1/fix");
    const meter = within(await screen.findByRole("region", { name: "What the task used" }, SLOW));
    expect(meter.getByText("1.5K tokens")).toBeVisible();
    expect(meter.getByRole("meter", { name: "Agent's memory" })).toHaveAttribute("aria-valuenow", "96");
    expect(meter.getByText(/^Full: its next turn starts a fresh session/)).toBeVisible();
    expect(screen.getAllByText("Asked for the model opus, but claude-sonnet-4-5 answered.")).toHaveLength(2);
    act(() =>
      FakeSocket.say({
        type: "usage",
        task_id: "t1",
        attempt: 1,
        step_id: "st9",
        model: "claude-sonnet-4-5",
        cost_usd: 0.25,
        input_tokens: 0,
        output_tokens: 500,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        context_tokens: 20_000,
        context_window: 200_000,
      }),
    );
    expect(await meter.findByText("2K tokens")).toBeVisible();
    expect(screen.getByText("$0.75")).toBeVisible();
    expect(meter.getByRole("meter")).toHaveAttribute("aria-valuenow", "10");
  });

  it("is told for each step, with the instructions it got (FTR-18)", async () => {
    const spawn: Spawn = {
      agent: "claude",
      requested_model: "opus",
      model: "claude-sonnet-4-5",
      models: ["claude-sonnet-4-5", "claude-haiku-4-5"],
      model_differs: true,
      cost_usd: 0.5,
      input_tokens: 10,
      output_tokens: 1500,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      context: null,
      instructions: [
        {
          path: "AGENTS.md",
          level: "project",
          size: 50_000,
          sha256: "ab".repeat(32),
          included: 40_000,
          note: "Cut: 40000 of 50000 bytes are sent.",
        },
        {
          path: "CLAUDE.md",
          level: "project",
          size: 0,
          sha256: "",
          included: 0,
          note: "It is a link that points outside the project, so it is not read.",
        },
      ],
    };
    world([task()]).on("GET /api/tasks/t1/steps", () => ({
      items: [
        {
          number: 1,
          mode: "first",
          started_at: AT,
          finished_at: AT,
          outcome: "done",
          output_bytes: 0,
          steps: [step({ cost_usd: 0.5, spawn })],
        },
      ],
    }));
    open("/sessions/p1/fix?task=t1&view=steps");
    await userEvent.click(await screen.findByRole("button", { name: /Edit/ }, SLOW));
    expect(screen.getByText(", asked for opus")).toBeVisible();
    expect(screen.getByText(", also claude-haiku-4-5")).toBeVisible();
    expect(screen.getByText("1,500 tokens")).toBeVisible();
    expect(screen.getByText("40,000 of 50,000 bytes")).toBeVisible();
    expect(screen.getByText("abababababab")).toBeVisible();
    expect(screen.getByText(/points outside the project/)).toBeVisible();
  });
});
