import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { draftKeys, readDraft, writeDraft } from "@/shared/lib/draft";
import { events } from "@/test/events";
import { AT, session, task } from "@/test/fixtures";
import { open, sessionFetched, SLOW } from "@/test/page";
import { FakeSocket, world } from "@/test/world";

const SESSION = "/sessions/p1/fix";

beforeAll(sessionFetched);

const say = (...items: unknown[]) => act(() => FakeSocket.say(...items));

describe("a task's card", () => {
  it("shows live milestones and the open tool without reload (TSK-5, WEB-11), and its scope (TSK-1)", async () => {
    world();
    open(SESSION);
    await screen.findByText("no new packages", {}, SLOW);
    await waitFor(() => expect(FakeSocket.opened[0]?.sent.at(-1)).toContain("t1"));
    say(
      { type: "event", event: events.milestone(11, "Verification 3 of 12") },
      { type: "event", event: events.toolStarted(12) },
      { type: "output", task_id: "t1", attempt: 1, offset: 0, text: "collected 3 items\n" },
    );
    expect(await screen.findByText("Verification 3 of 12")).toBeVisible();
    expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "3");
    expect(screen.getByText(/still running: pytest/)).toBeVisible();
    expect(await screen.findByText("collected 3 items")).toBeInTheDocument();
  });

  it("shows a structured answer, and which tree it is about (BYD-13, WEB-12)", async () => {
    const answer = { files: ["fees.py"], counts: { lines: 12, tests: [] } };
    world([task({ status: "COMPLETE", purpose: "ask", answer, actions: [] })]).on("GET /api/sessions/p1/fix", () =>
      session({ workspace_path: "/code/harbour-fix", branch: "fix" }),
    );
    open(`${SESSION}?task=t1&view=answer`);
    const shown = within(await screen.findByRole("article", { name: "Answer" }, SLOW));
    expect(shown.getByText("files")).toBeVisible();
    expect(shown.getByRole("listitem")).toHaveTextContent("fees.py");
    expect(shown.getByText("12")).toBeVisible();
    expect(shown.getByText("Nothing")).toBeVisible();
    expect(screen.getByText("/code/harbour-fix")).toBeVisible();
    expect(screen.getByText(/harbour · fix/)).toBeVisible();
  });

  it("opens steps, output and changes in place", async () => {
    world([
      task({
        status: "COMPLETE",
        verdict: "PASS",
        summary: "It is **done**",
        files_changed: 1,
        insertions: 1,
        deletions: 1,
        finished_at: AT,
        actions: [],
      }),
    ]);
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Steps" }, SLOW));
    await userEvent.click(await screen.findByRole("button", { name: /Edit/ }, SLOW));
    expect(await screen.findByText("[Task] Fix the fee")).toBeVisible();
    await userEvent.click(screen.getByRole("tab", { name: "Output" }));
    await userEvent.click(await screen.findByRole("button", { name: "Raw" }));
    expect(await screen.findByText("2 lines, 12B")).toBeVisible();
    await userEvent.click(screen.getByRole("tab", { name: "Changes" }));
    expect((await screen.findAllByText("return 6", {}, SLOW)).length).toBeGreaterThan(0);
    expect(await screen.findByText("done", { selector: "strong" }, SLOW)).toBeVisible();
  });

  it("cancels, and holds the queue when asked (TSK-17)", async () => {
    const server = world();
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }, SLOW));
    await userEvent.click(await screen.findByRole("switch", { name: "And hold the queue" }));
    await userEvent.click(screen.getByRole("button", { name: "Cancel the task" }));
    await waitFor(() => expect(server.sent("POST /api/tasks/t1/cancel")[0]?.body).toEqual({ hold: true }));
  });

  it("makes an offer the draft of the next message with one click (WEB-10)", async () => {
    world([task({ status: "COMPLETE", verdict: "PASS", offer: "Shall I also document it?", actions: [] })]);
    open(SESSION);
    const offer = await screen.findByRole("region", { name: "The agent offers" }, SLOW);
    await userEvent.click(within(offer).getByRole("button", { name: "Use as next message" }));
    const draft = draftKeys.session("p1", "fix");
    expect(readDraft(draft)).toBe("Please do what you offered: “Shall I also document it?”");
    writeDraft(draft, "");
  });

  it("gives the text of a task that had not started back to the box (TSK-3)", async () => {
    world([task({ status: "QUEUED", attempt: 0, started_at: null, position: 1, waits_for: "the task that runs" })]);
    open(SESSION);
    expect(await screen.findByText(/Waits for: the task that runs/, {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText(/leaves no trace/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Cancel the task" }));
    await waitFor(() => expect(readDraft(draftKeys.session("p1", "fix"))).toBe("Fix the fee"));
    // With its limits, as fields (TSK-1).
    const options = draftKeys.options(draftKeys.session("p1", "fix"));
    expect(readDraft(options)).toContain('"constraints":["no new packages"]');
    writeDraft(options, "");
    writeDraft(draftKeys.session("p1", "fix"), "");
  });

  it("commits chosen files of an ended task (WEB-13)", async () => {
    const server = world([
      task({ status: "COMPLETE", verdict: "PASS", files_changed: 2, finished_at: AT, actions: [] }),
    ]);
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Commit" }, SLOW));
    // What the task changed is ticked; what else is there is named, and left out.
    expect(await screen.findByRole("checkbox", { name: /^fees\.py/ })).toBeChecked();
    expect(screen.getByRole("checkbox", { name: /^x\.py/ })).not.toBeChecked();
    expect(screen.getByRole("checkbox", { name: /^Changed by this task/ })).toBeChecked();
    await userEvent.click(screen.getByRole("button", { name: "Commit 1 file" }));
    await waitFor(() =>
      expect(server.sent("POST /api/projects/p1/commit")[0]?.body).toEqual({
        message: "Fix the fee",
        paths: ["fees.py"],
        task_id: "t1",
        accept: [],
      }),
    );
  });

  it("rolls back after a preview (WEB-13)", async () => {
    const server = world([
      task({ status: "COMPLETE", verdict: "PASS", files_changed: 1, finished_at: AT, actions: [] }),
    ]);
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Roll back" }, SLOW));
    const dialog = await screen.findByRole("dialog");
    expect(await within(dialog).findByText("fees.py")).toBeVisible();
    await userEvent.click(within(dialog).getByRole("button", { name: "Roll back" }));
    await waitFor(() => expect(server.sent("POST /api/tasks/t1/rollback")).toHaveLength(1));
  });

  it("keeps Undo in sight after a rollback (WEB-13)", async () => {
    const server = world([task({ status: "CANCELLED", files_changed: 1, rollback_id: "r1", actions: [] })]);
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Undo the rollback" }, SLOW));
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/undo-rollback")[0]?.body).toEqual({
        rollback_id: "r1",
        merge: null,
        exact: false,
      }),
    );
  });

  it("asks with its question and ways on (RPL-5, WEB-2)", async () => {
    world([task({ status: "AWAITING_RESPONSE", awaiting: "interrupted", actions: ["reply", "resume", "cancel"] })]);
    open(SESSION);
    expect(await screen.findByRole("button", { name: "Rollback & replay" }, SLOW)).toBeEnabled();
    expect(screen.getByPlaceholderText("Type your reply...")).toBeVisible();
  });
});

describe("a message on its way", () =>
  it("is not offered back any more once the next turn of the agent has it (RPL-8)", async () => {
    const sent = {
      message_id: "m1",
      text: "Use tabs",
      state: "waiting" as const,
      sent_at: AT,
      can_take_back: true,
      can_send_now: true,
    };
    const server = world([task({ steering: [sent] })]);
    open(SESSION);
    expect(await screen.findByRole("button", { name: "Take back" }, SLOW)).toBeVisible();
    await waitFor(() => expect(FakeSocket.opened[0]?.sent.at(-1)).toContain("t1"));
    const handed = task({ steering: [{ ...sent, state: "handed", can_take_back: false, can_send_now: false }] });
    server.on("GET /api/sessions/p1/fix/tasks", () => ({ items: [handed], next_cursor: null }));
    say({
      type: "event",
      event: {
        seq: 11,
        at: AT,
        session_id: "s1",
        task_id: "t1",
        type: "steering.handed",
        data: { message_id: "m1", text: "Use tabs", in_prompt: true },
      },
    });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Take back" })).toBeNull(), SLOW);
    expect(screen.getByText("Use tabs")).toBeVisible();
  }));

describe("earlier answers (WEB-5)", () =>
  it("stand on the card, and a failed task says why and how to go on", async () => {
    world([
      task({
        status: "ERROR",
        error_kind: "credentials",
        error_message: "No key.",
        actions: ["resume"],
        output: "I tried.",
        attempt: 2,
        timeout_profile: "long",
        finished_at: AT,
        cost_usd: 1.5,
        reply_history: [{ content: "Flat", timestamp: AT, question: "Which structure?", attempt: 1, replayed: true }],
      }),
    ]);
    open(SESSION);
    expect(await screen.findByText("Flat", {}, SLOW)).toBeVisible();
    expect(screen.getByText(/repeated from your earlier reply/)).toBeVisible();
    expect(screen.getByText("Credentials are missing")).toBeVisible();
    expect(screen.getByText("Time-out: long")).toBeVisible();
    expect(await screen.findByRole("button", { name: "Rollback & replay" })).toBeEnabled();
  }));
