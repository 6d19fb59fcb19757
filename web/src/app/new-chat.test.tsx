import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { draftKeys, readDraft, writeDraft } from "@/shared/lib/draft";
import { project, session, task } from "@/test/fixtures";
import { open, SLOW } from "@/test/page";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";

const TEXT = "Look at the fee";

/** Something that is answered when the test says so. */
function held<T>(answer: T): { answer: Promise<T>; give: () => void } {
  let give = () => {
    /* until it is known how */
  };
  const promise = new Promise<T>((resolve) => {
    give = () => resolve(answer);
  });
  return { answer: promise, give };
}

const box = () => screen.findByRole("textbox", { name: "Your request" }, SLOW);

let watching: MutationObserver | null = null;

/** What its box and its button say, whenever anything changes while the New chat page stands. */
function watch(): { button: string; words: string }[] {
  const seen: { button: string; words: string }[] = [];
  const look = () => {
    const words = document.querySelector<HTMLTextAreaElement>("[data-composer]")?.value ?? "";
    const button = document.querySelector("button[type=submit]")?.textContent ?? "";
    if (screen.queryByRole("heading", { name: "New chat", level: 1 })) seen.push({ button, words });
  };
  watching = new MutationObserver(look);
  watching.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  return seen;
}

afterEach(() => {
  watching?.disconnect();
  for (const key of [draftKeys.newChat, draftKeys.options(draftKeys.newChat)]) writeDraft(key, "");
});

describe("the first message of a new chat (WEB-9)", () => {
  it("stays in sight until its thread shows it, which needs nothing but the answer", async () => {
    const made = held({ ...session(), task: task({ prompt: TEXT }) });
    const server = world()
      .on("POST /api/sessions", () => made.answer)
      .on("GET /api/sessions/p1/fix/tasks", () => new Promise(() => undefined));
    const router = open("/new");
    await userEvent.type(await box(), TEXT);
    const seen = watch();
    await userEvent.click(screen.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(server.sent("POST /api/sessions")).toHaveLength(1), SLOW);
    expect(await box()).toHaveValue(TEXT);
    expect(await screen.findByRole("button", { name: "Sending…" }, SLOW)).toBeDisabled();

    await act(async () => {
      made.give();
      await made.answer;
    });
    expect(await screen.findByRole("region", { name: "Conversation" }, SLOW)).toHaveTextContent(TEXT);
    expect(screen.getByRole("button", { name: "Cancel" })).toBeVisible();
    expect(readDraft(draftKeys.newChat)).toBe("");
    expect(await box()).toHaveValue("");
    await waitFor(async () => expect(await box()).toHaveFocus(), SLOW);
    const sent = seen.findIndex(({ button }) => button === "Sending…");
    expect(sent).toBeGreaterThanOrEqual(0);
    for (const state of seen.slice(sent)) expect(state).toEqual({ button: "Sending…", words: TEXT });

    await act(() => router.navigate({ to: "/new" }));
    expect(await screen.findByRole("button", { name: "Start" }, SLOW)).toBeVisible();
    expect(await box()).toHaveValue("");
  });

  it("goes once, with what was set, however often and whatever is pressed meanwhile", async () => {
    const made = held({ ...session(), task: task({ prompt: TEXT }) });
    const server = world().on("POST /api/sessions", () => made.answer);
    open("/new");
    await userEvent.type(await box(), TEXT);
    const start = screen.getByRole("button", { name: "Start" });
    const agent = screen.getByRole("combobox", { name: "Agent" });
    await userEvent.click(start);
    await userEvent.click(start);
    await userEvent.selectOptions(agent, "rehearsal");
    await userEvent.type(await box(), "more");
    expect(agent).toHaveValue("");
    expect(readDraft(draftKeys.options(draftKeys.newChat))).not.toContain("rehearsal");
    expect(await box()).toHaveValue(TEXT);
    await act(async () => {
      made.give();
      await made.answer;
    });
    expect(await screen.findByRole("region", { name: "Conversation" }, SLOW)).toBeVisible();
    expect(server.sent("POST /api/sessions")).toHaveLength(1);
  });

  it("begins in the project of the page that it was asked for on", async () => {
    world([task()]).on("GET /api/projects", () => ({ items: [project({ id: "p0", name: "first" }), project()] }));
    const router = open("/sessions/p1/fix");
    await userEvent.click(await screen.findByRole("link", { name: "New chat" }, SLOW));
    await waitFor(() => expect(router.state.location.search).toEqual({ project: "p1" }), SLOW);
    expect(await screen.findByRole("combobox", { name: "Project" }, SLOW)).toHaveValue("p1");
    await act(() => router.navigate({ to: "/" }));
    await userEvent.keyboard("n");
    expect(await screen.findByRole("combobox", { name: "Project" }, SLOW)).toHaveValue("p0");
  });

  it("is asked for again once its task has begun, and what was told stays where that fails", async () => {
    const server = world([task({ prompt: TEXT })]).on(
      "GET /api/sessions/p1/fix/tasks",
      () => new Refusal(500, "broken", "It broke."),
    );
    open("/new");
    await userEvent.type(await box(), `${TEXT}{Enter}`);
    const thread = await screen.findByRole("region", { name: "Conversation" }, SLOW);
    await waitFor(() => expect(server.sent("GET /api/sessions/p1/fix/tasks").length).toBeGreaterThan(0), SLOW);
    expect(thread).toHaveTextContent(TEXT);
    expect(screen.queryByText("It broke.")).toBeNull();
  });

  it("does not call back whoever went elsewhere meanwhile", async () => {
    const made = held({ ...session(), task: task({ prompt: TEXT }) });
    const server = world().on("POST /api/sessions", () => made.answer);
    const router = open("/new");
    await userEvent.type(await box(), `${TEXT}{Enter}`);
    await waitFor(() => expect(server.sent("POST /api/sessions")).toHaveLength(1), SLOW);
    await act(() => router.navigate({ to: "/" }));
    await act(async () => {
      made.give();
      await made.answer;
    });
    await waitFor(() => expect(readDraft(draftKeys.newChat)).toBe(""), SLOW);
    expect(router.state.location.pathname).toBe("/");
  });

  it("is kept, and can be sent again, when the server refuses it", async () => {
    world().on("POST /api/sessions", () => new Refusal(409, "workspace_busy", "Another session works there."));
    open("/new");
    await userEvent.type(await box(), `${TEXT}{Enter}`);
    expect(await screen.findByText("Another session works there.", {}, SLOW)).toBeVisible();
    expect(await box()).toHaveValue(TEXT);
    expect(readDraft(draftKeys.newChat)).toBe(TEXT);
    expect(screen.getByRole("button", { name: "Start" })).toBeEnabled();
  });
});
