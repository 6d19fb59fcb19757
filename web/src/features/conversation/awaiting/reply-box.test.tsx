import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { useOutbox } from "@/api/outbox";
import { draftKeys, readDraft, writeDraft } from "@/shared/lib/draft";
import { task } from "@/test/fixtures";
import { show } from "@/test/render";
import { FakeServer, Refusal } from "@/test/server";
import { ReplyBox } from "./reply-box";

const waiting = task({
  status: "AWAITING_RESPONSE",
  awaiting: "question",
  question: "Which?",
  actions: ["reply", "cancel"],
});
const SENT = "POST /api/tasks/t1/reply";
let server: FakeServer;

const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Your reply" });
const button = () => screen.getByRole("button", { name: /Send Reply|Sending/ });

beforeEach(() => {
  writeDraft(draftKeys.reply("t1"), "");
  useOutbox.setState({ waiting: [] });
  server = new FakeServer()
    .on("GET /api/tasks/t1", () => waiting)
    .on(SENT, () => ({ success: true, task_id: "t1", old_status: "AWAITING_RESPONSE", new_status: "QUEUED" }));
});

describe("the reply box (RPL-5)", () => {
  it("is there only while the task awaits", () => {
    const { again } = show(<ReplyBox task={waiting} />);
    expect(box()).toHaveAttribute("placeholder", "Type your reply...");
    again(<ReplyBox task={task({ status: "RUNNING" })} />);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("cannot send nothing, nor blanks", async () => {
    show(<ReplyBox task={waiting} />);
    expect(button()).toBeDisabled();
    await userEvent.type(box(), "   {Enter}");
    expect(button()).toBeDisabled();
    expect(server.sent(SENT)).toEqual([]);
  });

  it("sends with Enter and breaks the line with Shift+Enter", async () => {
    show(<ReplyBox task={waiting} />);
    await userEvent.type(box(), "one{Shift>}{Enter}{/Shift}two{Enter}");
    await waitFor(() => expect(server.sent(SENT)).toHaveLength(1));
    expect(server.sent(SENT)[0]?.body).toEqual({ reply: "one\ntwo", attempt: 1 });
    await waitFor(() => expect(box().value).toBe(""));
  });

  it("leaves Enter to an input method while it composes", () => {
    show(<ReplyBox task={waiting} />);
    fireEvent.change(box(), { target: { value: "にほん" } });
    fireEvent.keyDown(box(), { key: "Enter", isComposing: true });
    fireEvent.keyDown(box(), { key: "Enter", keyCode: 229 });
    expect(server.seen).toEqual([]);
    expect(box().value).toBe("にほん");
  });

  it("grows to a limit and then scrolls", () => {
    Object.defineProperty(HTMLTextAreaElement.prototype, "scrollHeight", { configurable: true, get: () => 900 });
    show(<ReplyBox task={waiting} />);
    fireEvent.change(box(), { target: { value: "a\n".repeat(60) } });
    expect(box().style.height).toBe("200px");
    expect(box().style.overflowY).toBe("auto");
    Reflect.deleteProperty(HTMLTextAreaElement.prototype, "scrollHeight");
  });

  it("keeps the draft over live updates and a reload", async () => {
    const { again, unmount } = show(<ReplyBox task={waiting} />);
    await userEvent.type(box(), "half a th");
    again(<ReplyBox task={{ ...waiting, milestone: "changed", updated_at: "2026-01-02T11:00:00Z" }} />);
    expect(box()).toHaveFocus();
    expect(box().value).toBe("half a th");
    expect(localStorage.getItem("pilothouse.draft.reply.t1")).toBe("half a th");
    unmount();
    show(<ReplyBox task={waiting} />);
    expect(box().value).toBe("half a th");
  });

  it("offers options as targets, the recommended one marked", async () => {
    show(
      <ReplyBox
        task={{
          ...waiting,
          options: [
            { value: "A", label: "Flat", recommended: true },
            { value: "B", label: "Nested", recommended: false },
          ],
        }}
      />,
    );
    expect(screen.getByRole("button", { name: /Flat.*Recommended/ })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /Nested/ }));
    await waitFor(() => expect(server.sent(SENT)[0]?.body).toEqual({ reply: "B", attempt: 1 }));
  });
});

describe("a task that moved on (RPL-6)", () => {
  it("is noticed before sending: the person is told and the text is kept", async () => {
    server.on("GET /api/tasks/t1", () => task({ status: "CANCELLED", actions: [] }));
    show(<ReplyBox task={waiting} />);
    await userEvent.type(box(), "too late{Enter}");
    expect(await screen.findByText(/no longer waiting \(now: Cancelled\)/)).toBeVisible();
    expect(server.sent(SENT)).toEqual([]);
    expect(box().value).toBe("too late");
  });

  it("is told also when another reply was faster (RPL-7)", async () => {
    server.on(SENT, () => new Refusal(409, "illegal_transition", "Somebody else answered."));
    show(<ReplyBox task={waiting} />);
    await userEvent.type(box(), "mine{Enter}");
    expect(await screen.findByText("Somebody else answered.")).toBeVisible();
    expect(box().value).toBe("mine");
  });

  it("is told when it has asked something else since: the words answered the question in sight, and stay", async () => {
    const next = { ...waiting, attempt: 2, question: "And then?" };
    server
      .on("GET /api/tasks/t1", () => next)
      .on(
        SENT,
        () =>
          new Refusal(
            409,
            "conflict",
            "The task has moved on: this was about attempt 1, and it is now at attempt 2 now.",
            { attempt: 2 },
          ),
      );
    const { again } = show(<ReplyBox task={waiting} />);
    await userEvent.type(box(), "to the first{Enter}");
    expect(await screen.findByText(/The task has moved on/)).toBeVisible();
    expect(server.sent(SENT)[0]?.body).toEqual({ reply: "to the first", attempt: 1 });
    again(<ReplyBox task={next} />);
    expect(box().value).toBe("to the first");
    server.on(SENT, () => ({ success: true, task_id: "t1", old_status: "AWAITING_RESPONSE", new_status: "QUEUED" }));
    await userEvent.type(box(), "{Enter}");
    await waitFor(() => expect(server.sent(SENT)[1]?.body).toEqual({ reply: "to the first", attempt: 2 }));
  });

  it("keeps the words in sight when it moves on while they are typed", async () => {
    const { again } = show(<ReplyBox task={waiting} />);
    await userEvent.type(box(), "unfinished");
    again(<ReplyBox task={task({ status: "COMPLETE", verdict: "PASS" })} />);
    expect(box().value).toBe("unfinished");
    expect(box()).toHaveFocus();
    expect(button()).toBeDisabled();
    expect(screen.getByText(/now: Verified/)).toBeVisible();
  });
});

it("keeps a reply made offline (PLT-2)", async () => {
  server.online = false;
  show(<ReplyBox task={waiting} />);
  await userEvent.type(box(), "later{Enter}");
  await waitFor(() => expect(useOutbox.getState().waiting).toHaveLength(1));
  expect(useOutbox.getState().waiting[0]).toMatchObject({
    path: "/api/tasks/t1/reply",
    body: { reply: "later", attempt: 1 },
    draft: { text: "later" },
  });
  expect(readDraft(draftKeys.reply("t1"))).toBe("");
});
