import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import type { Doubt, Task } from "@/api/types";
import { outcomeOf, readable, titleOf } from "@/features/conversation/detail/steps-view";
import { compared, groupOf } from "@/features/conversation/doubts";
import { counterOf } from "@/features/conversation/milestone";
import { wordsOf } from "@/features/conversation/outcome";
import { draftKeys, readDraft, writeDraft } from "@/shared/lib/draft";
import { events } from "@/test/events";
import { AT, later, step, task } from "@/test/fixtures";
import { open, sessionFetched, SLOW } from "@/test/page";
import { FAILED, run, RUN_ID, serve } from "@/test/runs";
import { FakeSocket, world } from "@/test/world";

const SESSION = "/sessions/p1/fix";

beforeAll(sessionFetched);

const done = (changes: Partial<Task> = {}) =>
  task({
    status: "COMPLETE",
    verdict: "PASS",
    run_id: RUN_ID,
    loop: { total: 2, of: 12, replans: 0 },
    finished_at: AT,
    files_changed: 1,
    insertions: 1,
    deletions: 1,
    actions: [],
    ...changes,
  });

const doubt = (changes: Partial<Doubt>): Doubt => ({
  kind: "test_skipped",
  path: "fees.py",
  line: 7,
  name: "test_fee",
  message: "The test test_fee is skipped now.",
  id: "d1",
  severity: "serious",
  accepted: null,
  ...changes,
});

describe("a verified task (TSK-8, TSK-13)", () => {
  it("says by which run, with how many checks, at which verification, and in prose what was done", async () => {
    serve(
      world([done({ summary: `The fee is right now.\n\nVerified by run ${RUN_ID}: lint, tests passed.` })]),
      run(),
      FAILED,
    );
    const router = open(SESSION);
    expect(await screen.findByText("The fee is right now.", {}, SLOW)).toBeVisible();
    expect(screen.getByText("Verified", { selector: "header span" })).toBeVisible();
    expect(await screen.findByText(/2 checks passed in 2.4s, at verification 2/)).toBeVisible();
    expect(screen.queryByText(/lint, tests passed/)).toBeNull();
    await userEvent.click(screen.getByRole("link", { name: "01234567" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ task: "t1", view: "checks", run: RUN_ID }));
    expect(await screen.findByText("pytest -q", {}, SLOW)).toBeVisible();
    expect(screen.getByText("3 passed")).toHaveClass("ansi-2");
    expect(screen.getByRole("button", { name: /Verification 1 failed: tests/ })).toHaveAttribute(
      "aria-expanded",
      "false",
    );
  });

  it("has the log of all checks and of each", async () => {
    const server = serve(world([done()]), run());
    open(`${SESSION}?task=t1&view=checks`);
    await userEvent.click(await screen.findByRole("button", { name: "Full log" }, SLOW));
    await waitFor(() => expect(screen.getByText("1 lines, 10B")).toBeVisible());
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Log of" }), "tests");
    await waitFor(() => expect(server.sent(`GET /api/runs/${RUN_ID}/log`)).toHaveLength(2));
  });

  it("keeps a summary that is nothing but the proof", () => {
    const proof = `Verified by run ${RUN_ID}: lint passed.`;
    expect(wordsOf(done({ summary: proof }))).toBe(proof);
    expect(wordsOf(done({ summary: `Done.\n\n${proof}` }))).toBe("Done.");
    const elsewhere = proof.replace("Verified by run", "Geprüft in Lauf");
    expect(wordsOf(done({ summary: `Done.\n\n${elsewhere}` }))).toBe("Done.");
    expect(wordsOf(done({ summary: "As it was\n\nthe last word." }))).toBe("As it was\n\nthe last word.");
    expect(wordsOf(done({ verdict: "UNVERIFIED", summary: "", output: "Said." }))).toBe("Said.");
  });
});

describe("a task without checks, or with checks that cannot be run", () => {
  it("leads to the project's checks", async () => {
    world([done({ verdict: "UNVERIFIED", run_id: null })]);
    open(SESSION);
    expect(await screen.findByText(/the project has no checks/, {}, SLOW)).toBeVisible();
    expect(screen.getByRole("link", { name: "Set up checks" })).toHaveAttribute("href", "/projects/p1/checks");
    expect(screen.queryByRole("button", { name: "Checks" })).toBeNull();
  });

  it("says what to do and offers to resume", async () => {
    world([
      done({
        status: "ERROR",
        verdict: null,
        error_kind: "infrastructure",
        error_message: "The check “gone” could not be run: no such program.",
        actions: ["resume"],
      }),
    ]);
    open(SESSION);
    expect(await screen.findByText("The checks could not be run.", {}, SLOW)).toBeVisible();
    expect(screen.getByText(/The check “gone” could not be run/)).toBeVisible();
    expect(screen.getByText(/only the checks run again/)).toBeVisible();
    expect(await screen.findByRole("button", { name: "Rollback & replay" })).toBeEnabled();
  });
});

describe("doubts about a verdict (BYD-4)", () => {
  it("stand on the card, weakened tests first, and lead to the changes", async () => {
    const base = run({ run_id: "b".repeat(32), purpose: "base_tests", loop: 0, result: "FAIL" });
    serve(
      world([
        done({
          doubts: [
            doubt({ kind: "outside_package", path: "other.py", line: null, message: "other.py is outside." }),
            doubt({}),
          ],
        }),
      ]),
      base,
      run(),
    );
    const router = open(SESSION);
    const section = await screen.findByRole("region", { name: "Before you call it done" }, SLOW);
    expect(
      within(section)
        .getAllByRole("heading")
        .map((heading) => heading.textContent),
    ).toEqual(["Before you call it done", "Tests or checks were made weaker", "Changes outside the agreed scope"]);
    expect((await within(section).findByText(/Tests as they were before/)).textContent).toContain("failed");
    expect(within(section).getByText(/Checks as they are now/).textContent).toContain("passed");
    await userEvent.click(within(section).getByRole("link", { name: "Show the changes of fees.py:7" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ task: "t1", view: "diff", file: "fees.py" }));
    expect(await screen.findByRole("button", { name: /^fees.py/ }, SLOW)).toHaveAttribute("aria-expanded", "true");
  });

  it("are there as soon as they are told of, before the task is done", async () => {
    world();
    open(SESSION);
    await screen.findByText("Fix the fee", { selector: "p" }, SLOW);
    await waitFor(() => expect(FakeSocket.opened[0]?.sent).not.toHaveLength(0));
    act(() =>
      FakeSocket.say({
        type: "event",
        event: {
          seq: 11,
          at: later(11),
          session_id: "s1",
          task_id: "t1",
          type: "task.findings",
          data: { attempt: 1, findings: [doubt({})] },
        },
      }),
    );
    expect(await screen.findByText("The test test_fee is skipped now.")).toBeVisible();
  });

  it("turn the word amber until the serious ones are accepted with a reason (BYD-17)", async () => {
    const accepted = { reason: "The service is gone.", at: AT };
    const server = serve(
      world([done({ doubts: [doubt({}), doubt({ id: "d2", kind: "untested", severity: "note" })] })]),
      run(),
    );
    server.on("POST /api/tasks/t1/doubts/d1/accept", () => done({ doubts: [doubt({ accepted })] }));
    open(SESSION);
    const word = await screen.findByText("Passed, doubtful", { selector: "header span" }, SLOW);
    expect(word.parentElement).toHaveClass("text-warn");
    expect(screen.getByText(/The checks passed, but there are serious doubts below/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /^Accept this doubt/ }));
    const dialog = screen.getByRole("dialog", { name: "Accept this doubt" });
    expect(within(dialog).getByRole("button", { name: "Accept" })).toBeDisabled();
    await userEvent.type(within(dialog).getByRole("textbox", { name: "Why it is all right" }), accepted.reason);
    await userEvent.click(within(dialog).getByRole("button", { name: "Accept" }));
    await waitFor(() =>
      expect(server.sent("POST /api/tasks/t1/doubts/d1/accept").map((sent) => sent.body)).toEqual([
        { reason: accepted.reason, attempt: 1 },
      ]),
    );
  });

  it("leave the word green once they are accepted (BYD-17)", async () => {
    const accepted = { reason: "The service is gone.", at: AT };
    serve(world([done({ doubts: [doubt({ accepted })] })]), run());
    open(SESSION);
    const word = await screen.findByText("Verified", { selector: "header span" }, SLOW);
    expect(word.parentElement).toHaveClass("text-ok");
    expect(screen.getByText(/Accepted: The service is gone./)).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Accept this doubt/ })).toBeNull();
  });

  it("are told apart by what they are about", () => {
    expect([
      groupOf("assertion_weakened"),
      groupOf("outside_boundary"),
      groupOf("untested"),
      groupOf("no_tests_ran"),
      groupOf("test_not_run"),
    ]).toEqual(["tampering", "scope", "untested", "untested", "untested"]);
    expect(compared([run()])).toBeNull();
    expect(compared([run({ purpose: "base_tests" }), run({ attempt: 2 }), run()])?.now.attempt).toBe(1);
  });
});

describe("a stuck task (TSK-10)", () => {
  const stuck = task({
    status: "STUCK",
    run_id: FAILED.run_id,
    loop: { total: 12, of: 12, replans: 3 },
    finished_at: AT,
    actions: [],
    summary: "I tried.",
  });
  const report = {
    task_id: "t1",
    attempt: 1,
    created_at: AT,
    request: "Fix the fee",
    constraints: ["no new packages"],
    non_goals: [],
    boundaries: [],
    reason: "3 fixes in a row left the files exactly as they were.",
    hypotheses: ["The table is wrong"],
    account: "I tried it all.",
    files: ["fees.py"],
    markdown: "# Stuck report\n",
    runs: [{ run_id: FAILED.run_id, loop: 1, check: "tests", first_failing_line: "\u001b[31mE assert\u001b[0m" }],
  };

  it("has a report to read, and a new task starts from it", async () => {
    const server = serve(world([stuck]), FAILED).on("GET /api/tasks/t1/stuck-report", () => report);
    open(SESSION);
    await userEvent.click(await screen.findByRole("link", { name: "Read the report" }, SLOW));
    const page = await screen.findByRole("article", { name: "Stuck report" }, SLOW);
    expect(await within(page).findByText("The table is wrong")).toBeVisible();
    expect(within(page).getByText("E assert")).toBeVisible();
    expect(within(page).getByRole("link", { name: "fees.py" })).toBeVisible();
    await userEvent.click(within(page).getByRole("button", { name: "Start a new task from this report" }));
    const box = screen.getByRole("textbox", { name: "Your request" });
    expect(box).toHaveValue("Fix the fee");
    expect(box).toHaveFocus();
    expect(screen.getByText(/Starts from the report of a stuck task/)).toBeVisible();
    await userEvent.type(box, " otherwise{Enter}");
    await waitFor(() =>
      expect(server.sent("POST /api/sessions/p1/fix/messages")[0]?.body).toMatchObject({
        text: "Fix the fee otherwise",
        from_stuck: "t1",
      }),
    );
    await waitFor(() => expect(screen.queryByText(/Starts from the report/)).toBeNull());
  });

  it("need not be started from", async () => {
    serve(world([stuck]), FAILED);
    open(SESSION);
    await userEvent.click(await screen.findByRole("button", { name: "Start a new task from this report" }, SLOW));
    await userEvent.click(screen.getByRole("button", { name: "Do not start from the report" }));
    expect(readDraft(draftKeys.fromStuck("p1", "fix"))).toBe("");
    writeDraft(draftKeys.session("p1", "fix"), "");
  });

  it("says that auto-fix took its changes back, and offers them again (WEB-7)", async () => {
    serve(world([{ ...stuck, auto_fix: true, rolled_back: true, rollback_id: "r1" }]), FAILED);
    open(SESSION);
    expect(await screen.findByText(/^Rolled back automatically/, {}, SLOW)).toBeVisible();
    expect(screen.getByText(/Its changes were rolled back automatically/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Undo the rollback" })).toBeEnabled();
  });
});

describe("the steps (TSK-5)", () => {
  it("name scouts, failing checks and the tests as they were", () => {
    expect(titleOf(step({ kind: "scout", name: "scout A" }))).toBe("Scout A");
    expect(titleOf(step({ kind: "verify", name: "base tests" }))).toBe("Earlier tests on the new code");
    expect(outcomeOf(step({ kind: "verify", name: "tests", outcome: "failed" }))).toBe("failed: tests");
    expect(outcomeOf(step({ kind: "verify", outcome: "infrastructure" }))).toBe("could not be run");
    expect(outcomeOf(step({ outcome: "crashed", exit_code: 3 }))).toBe("crashed, exit code 3");
    expect(outcomeOf(step({ outcome: null }))).toBe("running");
  });

  it("set out what is JSON, and leave what only looks like it", () => {
    expect(readable('```json\n{"files": []}\n```')).toEqual({ text: '{\n  "files": []\n}', json: true });
    expect(readable("{not json")).toEqual({ text: "{not json", json: false });
    expect(readable("The level was too low.").json).toBe(false);
  });

  it("show the run of a verification, and a scout's answer", async () => {
    const steps = [
      step({ id: "a", kind: "scout", name: "scout A", answer: '{"flaky":false}' }),
      step({ id: "b", number: 2, kind: "verify", outcome: "failed", name: "tests", run_id: FAILED.run_id }),
    ];
    serve(world([done()]), run(), FAILED).on("GET /api/tasks/t1/steps", () => ({
      items: [{ number: 1, mode: "first", started_at: AT, finished_at: AT, outcome: "done", output_bytes: 0, steps }],
    }));
    open(`${SESSION}?task=t1&view=steps`);
    await userEvent.click(await screen.findByRole("button", { name: /Scout A done/ }, SLOW));
    expect(screen.getByText('"flaky": false')).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /Verify failed: tests/ }));
    expect(await screen.findByText("E assert 5 == 6")).toBeVisible();
    expect(screen.getByText("exit 1")).toBeVisible();
    expect(screen.getByText("not reached")).toBeVisible();
  });
});

describe("the counter of a running verification (TSK-5)", () => {
  it("is said once, and as the next one between two", () => {
    const milestone = { code: "verifying", at: AT, current: 1, total: 12 };
    expect(counterOf({ ...milestone, text: "Running verification" })).toBe("Verification 1 of 12");
    expect(counterOf({ ...milestone, current: 2, text: "Verification 2 of 12: tests (1 of 2)" })).toBe("");
    expect(counterOf({ ...milestone, code: "debugging", current: 2, text: "Verification failed, debugging" })).toBe(
      "next: verification 2 of 12",
    );
    expect(counterOf({ ...milestone, current: null, total: null, text: "Making changes" })).toBe("");
  });

  it("comes with the check's own output, colours kept, in the output pane", async () => {
    world();
    open(`${SESSION}?task=t1&view=output`);
    await screen.findByText("Fix the fee", { selector: "p" }, SLOW);
    await waitFor(() => expect(FakeSocket.opened[0]?.sent.at(-1)).toContain("t1"));
    const verifying = {
      ...events.milestone(11, "Running verification"),
      data: { attempt: 1, code: "verifying", text: "Running verification", current: 3, total: 12 },
    };
    act(() =>
      FakeSocket.say(
        { type: "event", event: verifying },
        { type: "output", task_id: "t1", attempt: 1, offset: 12, text: "\u001b[31mFAILED\u001b[0m\n" },
      ),
    );
    expect(await screen.findByText("Verification 3 of 12")).toBeVisible();
    for (const line of await screen.findAllByText("FAILED")) expect(line).toHaveClass("ansi-1");
  });
});
