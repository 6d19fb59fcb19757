import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { useOutbox } from "@/api/outbox";
import type { FormQuestion, Task } from "@/api/types";
import { TaskCard } from "../task-card";
import { draftKeys, readDraft, returnToDraft, writeDraft } from "@/shared/lib/draft";
import { AT, later, task } from "@/test/fixtures";
import { show } from "@/test/render";
import { Refusal } from "@/test/server";
import { world } from "@/test/world";
import { AwaitingCard } from "./awaiting-card";
import { answersOf, choose, readFilled, unanswered, write } from "./form-answers";

const DONE = { success: true, task_id: "t1", old_status: "AWAITING_RESPONSE", new_status: "QUEUED" };

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
    show(<AwaitingCard task={form} />);
    const send = screen.getByRole("button", { name: "Send answers" });
    expect(send).toBeDisabled();
    expect(screen.getByText("2 questions are not answered yet.")).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: /SQLite/ }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Tests" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Docs" }));
    await userEvent.click(send);
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/answers")[0]?.body).toEqual({
        answers: [
          { question_id: "q1", value: "SQLite" },
          { question_id: "q2", value: ["Docs", "Tests"] },
        ],
        attempt: 1,
      }),
    );
    expect(screen.getByRole("textbox", { name: "Your reply" })).toBeVisible();
  });

  it("is not asked for again while its answer waits for the server, and comes back filled in when that refuses it", async () => {
    const server = world([form]);
    server.online = false;
    show(<AwaitingCard task={form} />);
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
    act(() => useOutbox.setState({ waiting: [] }));
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
    new Refusal(409, "conflict", "The task has moved on: this was about attempt 1, and it is now at attempt 2 now.", {
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
    await screen.findByText(/The task has moved on/);
    return (changes: Partial<Task>) =>
      again(
        <TaskCard
          snapshot={{ ...first, attempt: 2, updated_at: later(60), ...changes }}
          view={null}
          onView={() => undefined}
        />,
      );
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
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/answers")[0]?.body).toEqual({
        answers: [
          { question_id: "q3", value: "Tern" },
          { question_id: "q7", value: "SQLite" },
          { question_id: "q8", value: ["Tests, A logo"] },
        ],
        attempt: 2,
      }),
    );
    await waitFor(() => expect(readDraft(draftKeys.form("t1"))).toBe(""));
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
