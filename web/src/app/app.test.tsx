import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { draftKeys, readDraft, writeDraft } from "@/shared/lib/draft";
import { AT, events, runner, session, state, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { Refusal } from "@/test/server";
import { FakeSocket, world } from "@/test/world";
import { makeRouter } from "./router";

const SESSION = "/sessions/p1/fix";
const SLOW = { timeout: 8000 };

// What loads on demand is fetched first: React does not draw what arrives outside of an awaited action in a test.
beforeAll(() =>
  Promise.all([
    import("@/features/conversation/detail/task-detail"),
    import("@/features/conversation/detail/diff-files"),
    import("@/features/palette/palette"),
    import("@/features/palette/keys-dialog"),
    import("@/shared/ui/markdown-rendered"),
    import("./pages/session"),
    import("./pages/home"),
  ]).then(() => undefined),
);

function open(path: string) {
  const router = makeRouter(createMemoryHistory({ initialEntries: [path] }));
  show(<RouterProvider router={router} />, { bare: true });
  return router;
}

const say = (...items: unknown[]) =>
  act(() => {
    FakeSocket.say(...items);
  });

describe("the sessions screen", () => {
  it("groups sessions and moves a row when an event says so (TSK-5)", async () => {
    world();
    open("/");
    expect(await screen.findByRole("heading", { name: /^Running/ }, SLOW)).toBeVisible();
    expect(await screen.findByText("2")).toBeVisible();
    await waitFor(() => {
      expect(FakeSocket.opened[0]?.sent).toHaveLength(1);
    });
    say({ type: "event", event: events.asked(11, "Which one?") }, { type: "event", event: events.awaiting(12) });
    expect(await screen.findByRole("heading", { name: /^Needs you/ })).toBeVisible();
    expect(screen.getByText("Asks you")).toBeVisible();
    expect(screen.getByText(/Which one\?/)).toBeVisible();
  });

  it("teaches a new person three things to try, and fills the box with one", async () => {
    world().on("GET /api/sessions", () => ({ items: [], next_cursor: null, counts: {} }));
    const router = open("/");
    await userEvent.click(await screen.findByRole("button", { name: /Fix a failing test/ }, SLOW));
    await waitFor(() => {
      expect(router.state.location.pathname).toBe("/new");
    });
    expect(await screen.findByDisplayValue("Please fix it", {}, SLOW)).toBeVisible();
    writeDraft(draftKeys.newChat, "");
  });

  it("filters, searches and sorts through the address", async () => {
    const server = world().on("GET /api/sessions", () => ({ items: [session()], next_cursor: null, counts: {} }));
    const router = open("/");
    await userEvent.type(await screen.findByRole("searchbox", {}, SLOW), "fee");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "created");
    await waitFor(() => {
      expect(router.state.location.search).toMatchObject({ q: "fee", sort: "created" });
    });
    expect(server.sent("GET /api/sessions").length).toBeGreaterThan(1);
  });
});

describe("login (PLT-5)", () => {
  it("is asked for when the server does not know this browser", async () => {
    const server = world()
      .on("GET /api/state", () => new Refusal(401, "unauthorized", "Log in first."))
      .on("POST /api/login", () => new Refusal(401, "wrong_token", "That is not the token."));
    open("/");
    await userEvent.type(await screen.findByLabelText("Token", {}, SLOW), "guess");
    await userEvent.click(screen.getByRole("button", { name: "Log in" }));
    expect(await screen.findByText("That is not the token.")).toBeVisible();
    expect(server.sent("POST /api/login")[0]?.body).toEqual({ token: "guess" });
  });

  it("takes the token from the fragment and clears it", async () => {
    location.hash = "#token=secret";
    const server = world().on("POST /api/login", () => ({ success: true }));
    open("/");
    await waitFor(() => {
      expect(server.sent("POST /api/login")[0]?.body).toEqual({ token: "secret" });
    });
    expect(location.hash).toBe("");
    expect(await screen.findByRole("navigation", {}, SLOW)).toBeVisible();
  });
});

describe("composing (WEB-9)", () => {
  it("says that a new chat begins, and begins it", async () => {
    const server = world();
    const router = open("/new");
    expect(await screen.findByText("Begins a new chat in harbour", {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Options" }));
    await userEvent.type(screen.getByRole("textbox", { name: /Boundaries/ }), "src/{Enter}");
    await userEvent.type(screen.getByRole("textbox", { name: "Your request" }), "Do it{Enter}");
    await waitFor(() => {
      expect(server.sent("POST /api/sessions")[0]?.body).toMatchObject({
        project_path: "/code/harbour",
        message: { text: "Do it", boundaries: ["src/"] },
      });
    });
    await waitFor(() => {
      expect(router.state.location.pathname).toBe(SESSION);
    });
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
    await waitFor(() => {
      expect(server.sent("POST /api/sessions/p1/fix/messages")[0]?.body).toMatchObject({ text: "And this" });
    });
    expect(server.sent("POST /api/sessions")).toEqual([]);
    await waitFor(() => {
      expect(readDraft(draftKeys.session("p1", "fix"))).toBe("");
    });
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
    await waitFor(() => {
      expect(server.sent("GET /api/sessions/p1/fix/tasks").length).toBeGreaterThan(read);
    }, SLOW);
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
    expect(await screen.findByText("Goes to the task that runs now", {}, SLOW)).toBeVisible();
    const box = screen.getByRole("textbox", { name: "Your request" });
    await userEvent.type(box, "Use tabs{Enter}");
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/steer")[0]?.body).toEqual({ text: "Use tabs" });
    });
    await waitFor(() => {
      expect(box).toHaveValue("");
    });
    await userEvent.click(screen.getByRole("button", { name: "Queue as its own task" }));
    await userEvent.type(box, "Then this{Enter}");
    await waitFor(() => {
      expect(server.sent("POST /api/sessions/p1/fix/messages")[0]?.body).toMatchObject({ text: "Then this" });
    });
    expect(server.sent("POST /api/tasks/t1/steer")).toHaveLength(1);
  });
});

describe("a server that is away when the page is opened (PLT-2)", () => {
  it("is asked again until it is back, and so is what the page lacks", async () => {
    const server = world([]);
    server.online = false;
    open("/settings");
    await waitFor(() => {
      expect(screen.getAllByText("The server cannot be reached.")).toHaveLength(3);
    }, SLOW);
    expect(screen.getByRole("region", { name: "Choices and limits" })).toHaveTextContent("Try again");
    server.online = true;
    await waitFor(() => {
      expect(screen.queryByText("The server cannot be reached.")).toBeNull();
    }, SLOW);
    await waitFor(() => {
      expect(FakeSocket.opened).toHaveLength(1);
    }, SLOW);
  });
});

describe("a message on its way", () => {
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
    await waitFor(() => {
      expect(FakeSocket.opened[0]?.sent.at(-1)).toContain("t1");
    });
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
    await waitFor(() => {
      expect(screen.queryByRole("button", { name: "Take back" })).toBeNull();
    }, SLOW);
    expect(screen.getByText("Use tabs")).toBeVisible();
  });
});

describe("a task's card", () => {
  it("shows live milestones and the open tool without reload (TSK-5, WEB-11), and its scope (TSK-1)", async () => {
    world();
    open(SESSION);
    await screen.findByText("no new packages", {}, SLOW);
    await waitFor(() => {
      expect(FakeSocket.opened[0]?.sent.at(-1)).toContain("t1");
    });
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
    expect(await screen.findByText("2 lines, 12 B")).toBeVisible();
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
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/cancel")[0]?.body).toEqual({ hold: true });
    });
  });

  it("gives the text of a task that had not started back to the box (TSK-3)", async () => {
    world([task({ status: "QUEUED", attempt: 0, started_at: null, position: 1, waits_for: "the task that runs" })]);
    open(SESSION);
    expect(await screen.findByText(/Waits for: the task that runs/, {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText(/leaves no trace/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Cancel the task" }));
    await waitFor(() => {
      expect(readDraft(draftKeys.session("p1", "fix"))).toBe("Fix the fee");
    });
    writeDraft(draftKeys.session("p1", "fix"), "");
  });

  it("commits chosen files of an ended task (WEB-13)", async () => {
    const server = world([
      task({ status: "COMPLETE", verdict: "PASS", files_changed: 2, finished_at: AT, actions: [] }),
    ]);
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Commit" }, SLOW));
    await userEvent.click(await screen.findByRole("checkbox", { name: /x\.py/ }));
    await userEvent.click(screen.getByRole("button", { name: "Commit 1 file" }));
    await waitFor(() => {
      expect(server.sent("POST /api/projects/p1/commit")[0]?.body).toEqual({
        message: "Fix the fee",
        paths: ["fees.py"],
        task_id: "t1",
      });
    });
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
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/rollback")).toHaveLength(1);
    });
  });

  it("keeps Undo in sight after a rollback (WEB-13)", async () => {
    const server = world([task({ status: "CANCELLED", files_changed: 1, rollback_id: "r1", actions: [] })]);
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Undo the rollback" }, SLOW));
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/undo-rollback")[0]?.body).toEqual({ rollback_id: "r1" });
    });
  });

  it("asks with its question and ways on (RPL-5, WEB-2)", async () => {
    world([task({ status: "AWAITING_RESPONSE", awaiting: "interrupted", actions: ["reply", "resume", "cancel"] })]);
    open(SESSION);
    expect(await screen.findByRole("button", { name: "Rollback & replay" }, SLOW)).toBeEnabled();
    expect(screen.getByPlaceholderText("Type your reply...")).toBeVisible();
  });
});

describe("a session's menu", () => {
  it("renames, archives and deletes after asking", async () => {
    const server = world().on("POST /api/sessions/p1/fix/delete", () => session({ deleted: true }));
    const router = open(SESSION);
    const menu = async (item: string) => {
      await userEvent.click(await screen.findByRole("button", { name: "More actions" }, SLOW));
      await userEvent.click(await screen.findByRole("menuitem", { name: item }));
    };
    await menu("Rename");
    await userEvent.clear(await screen.findByRole("textbox", { name: "Title" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "New name{Enter}");
    await waitFor(() => {
      expect(server.sent("PATCH /api/sessions/p1/fix")[0]?.body).toEqual({ title: "New name" });
    });
    await waitFor(() => {
      expect(screen.queryByRole("dialog")).toBeNull();
    });
    await menu("Archive");
    await waitFor(() => {
      expect(server.sent("PATCH /api/sessions/p1/fix")[1]?.body).toEqual({ archived: true });
    });
    await menu("Delete");
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
    await waitFor(() => {
      expect(router.state.location.pathname).toBe("/");
    });
  });
});

describe("notices (PLT-8)", () => {
  it("say what was lost until they are dismissed", async () => {
    const server = world()
      .on("GET /api/state", () => ({
        ...state,
        notices: [
          {
            id: "n1",
            code: "storage_restored",
            message: "The database came back from a backup.",
            details: ["2 events of today"],
            at: AT,
          },
        ],
      }))
      .on("POST /api/notices/n1/dismiss", () => ({ success: true }));
    open("/settings");
    expect(await screen.findByText("The database came back from a backup.", {}, SLOW)).toBeVisible();
    expect(screen.getByText("2 events of today")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Dismiss this notice" }));
    await waitFor(() => {
      expect(server.sent("POST /api/notices/n1/dismiss")).toHaveLength(1);
    });
    await waitFor(() => {
      expect(screen.queryByText("The database came back from a backup.")).toBeNull();
    });
  });
});

describe("earlier answers (WEB-5)", () => {
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
    expect(screen.getByText(/given again from your earlier reply/)).toBeVisible();
    expect(screen.getByText("Credentials are missing")).toBeVisible();
    expect(screen.getByText("Time-out: long")).toBeVisible();
    expect(await screen.findByRole("button", { name: "Rollback & replay" })).toBeEnabled();
  });
});

describe("the other screens", () => {
  it("show the queue in order, and hold it (TSK-3, TSK-17)", async () => {
    const server = world();
    open("/queue");
    expect(await screen.findByText(/Waits for: the task that runs/, {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Hold" }));
    await waitFor(() => {
      expect(server.sent("POST /api/workspaces/w1/hold")).toHaveLength(1);
    });
    await userEvent.click(screen.getByRole("button", { name: "Take back" }));
    expect(await screen.findByText("Take this task back?")).toBeVisible();
  });

  it("say why a path is no project and what to do", async () => {
    world().on("POST /api/projects", () => new Refusal(400, "not_a_repository", "That folder is no git repository."));
    open("/projects");
    await userEvent.type(await screen.findByRole("textbox", {}, SLOW), "/nowhere{Enter}");
    expect(await screen.findByText("That folder is no git repository.")).toBeVisible();
    expect(screen.getByText("Do something else.")).toBeVisible();
  });

  it("show the runner, the agents' health with the fix, and stop it after asking", async () => {
    const server = world();
    open("/runner");
    expect(await screen.findByText("npm install -g it", {}, SLOW)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    await userEvent.click(await screen.findByRole("button", { name: "Stop the runner" }));
    await waitFor(() => {
      expect(server.sent("POST /api/runner/stop")).toHaveLength(1);
    });
  });

  it("take the next wish although the page still reads what became of the last (WEB-8)", async () => {
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
    await waitFor(() => {
      expect(stop).toBeEnabled();
    });
    await userEvent.click(stop);
    await userEvent.click(await screen.findByRole("button", { name: "Stop the runner" }));
    await waitFor(() => {
      expect(screen.getByRole("button", { name: "Run" })).toBeEnabled();
    });
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    await waitFor(() => {
      expect(server.sent("POST /api/runner/run")).toHaveLength(1);
    });
  });

  it("show why an operation failed, its log, and try it again (WEB-8)", async () => {
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
    await waitFor(() => {
      expect(server.sent("GET /api/runner/operations/o1/output")).toHaveLength(1);
    });
    await waitFor(() => {
      expect(screen.getByRole("button", { name: "Retry" })).toBeEnabled();
    });
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(() => {
      expect(server.sent("POST /api/runner/restart")).toHaveLength(1);
    });
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    expect(screen.queryByText("It ended with code 2.")).toBeNull();
  });

  it("are reached by keys; ? shows them and / finds everything", async () => {
    world();
    const router = open("/settings");
    await screen.findByRole("heading", { name: "Settings" }, SLOW);
    await userEvent.keyboard("?");
    expect(await screen.findByText("Keyboard shortcuts", { selector: "h2" }, SLOW)).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => {
      expect(screen.queryByRole("dialog")).toBeNull();
    });
    await userEvent.keyboard("/");
    await userEvent.type(await screen.findByRole("combobox", {}, SLOW), "queue{Enter}");
    await waitFor(() => {
      expect(router.state.location.pathname).toBe("/queue");
    });
    await waitFor(() => {
      expect(screen.queryByRole("dialog")).toBeNull();
    });
    await userEvent.keyboard("gr");
    await waitFor(() => {
      expect(router.state.location.pathname).toBe("/runner");
    });
  });

  it("say when the line is down (PLT-2)", async () => {
    world();
    open("/settings");
    await screen.findByText("Connected", {}, SLOW);
    act(() => {
      FakeSocket.opened[0]?.close();
    });
    expect((await screen.findAllByText("Reconnecting")).length).toBeGreaterThan(0);
  });
});
