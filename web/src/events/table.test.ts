import { describe, expect, it } from "vitest";
import type { Event } from "@/api/types";
import { events, ofTheServer } from "@/test/events";
import { staleAfter, timelineLine } from "./table";

const keys = (event: Event) => staleAfter(event).map((key) => key.join("/"));

describe("the filtered output (FTR-17)", () => {
  it("keeps milestones, questions, steps and errors", () => {
    const texts = [
      events.milestone(1, "Making changes"),
      events.asked(2, "Which?"),
      events.stepStarted(3),
      events.failed(4),
      events.attemptStarted(5),
      events.completed(6),
    ].map((event) => timelineLine(event)?.text);
    expect(texts).toEqual([
      "Making changes",
      "Asked: Which?",
      "Step 1: Edit",
      "Failed: It broke",
      "Attempt 2: after your reply",
      "Complete: Verified",
    ]);
  });

  it("says a tool's failure but not its success", () => {
    expect(timelineLine(events.toolFinished(1))).toBeNull();
    expect(timelineLine(events.toolFinished(1, false))).toEqual({
      text: "pytest failed with exit code 1",
      tone: "bad",
    });
  });

  it("does not alarm about a step that ended to ask for a permission", () => {
    const tones = ["done", "asked", "permission", "crashed"].map(
      (outcome) => timelineLine(events.stepFinished(1, outcome))?.tone,
    );
    expect(tones).toEqual(["dim", "dim", "dim", "bad"]);
  });

  it("names replies, given and given again (WEB-5)", () => {
    expect(timelineLine(events.replied(1))?.text).toBe("You answered: A");
    expect(timelineLine(events.replied(1, true))?.text).toBe("Your earlier answer was repeated: A");
    expect(
      [
        events.cancelled(1),
        events.resumed(2),
        events.rolledBack(3),
        events.undone(4),
        events.awaiting(5),
        events.toolStarted(6),
      ].every((event) => timelineLine(event) !== null),
    ).toBe(true);
    expect([events.held(1), events.renamed(2)].map(timelineLine)).toEqual([null, null]);
  });
});

describe("what an event makes stale", () => {
  it("is the task, its lists and its diff once it has ended", () =>
    expect(keys(events.completed(1))).toEqual(
      expect.arrayContaining(["task/t1", "tasks", "sessions", "diff/t1", "queues"]),
    ));

  it("is what can be resumed, and the diff, once an interrupted attempt is closed with its state saved (WEB-1)", () => {
    expect(keys(events.attemptFinished(1, "interrupted"))).toEqual(
      expect.arrayContaining(["resume-options/t1", "task/t1", "steps/t1", "diff/t1", "queues"]),
    );
  });

  it("is what the installation has to say when processes were left (WEB-1)", () =>
    expect(keys({ ...ofTheServer(1), type: "guard.strays", data: { ended: [], remaining: ["1 x"] } })).toEqual([
      "state",
    ]));

  it("is nothing for a milestone, which says everything itself", () =>
    expect(keys(events.milestone(1, "x"))).toEqual([]));

  it("is the queue for a hold, the lists for a rename, everything for a restart", () => {
    expect(keys(events.held(1))).toEqual(["queues", "projects"]);
    expect(keys(events.renamed(1))).toEqual(["sessions", "session", "projects"]);
    expect(
      keys({ ...ofTheServer(1), type: "runner.started", data: { boot_id: "b", version: "1", interrupted: 1 } }),
    ).toContain("state");
    expect(
      keys({ ...ofTheServer(1), type: "project.added", data: { project_id: "p", path: "/p", name: "p" } }),
    ).toEqual(["projects"]);
  });
});
