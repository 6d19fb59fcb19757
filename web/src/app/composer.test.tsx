import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { draftKeys, readDraft, writeDraft } from "@/shared/lib/draft";
import { AT, task } from "@/test/fixtures";
import { fetched, open, SLOW } from "@/test/page";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";

const problem = {
  line: 2,
  column: 3,
  message: "`comand` is not a setting here.",
  suggestion: "Did you mean `command`?",
};
const SESSION = "/sessions/p1/fix";

beforeAll(
  fetched(
    () => import("./pages/session"),
    () => import("./pages/new-chat"),
    () => import("@/shared/ui/markdown-renderer"),
  ),
);

describe("composing (WEB-9)", () => {
  it("says that a new chat begins, and begins it", async () => {
    const server = world();
    const router = open("/new");
    expect(await screen.findByText("Starts a new chat in harbour", {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Options" }));
    await userEvent.type(screen.getByRole("textbox", { name: /Boundaries/ }), "src/{Enter}");
    await userEvent.type(screen.getByRole("textbox", { name: "Your request" }), "Do it{Enter}");
    await waitFor(() =>
      expect(server.sent("POST /api/sessions")[0]?.body).toMatchObject({
        project_path: "/code/harbour",
        message: { text: "Do it", boundaries: ["src/"] },
      }),
    );
    await waitFor(() => expect(router.state.location.pathname).toBe(SESSION));
  });

  it("tells the box for another task from the one for the answer", async () => {
    world([
      task({ status: "AWAITING_RESPONSE", awaiting: "question", question: "Which way?", actions: ["reply", "cancel"] }),
    ]);
    open(SESSION);
    expect(await screen.findByText("Another task; the one above still waits for you", {}, SLOW)).toBeVisible();
    expect(screen.queryByText("Continues “Fix the fee”")).toBeNull();
  });

  it("says that a message continues the thread, and never makes another session", async () => {
    const server = world([task({ status: "COMPLETE", verdict: "PASS", actions: [] })]);
    open(SESSION);
    expect(await screen.findByText("Continues “Fix the fee”", {}, SLOW)).toBeVisible();
    await userEvent.type(screen.getByRole("textbox", { name: "Your request" }), "And this{Enter}");
    await waitFor(() =>
      expect(server.sent("POST /api/sessions/p1/fix/messages")[0]?.body).toMatchObject({ text: "And this" }),
    );
    expect(server.sent("POST /api/sessions")).toEqual([]);
    await waitFor(() => expect(readDraft(draftKeys.session("p1", "fix"))).toBe(""));
  });

  it("shows what was sent as soon as the server has it, without reading the thread again (WEB-9)", async () => {
    const server = world([task({ status: "COMPLETE", verdict: "PASS", actions: [] })]).on(
      "POST /api/sessions/p1/fix/messages",
      () => task({ task_id: "t9", prompt: "Paint the hull" }),
    );
    open(SESSION);
    await screen.findByText("Continues “Fix the fee”", {}, SLOW);
    const read = server.sent("GET /api/sessions/p1/fix/tasks").length;
    server.on("GET /api/sessions/p1/fix/tasks", () => new Promise(() => undefined));
    await userEvent.type(screen.getByRole("textbox", { name: "Your request" }), "Paint the hull{Enter}");
    expect(await screen.findByRole("heading", { name: "Task: Paint the hull" }, SLOW)).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Your request" })).toHaveValue("");
    await waitFor(() => expect(server.sent("GET /api/sessions/p1/fix/tasks").length).toBeGreaterThan(read), SLOW);
  });

  it("keeps the words when the server refuses them", async () => {
    world([task({ status: "COMPLETE", verdict: "PASS", actions: [] })]).on(
      "POST /api/sessions/p1/fix/messages",
      () => new Refusal(409, "workspace_busy", "Another session works there."),
    );
    open(SESSION);
    await userEvent.type(await screen.findByRole("textbox", { name: "Your request" }, SLOW), "Keep me{Enter}");
    expect(await screen.findByText("Another session works there.")).toBeVisible();
    expect(screen.getByDisplayValue("Keep me")).toBeVisible();
    writeDraft(draftKeys.session("p1", "fix"), "");
  });

  it("goes to the task that runs, or into the queue when the person says so (RPL-8)", async () => {
    const server = world().on("POST /api/tasks/t1/steer", () => ({
      message_id: "m1",
      text: "Use tabs",
      state: "waiting",
      sent_at: AT,
    }));
    open(SESSION);
    expect(await screen.findByText("Goes to the running task", {}, SLOW)).toBeVisible();
    const box = screen.getByRole("textbox", { name: "Your request" });
    await userEvent.type(box, "Use tabs{Enter}");
    await waitFor(() => expect(server.sent("POST /api/tasks/t1/steer")[0]?.body).toEqual({ text: "Use tabs" }));
    await waitFor(() => expect(box).toHaveValue(""));
    await userEvent.click(screen.getByRole("button", { name: "Queue as its own task" }));
    await userEvent.type(box, "Then this{Enter}");
    await waitFor(() =>
      expect(server.sent("POST /api/sessions/p1/fix/messages")[0]?.body).toMatchObject({ text: "Then this" }),
    );
    expect(server.sent("POST /api/tasks/t1/steer")).toHaveLength(1);
  });
});

describe("what is refused at the composer (WEB-7)", () => {
  it("says beside the box what is wrong with the words in it", async () => {
    world().on(
      "POST /api/sessions",
      () => new Refusal(400, "invalid_input", "The message is longer than 100,000 characters."),
    );
    open("/new");
    await userEvent.type(await screen.findByRole("textbox", { name: "Your request" }, SLOW), "Go{Enter}");
    const form = screen.getByRole("textbox", { name: "Your request" }).closest("form");
    expect(form).toHaveTextContent(/The message is longer than/);
    writeDraft(draftKeys.newChat, "");
  });

  it("names the problems of agent.yaml, leads to the checks, and keeps words and options", async () => {
    world([task({ status: "COMPLETE", actions: [] })]).on(
      "POST /api/sessions/p1/fix/messages",
      () =>
        new Refusal(409, "configuration", "Broken.", {
          problems: [problem, problem, problem, problem].map((each, index) => ({ ...each, line: index + 2 })),
        }),
    );
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Options" }, SLOW));
    await userEvent.click(screen.getByRole("switch", { name: "Dry run" }));
    await userEvent.click(screen.getByRole("switch", { name: "Auto-fix" }));
    await userEvent.click(screen.getByRole("button", { name: "Off" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Your request" }), "Go{Enter}");
    const refused = within(await screen.findByRole("alert"));
    expect(refused.getByText("Line 2, column 3")).toBeVisible();
    expect(refused.getByText(/And 1 more problem/)).toBeVisible();
    expect(refused.getByRole("link", { name: "Open the project's checks" })).toHaveAttribute(
      "href",
      "/projects/p1/checks",
    );
    expect(screen.getByDisplayValue("Go")).toBeVisible();
    expect(readDraft(draftKeys.options(draftKeys.session("p1", "fix")))).toContain('"dryRun":true');
    await userEvent.click(screen.getByRole("button", { name: "Dry run: on. Turn it off" }));
    expect(screen.getByRole("switch", { name: "Dry run" })).not.toBeChecked();
    await userEvent.click(screen.getByRole("button", { name: "No scouts. Back to the project's default" }));
    await userEvent.click(refused.getByRole("button", { name: "Dismiss this message" }));
    expect(screen.queryByText("Line 2, column 3")).toBeNull();
    writeDraft(draftKeys.session("p1", "fix"), "");
    writeDraft(draftKeys.options(draftKeys.session("p1", "fix")), "");
  });

  it("says what to do about missing credentials", async () => {
    world().on("POST /api/sessions", () => new Refusal(409, "credentials", "It needs A_KEY."));
    open("/new");
    await userEvent.type(await screen.findByRole("textbox", { name: "Your request" }, SLOW), "Go{Enter}");
    const refused = within(await screen.findByRole("alert"));
    expect(refused.getByText(/It needs A_KEY\./)).toBeVisible();
    expect(refused.getByText(/Do something else\./)).toBeVisible();
    expect(refused.getByRole("link", { name: "See what is missing in Settings" })).toBeVisible();
    writeDraft(draftKeys.newChat, "");
  });
});
