import { describe, expect, it } from "vitest";
import { events } from "@/test/fixtures";
import { entryOf } from "./timeline";

describe("the filtered output (FTR-17)", () => {
  it("keeps milestones, questions, steps and errors", () => {
    const texts = [
      events.milestone(1, "Making changes"),
      events.asked(2, "Which?"),
      events.stepStarted(3),
      events.failed(4),
      events.attemptStarted(5),
      events.completed(6),
    ].map((event) => entryOf(event)?.text);
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
    expect(entryOf(events.toolFinished(1))).toBeNull();
    expect(entryOf(events.toolFinished(1, false))).toEqual({ text: "pytest failed with exit code 1", tone: "bad" });
  });

  it("does not alarm about a step that ended to ask for a permission", () => {
    const tones = ["done", "asked", "permission", "crashed"].map(
      (outcome) => entryOf(events.stepFinished(1, outcome))?.tone,
    );
    expect(tones).toEqual(["dim", "dim", "dim", "bad"]);
  });

  it("names replies, given and given again (WEB-5)", () => {
    expect(entryOf(events.replied(1))?.text).toBe("You answered: A");
    expect(entryOf(events.replied(1, true))?.text).toBe("Your earlier answer was given again: A");
    expect(
      [
        events.cancelled(1),
        events.resumed(2),
        events.rolledBack(3),
        events.undone(4),
        events.awaiting(5),
        events.toolStarted(6),
      ].every((event) => entryOf(event) !== null),
    ).toBe(true);
    expect([events.held(1), events.renamed(2)].map(entryOf)).toEqual([null, null]);
  });
});
