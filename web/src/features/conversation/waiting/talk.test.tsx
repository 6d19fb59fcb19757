import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { useOutbox } from "@/api/outbox";
import type { FormQuestion, Task } from "@/api/types";
import { AT, later, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";
import { draftKeys, readDraft, returnToDraft, writeDraft } from "@/shared/lib/draft";
import { Steering } from "../steering";
import { TaskCard } from "../task-card";
import { answersOf, choose, readFilled, unanswered, write } from "./form-answers";
import { Waiting } from "./waiting";

beforeAll(() => import("@/shared/ui/markdown-rendered").then(() => undefined));

const DONE = { success: true, task_id: "t1", old_status: "AWAITING_RESPONSE", new_status: "QUEUED" };
const permission = {
  tool: "Bash",
  detail: "make clean",
  arguments: { command: "make clean", timeout: 60 },
  grant: "Bash(make:*)",
};
const asks = task({
  status: "AWAITING_RESPONSE",
  awaiting: "permission",
  permission,
  actions: ["permit", "resume", "cancel"],
});

const options = ["SQLite", "PostgreSQL"].map((value) => ({ value, label: value, recommended: value === "SQLite" }));
const one: FormQuestion = {
  id: "q1",
  text: "Which store?",
  header: "Store",
  kind: "single_choice",
  options,
  several: false,
};
const many: FormQuestion = {
  id: "q2",
  text: "What else?",
  header: "",
  kind: "multi_choice",
  options: ["Docs", "Tests"].map((value) => ({ value, label: value, recommended: false })),
  several: true,
};
const words: FormQuestion = { id: "q3", text: "Which name?", header: "", kind: "text", options: [], several: false };

describe("a permission (GRD-7)", () => {
  it("shows what would be done and is allowed once, or for the session", async () => {
    const server = world([asks]).on("POST /api/tasks/t1/permission", () => DONE);
    show(<Waiting task={asks} />);
    expect(screen.getByRole("heading", { name: "The agent wants to use Bash" })).toBeVisible();
    expect(screen.getByRole("region", { name: "What it would do" })).toHaveTextContent("make clean");
    expect(screen.getByText(/Bash\(make:\*\)/)).toBeVisible();
    expect(screen.queryByRole("textbox")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Always in this session" }));
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/permission")[0]?.body).toEqual({
        decision: "session",
        reason: "",
        attempt: 1,
      });
    });
    await userEvent.click(screen.getByRole("button", { name: "Allow once" }));
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/permission")[1]?.body).toEqual({
        decision: "once",
        reason: "",
        attempt: 1,
      });
    });
  });

  it("shows all of a long script line by line, and names it once", () => {
    const command = Array.from({ length: 30 }, (_, line) => `make part-${line}`).join("\n");
    const long = {
      tool: "Bash",
      detail: `${command.replaceAll("\n", " ").slice(0, 160)}…`,
      arguments: { command, description: "Build all" },
      grant: `Bash(${command})`,
    };
    world([asks]);
    show(<Waiting task={{ ...asks, permission: long }} />);
    expect(screen.getByRole("region", { name: "What it would do" }).textContent).toBe(command);
    expect(screen.getByText(/“Always in this session” allows exactly what is shown above/)).toBeVisible();
    expect(screen.getByText("Build all")).toBeInTheDocument();
  });

  it("shows what an edit takes out and puts in", () => {
    const edit = {
      tool: "Edit",
      detail: "calc.py",
      arguments: { file_path: "/r/calc.py", old_string: "a - b", new_string: "a + b", replace_all: false },
      grant: "Edit",
    };
    world([asks]);
    show(<Waiting task={{ ...asks, permission: edit }} />);
    expect(screen.getByRole("region", { name: "What it would do" })).toHaveTextContent("calc.py−a - b+a + b");
  });

  it("has a reason that was begun open again after a reload, and takes no focus", () => {
    world([asks]);
    writeDraft(draftKeys.reply("t1"), "It is sha");
    show(<Waiting task={asks} />);
    expect(screen.getByRole("textbox")).toHaveValue("It is sha");
    expect(screen.getByRole("textbox")).not.toHaveFocus();
    act(() => {
      writeDraft(draftKeys.reply("t1"), "");
    });
  });

  it("is denied by keyboard, with a reason that survives going back", async () => {
    const server = world([asks]).on("POST /api/tasks/t1/permission", () => DONE);
    show(<Waiting task={asks} />);
    screen.getByRole("button", { name: "Deny" }).focus();
    await userEvent.keyboard("{Enter}");
    const box = await screen.findByRole("textbox");
    expect(box).toHaveFocus();
    await userEvent.type(box, "It is shared");
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    await userEvent.click(screen.getByRole("button", { name: "Deny" }));
    await userEvent.type(await screen.findByDisplayValue("It is shared"), "{Enter}");
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/permission")[0]?.body).toEqual({
        decision: "deny",
        reason: "It is shared",
        attempt: 1,
      });
    });
    await waitFor(() => {
      expect(readDraft(draftKeys.reply("t1"))).toBe("");
    });
  });
});

describe("the keyboard (BYD-7)", () => {
  const card = (shown: Task) => <TaskCard snapshot={shown} view={null} onView={() => undefined} />;

  it("stays with the task when what it answered goes away", async () => {
    world([asks]).on("POST /api/tasks/t1/permission", () => DONE);
    const { again } = show(card(asks));
    screen.getByRole("button", { name: "Allow once" }).focus();
    await userEvent.keyboard("{Enter}");
    again(
      card({
        ...asks,
        status: "RUNNING",
        awaiting: null,
        permission: null,
        actions: ["cancel"],
        attempt: 2,
        updated_at: later(60),
      }),
    );
    await waitFor(() => {
      expect(screen.getByRole("article")).toHaveFocus();
    });
  });

  it("is left alone where the person went elsewhere meanwhile", async () => {
    world([asks]);
    const { again } = show(
      <>
        {card(asks)}
        <input aria-label="elsewhere" />
      </>,
    );
    screen.getByRole("button", { name: "Allow once" }).focus();
    screen.getByRole("textbox", { name: "elsewhere" }).focus();
    again(
      <>
        {card({ ...asks, status: "COMPLETE", awaiting: null, permission: null, actions: [], updated_at: later(60) })}
        <input aria-label="elsewhere" />
      </>,
    );
    await waitFor(() => {
      expect(screen.queryByRole("button", { name: "Allow once" })).toBeNull();
    });
    expect(screen.getByRole("textbox", { name: "elsewhere" })).toHaveFocus();
  });

  it.each(["{Escape}", "{Tab}{Tab}{Enter}"])("leads back from denying to where it began: %s", async (keys) => {
    writeDraft(draftKeys.reply("t1"), "");
    world([asks]);
    show(card(asks));
    screen.getByRole("button", { name: "Deny" }).focus();
    await userEvent.keyboard("{Enter}");
    expect(screen.getByRole("textbox", { name: /Why not/ })).toHaveFocus();
    await userEvent.keyboard(keys);
    expect(screen.getByRole("button", { name: "Deny" })).toHaveFocus();
    expect(screen.queryByRole("textbox", { name: /Why not/ })).toBeNull();
  });
});

describe("a form", () => {
  const form = task({
    status: "AWAITING_RESPONSE",
    awaiting: "question",
    form: [one, many],
    question: "Which store?\nWhat else?",
    actions: ["reply", "resume", "cancel"],
  });

  it("is sent when every question is answered, and words are always possible", async () => {
    const server = world([form]).on("POST /api/tasks/t1/answers", () => DONE);
    show(<Waiting task={form} />);
    const send = screen.getByRole("button", { name: "Send answers" });
    expect(send).toBeDisabled();
    expect(screen.getByText("2 questions are not answered yet.")).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: /SQLite/ }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Tests" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Docs" }));
    await userEvent.click(send);
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/answers")[0]?.body).toEqual({
        answers: [
          { question_id: "q1", value: "SQLite" },
          { question_id: "q2", value: ["Docs", "Tests"] },
        ],
        attempt: 1,
      });
    });
    expect(screen.getByRole("textbox", { name: "Your reply" })).toBeVisible();
  });

  it("is not asked for again while its answer waits for the server, and comes back filled in when that refuses it", async () => {
    const server = world([form]);
    server.online = false;
    show(<Waiting task={form} />);
    await userEvent.click(screen.getByRole("radio", { name: /SQLite/ }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Tests" }));
    await userEvent.click(screen.getByRole("button", { name: "Send answers" }));
    expect(await screen.findAllByText(/“Answer questions” is kept and will be sent/)).not.toEqual([]);
    expect(screen.queryByRole("form", { name: "Questions" })).toBeNull();
    const [waiting] = useOutbox.getState().waiting;
    expect(waiting?.body).toMatchObject({ attempt: 1 });
    expect(readFilled(waiting?.draft?.text ?? "")).toEqual({
      q1: { chosen: ["SQLite"], own: "", asked: "Which store?" },
      q2: { chosen: ["Tests"], own: "", asked: "What else?" },
    });
    act(() => {
      useOutbox.setState({ waiting: [] });
    });
    expect(await screen.findByRole("form", { name: "Questions" })).toBeVisible();
  });

  it("keeps one of a single choice, several of the others, and own words in their place", () => {
    const none = { chosen: [], own: "" };
    expect(choose(choose(none, one, "SQLite"), one, "PostgreSQL")).toEqual({ chosen: ["PostgreSQL"], own: "" });
    expect(choose(choose(none, many, "Docs"), many, "Tests").chosen).toEqual(["Docs", "Tests"]);
    expect(choose(choose(none, many, "Docs"), many, "Docs").chosen).toEqual([]);
    expect(write(choose(none, one, "SQLite"), one, "DuckDB")).toEqual({ chosen: [], own: "DuckDB" });
    const filled = { q1: write(none, one, " DuckDB "), q2: write(choose(none, many, "Docs"), many, "Logo"), q3: none };
    expect(unanswered([one, many, words], filled)).toBe(1);
    expect(answersOf([one, many], filled)).toEqual([
      { question_id: "q1", value: "DuckDB" },
      { question_id: "q2", value: ["Docs", "Logo"] },
    ]);
    expect(readFilled(JSON.stringify(filled))).toEqual(filled);
    expect(readFilled("{broken")).toEqual({});
    expect(readFilled('{"q1": 7}')).toEqual({});
  });
});

describe("a form that the task has gone on from (RPL-6, RPL-7)", () => {
  const first = task({
    status: "AWAITING_RESPONSE",
    awaiting: "question",
    form: [one, many],
    actions: ["reply", "resume", "cancel"],
  });
  const late = () =>
    new Refusal(409, "conflict", "The task has gone on since: this was about attempt 1, and it is at attempt 2 now.", {
      attempt: 2,
    });
  const pane = () => screen.queryByRole("region", { name: "Your answers to earlier questions" });

  async function refused() {
    writeDraft(draftKeys.form("t1"), "");
    world([first]).on("POST /api/tasks/t1/answers", late);
    const { again } = show(<TaskCard snapshot={first} view={null} onView={() => undefined} />);
    await userEvent.click(screen.getByRole("radio", { name: /SQLite/ }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Tests" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Your own answer to: What else?" }), "A logo");
    expect(pane()).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Send answers" }));
    await screen.findByText(/The task has gone on since/);
    return (changes: Partial<Task>) => {
      again(
        <TaskCard
          snapshot={{ ...first, attempt: 2, updated_at: later(60), ...changes }}
          view={null}
          onView={() => undefined}
        />,
      );
    };
  }

  it("fills in what is asked again in the same words", async () => {
    const goneOn = await refused();
    goneOn({ form: [words, { ...one, id: "q7" }, { ...many, id: "q8", options: many.options.slice(0, 1) }] });
    expect(await screen.findByRole("textbox", { name: "Your own answer to: Which name?" })).toHaveValue("");
    expect(screen.getByRole("radio", { name: /SQLite/ })).toBeChecked();
    // “Tests” can no longer be chosen, but it was said.
    expect(screen.getByRole("textbox", { name: "Your own answer to: What else?" })).toHaveValue("Tests, A logo");
    expect(pane()).toBeNull();
    await userEvent.type(screen.getByRole("textbox", { name: "Your own answer to: Which name?" }), "Tern");
    expect(screen.getByRole("radio", { name: /SQLite/ })).toBeChecked();
    const server = world([first]).on("POST /api/tasks/t1/answers", () => DONE);
    await userEvent.click(screen.getByRole("button", { name: "Send answers" }));
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/answers")[0]?.body).toEqual({
        answers: [
          { question_id: "q3", value: "Tern" },
          { question_id: "q7", value: "SQLite" },
          { question_id: "q8", value: ["Tests, A logo"] },
        ],
        attempt: 2,
      });
    });
    await waitFor(() => {
      expect(readDraft(draftKeys.form("t1"))).toBe("");
    });
  });

  it("shows what nothing asks for any more, until the person drops it", async () => {
    const goneOn = await refused();
    goneOn({ form: [{ ...one, id: "q7" }, words] });
    expect(pane()).toHaveTextContent("What else?Tests, A logo");
    expect(pane()).not.toHaveTextContent("Which store?");
    goneOn({ status: "RUNNING", awaiting: null, form: [], actions: ["cancel"] });
    expect(pane()).toBeNull();
    goneOn({
      status: "COMPLETE",
      awaiting: null,
      verdict: "PASS",
      form: [],
      actions: [],
      reply_history: [{ content: "SQLite", timestamp: AT, question: "Which store?", attempt: 2, replayed: false }],
    });
    expect(pane()).toHaveTextContent("What else?Tests, A logo");
    expect(pane()).not.toHaveTextContent("Which store?");
    await userEvent.click(screen.getByRole("button", { name: "Drop them" }));
    expect(pane()).toBeNull();
  });

  it("keeps both when what was refused later meets what is being filled in", () => {
    writeDraft(draftKeys.form("t1"), JSON.stringify({ q7: { chosen: ["SQLite"], own: "" } }));
    returnToDraft(draftKeys.form("t1"), JSON.stringify({ q1: { chosen: [], own: "DuckDB", asked: "Which store?" } }));
    expect(readFilled(readDraft(draftKeys.form("t1")))).toEqual({
      q1: { chosen: [], own: "DuckDB", asked: "Which store?" },
      q7: { chosen: ["SQLite"], own: "" },
    });
    writeDraft(draftKeys.form("t1"), "");
  });
});

describe("a plan", () => {
  it("is rendered and approved, and can be sent back", async () => {
    const approval: FormQuestion = {
      id: "q9",
      text: "## Plan",
      header: "",
      kind: "confirmation",
      options: [],
      several: false,
    };
    const planned = task({
      status: "AWAITING_RESPONSE",
      awaiting: "question",
      plan: "## The plan\n\n1. Write it",
      question: "## The plan",
      form: [approval],
      actions: ["reply", "resume", "cancel"],
    });
    const server = world([planned]).on("POST /api/tasks/t1/answers", () => DONE);
    show(<Waiting task={planned} />);
    expect(await screen.findByRole("heading", { name: "The plan" })).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Your reply" })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Approve the plan" }));
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/answers")[0]?.body).toEqual({
        answers: [{ question_id: "q9", value: "approve" }],
        attempt: 1,
      });
    });
  });
});

describe("messages on their way (RPL-8)", () => {
  const message = (state: "waiting" | "handed" | "returned" | "delivered") => ({
    message_id: "m1",
    text: "Use tabs",
    state,
    sent_at: AT,
    can_take_back: state !== "delivered",
    can_send_now: state === "waiting" || state === "handed",
  });

  it("can be sent now or taken back into the box", async () => {
    const running = task({ steering: [message("waiting")] });
    const server = world([running]).on("POST /api/tasks/t1/steer/m1", () => message("waiting"));
    show(
      <>
        <Steering task={running} />
        <textarea data-composer aria-label="box" />
      </>,
    );
    expect(screen.getByText("Use tabs")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Send now" }));
    await waitFor(() => {
      expect(server.sent("POST /api/tasks/t1/steer/m1")[0]?.body).toEqual({ action: "now" });
    });
    await userEvent.click(screen.getByRole("button", { name: "Take back" }));
    await waitFor(() => {
      expect(readDraft(draftKeys.session("p1", "fix"))).toBe("Use tabs");
    });
    await waitFor(() => {
      expect(screen.getByRole("textbox", { name: "box" })).toHaveFocus();
    });
  });

  it("say once that it is too late to take one back, and what to do instead", async () => {
    const running = task({ steering: [message("handed")] });
    const late = () => new Refusal(409, "conflict", "The agent has this message already.", { state: "handed" });
    const server = world([running]).on("POST /api/tasks/t1/steer/m1", late);
    show(<Steering task={running} />);
    const back = screen.getByRole("button", { name: "Take back" });
    for (const times of [1, 2]) {
      await userEvent.click(back);
      await waitFor(() => {
        expect(server.sent("POST /api/tasks/t1/steer/m1")).toHaveLength(times);
      });
      await waitFor(() => {
        expect(back).toBeEnabled();
      });
    }
    expect(screen.getAllByText("The agent has this message already.")).toHaveLength(1);
    expect(screen.getByText("Send another message to correct it, or cancel the task.")).toBeVisible();
  });

  it("are not offered back where the agent keeps what it was handed", () => {
    show(<Steering task={task({ steering: [{ ...message("handed"), can_take_back: false }] })} />);
    expect(screen.getByRole("button", { name: "Send now" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Take back" })).toBeNull();
  });

  it("are not hurried where they stand in what the agent was asked", () => {
    show(<Steering task={task({ steering: [{ ...message("handed"), can_take_back: false, can_send_now: false }] })} />);
    expect(screen.getByText("Use tabs")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Send now|Take back/ })).toBeNull();
  });

  it("come back into the box of the window in use when the task ended first", async () => {
    const ended = task({ status: "CANCELLED", session_slug: "ended", steering: [message("returned")] });
    const server = world([ended]).on("POST /api/tasks/t1/steer/m1", () => message("returned"));
    document.hasFocus = () => true;
    show(<Steering task={ended} />);
    await waitFor(() => {
      expect(readDraft(draftKeys.session("p1", "ended"))).toBe("Use tabs");
    });
    expect(server.sent("POST /api/tasks/t1/steer/m1").map((request) => request.body)).toEqual([
      { action: "take_back" },
    ]);
  });

  it("are gone once the agent took them in", () => {
    show(<Steering task={task({ steering: [message("delivered")] })} />);
    expect(screen.queryByText("Use tabs")).toBeNull();
  });
});
