import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { agent, AT, settings } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";

beforeAll(
  fetched(
    () => import("./pages/settings"),
    () => import("./pages/new-chat"),
  ),
);

const claude = agent({
  name: "claude",
  label: "Claude Code",
  version: "2.1.0",
  program: "/usr/bin/claude",
  credentials: true,
  models: ["opus", "haiku"],
  efforts: ["low", "high"],
  capabilities: ["questions"],
  last_error: { at: AT, message: "401 Invalid API key", kind: "credentials" },
});

const missing = agent({
  name: "gemini",
  label: "Gemini CLI",
  installed: false,
  ready: false,
  version: null,
  problem: "There is no program “gemini”.",
  fix: "Install it with `npm install -g gemini`.",
});

function served() {
  let stored = settings;
  const server = world()
    .on("GET /api/agents", () => ({ items: [claude, missing, agent()] }))
    .on("GET /api/settings", () => stored)
    .on("PATCH /api/settings", (body) => {
      stored = { ...stored, preferences: { ...stored.preferences, ...(typeof body === "object" ? body : {}) } };
      return stored;
    });
  const sent = () => server.sent("PATCH /api/settings").map((request) => request.body);
  return { server, sent };
}

describe("settings", () => {
  it("show every agent with what is missing, its last error and a way to check again (PLT-3)", async () => {
    const { server } = served();
    server.on("POST /api/agents/check", () => ({
      items: [
        { ...claude, last_error: null },
        { ...missing, installed: true, ready: true },
      ],
    }));
    open("/settings");
    expect(await screen.findByText("/usr/bin/claude", {}, SLOW)).toBeVisible();
    expect(screen.getByText(/401 Invalid API key/)).toBeVisible();
    expect(screen.getByText("npm install -g gemini")).toBeVisible();
    expect(screen.getByText("Not installed")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Check again" }));
    await waitFor(() => expect(screen.queryByText("Not installed")).not.toBeInTheDocument());
    expect(screen.queryByText(/401 Invalid API key/)).not.toBeInTheDocument();
  });

  it("choose the default agent, and agent, model and effort of a role (BYD-1)", async () => {
    const { sent } = served();
    open("/settings");
    const chosen = await screen.findByRole("combobox", { name: "Default agent" }, SLOW);
    await waitFor(() => expect(within(chosen).getByRole("option", { name: "Claude Code" })).toBeInTheDocument());
    expect(within(chosen).queryByRole("option", { name: /Gemini/ })).not.toBeInTheDocument();
    await userEvent.selectOptions(chosen, "claude");
    await waitFor(() => expect(sent()).toMatchObject([{ agents: { default: "claude" } }]));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Scouts: agent" }), "claude");
    await userEvent.type(await screen.findByRole("combobox", { name: "Scouts: model" }), "haiku{Enter}");
    await waitFor(() =>
      expect(sent().at(-1)).toMatchObject({
        agents: { default: "claude", roles: { scout: { agent: "claude", model: "haiku" } } },
      }),
    );
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Scouts: effort" }), "low");
    await waitFor(() =>
      expect(sent().at(-1)).toMatchObject({
        agents: { roles: { scout: { agent: "claude", model: "haiku", effort: "low" } } },
      }),
    );
  });

  it("take an agent of the person's own, as a program and its arguments (BYD-1)", async () => {
    const { sent } = served();
    open("/settings");
    await userEvent.click(await screen.findByRole("button", { name: "Add an agent" }, SLOW));
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "claude");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(screen.getByText("There is an agent of this name already.")).toBeVisible();
    expect(screen.getByText("Say which program to start.")).toBeVisible();
    await userEvent.clear(screen.getByRole("textbox", { name: "Name" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "mine");
    await userEvent.type(screen.getByRole("textbox", { name: "Command" }), 'my-agent "two words"');
    await userEvent.type(screen.getByRole("textbox", { name: "Environment variables" }), "MY_KEY");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(sent()).toMatchObject([
        { agents: { custom: [{ name: "mine", command: ["my-agent", "two words"], env: ["MY_KEY"] }] } },
      ]),
    );
    await userEvent.click(await screen.findByRole("button", { name: "Remove mine" }));
    await waitFor(() => expect(sent().at(-1)).toMatchObject({ agents: { custom: [] } }));
  });

  it("say what confinement does, and why it is not there (GRD-7)", async () => {
    const { sent, server } = served();
    open("/settings");
    await userEvent.click(await screen.findByRole("button", { name: "Processes and files" }, SLOW));
    await waitFor(() => expect(sent()).toMatchObject([{ confinement: { mode: "files" } }]));
    cleanup();
    server.on("GET /api/settings", () => ({
      ...settings,
      confinement: {
        ...settings.confinement,
        available: false,
        problem: "The program bwrap was not found.",
        fix: "Install bubblewrap.",
      },
    }));
    open("/settings");
    expect(await screen.findByText(/bwrap was not found/, {}, SLOW)).toBeVisible();
  });

  it("refuse a limit that is none and keep the others (GRD-8)", async () => {
    const { sent } = served();
    open("/settings");
    const money = await screen.findByRole("textbox", { name: "Dollars per task" }, SLOW);
    await userEvent.type(money, "much");
    expect(screen.getByText("A number above 0, or nothing.")).toBeVisible();
    await userEvent.clear(money);
    await userEvent.type(money, "2.5");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sent()).toMatchObject([{ budgets: { task_usd: 2.5, session_usd: null } }]));
  });
});

describe("the composer (BYD-1, WEB-7)", () =>
  it("offers what is installed, with its models and efforts, and says where to give credentials", async () => {
    const server = served().server.on(
      "POST /api/sessions",
      () => new Refusal(409, "credentials", "Claude Code has no credentials. Run `claude`."),
    );
    open("/new");
    const picker = await screen.findByRole("combobox", { name: "Agent" }, SLOW);
    await waitFor(() => expect(within(picker).getByRole("option", { name: "Claude Code" })).toBeInTheDocument());
    expect(within(picker).queryByRole("option", { name: /Gemini/ })).not.toBeInTheDocument();
    await userEvent.selectOptions(picker, "claude");
    await userEvent.click(screen.getByRole("button", { name: "Options" }));
    await userEvent.type(screen.getByRole("combobox", { name: "Model" }), "opus");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Effort" }), "high");
    expect(screen.getByRole("button", { name: "Options · 2" })).toBeVisible();
    await userEvent.type(screen.getByRole("textbox", { name: "Your request" }), "Do it{Enter}");
    await waitFor(() =>
      expect(server.sent("POST /api/sessions")[0]?.body).toMatchObject({
        message: { agent: "claude", model: "opus", effort: "high" },
      }),
    );
    expect(await screen.findByText(/has no credentials/)).toBeVisible();
    expect(screen.getByRole("link", { name: "See what is missing in Settings" })).toBeVisible();
  }));
