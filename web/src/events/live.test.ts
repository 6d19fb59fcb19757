import { describe, expect, it } from "vitest";
import { events } from "@/test/events";
import { later, task } from "@/test/fixtures";
import { applyEvent, applyProgress } from "./live";
import { withLive } from "./snapshot";
import { EMPTY, type Live } from "./state";
import type { Event } from "@/api/types";

const after = (...list: Event[]): Live => list.reduce(applyEvent, EMPTY);
const live = (...list: Event[]) => after(...list).tasks.t1;

describe("the event reducer (TSK-5)", () => {
  it("applies an event once however often it comes (PLT-2)", () => {
    const once = after(events.toolStarted(1), events.milestone(2, "Making changes"));
    expect([events.toolStarted(1), events.milestone(2, "Old")].reduce(applyEvent, once)).toBe(once);
  });

  it("shows the milestone with its progress", () =>
    expect(live(events.milestone(1, "Verification 3 of 12"))?.milestone).toMatchObject({
      text: "Verification 3 of 12",
      current: 3,
      total: 12,
    }));

  it("names an open tool until it has finished (WEB-11)", () => {
    expect(live(events.toolStarted(1))?.tools).toMatchObject([{ detail: "pytest" }]);
    expect(live(events.toolStarted(1), events.toolFinished(2))?.tools).toEqual([]);
  });

  it.each([
    ["awaiting", events.awaiting(1), "AWAITING_RESPONSE"],
    ["completed", events.completed(1), "COMPLETE"],
    ["failed", events.failed(1), "ERROR"],
    ["cancelled", events.cancelled(1), "CANCELLED"],
    ["replied", events.replied(1), "QUEUED"],
    ["resumed", events.resumed(1), "QUEUED"],
    ["attempt started", events.attemptStarted(1), "RUNNING"],
  ])("moves a task on when it is told: %s", (_, event, status) =>
    expect(withLive(task(), live(event)).status).toBe(status),
  );

  it("does not requeue a task because a recorded reply was given again (WEB-5)", () =>
    expect(live(events.replied(1, true))?.change).toBeNull());

  it("remembers a rollback until it is undone (WEB-13)", () => {
    expect(withLive(task(), live(events.rolledBack(1))).rollback_id).toBe("r1");
    expect(withLive(task({ rollback_id: "r1" }), live(events.rolledBack(1), events.undone(2))).rollback_id).toBeNull();
  });

  it("knows held workspaces (TSK-17) and new titles", () => {
    expect(after(events.held(1)).holds.w1).toEqual({ held: true, reason: "wait" });
    expect(after(events.held(1), events.released(2)).holds.w1?.held).toBe(false);
    expect(after(events.renamed(1)).sessions.s1?.title).toBe("Better");
  });

  it("takes a sign of life for what it is", () => {
    const next = applyProgress(
      EMPTY,
      { type: "progress", task_id: "t1", attempt: 1, kind: "tool", tool: "run", detail: "pytest", age_seconds: 120 },
      200_000,
    );
    expect(next.tasks.t1?.busy).toEqual({ name: "pytest", since: 80_000 });
    expect(next.tasks.t1?.change).toBeNull();
  });
});

describe("snapshots and events together", () => {
  it("never lets an older event undo a newer snapshot", () => {
    const newer = task({ status: "COMPLETE", verdict: "PASS", updated_at: later(60), milestone: "Done" });
    const merged = withLive(newer, live(events.milestone(1, "Old"), events.awaiting(2)));
    expect(merged).toMatchObject({ status: "COMPLETE", milestone: "Done" });
  });

  it("offers nothing until the server has said what may be done now", () => {
    expect(withLive(task(), live(events.awaiting(5))).actions).toEqual([]);
    expect(withLive(task(), undefined).actions).toEqual(["cancel"]);
  });

  it("shows nothing that an earlier attempt asked under the number of a later one (RPL-6, GRD-7)", () => {
    const permission = { tool: "Bash", detail: "make clean", arguments: {}, grant: "Bash" };
    const asked = task({
      status: "AWAITING_RESPONSE",
      awaiting: "question",
      attempt: 1,
      question: "First?",
      plan: "## Plan",
      permission,
      actions: ["reply", "cancel"],
    });
    const again = events.awaiting(9, 2);
    expect(withLive(asked, live(again))).toMatchObject({
      attempt: 2,
      question: null,
      plan: null,
      permission: null,
      form: [],
      actions: [],
    });
    const budget = { kind: "money" as const, scope: "task" as const, message: "Used up.", spent: 1, limit: 1 };
    expect(withLive({ ...asked, budget, choices: ["more", "stop"] }, live(again))).toMatchObject({
      attempt: 2,
      budget: null,
      choices: [],
    });
    expect(withLive({ ...asked, attempt: 2 }, live(again))).toMatchObject({
      attempt: 2,
      question: "First?",
      permission,
      actions: ["reply", "cancel"],
    });
    expect(withLive(asked, live(events.asked(8, "Second?"), again))).toMatchObject({
      attempt: 2,
      question: "Second?",
      permission: null,
    });
  });

  it("carries the question and the outcome over", () => {
    expect(withLive(task(), live(events.asked(1, "Which?"), events.awaiting(2)))).toMatchObject({
      question: "Which?",
      awaiting: "question",
      options: [{ value: "A" }],
    });
    expect(withLive(task(), live(events.completed(3)))).toMatchObject({
      verdict: "PASS",
      summary: "Done",
      files_changed: 2,
      insertions: 5,
    });
  });
});
