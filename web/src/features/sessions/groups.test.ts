import { describe, expect, it } from "vitest";
import { applyEvent } from "@/events/live";
import { EMPTY } from "@/events/state";
import { events } from "@/test/events";
import { later, session } from "@/test/fixtures";
import { grouped, groupOf, withLiveSession } from "./groups";

describe("the groups of the home screen (TSK-5)", () => {
  it("follow the status", () =>
    expect(
      (["AWAITING_RESPONSE", "RUNNING", "QUEUED", "COMPLETE", "CANCELLED", "STUCK", "ERROR"] as const).map(groupOf),
    ).toEqual(["needs_you", "running", "queued", "recent", "recent", "recent", "recent"]));

  it("come in the order of urgency and without empty ones", () =>
    expect(grouped([session({ group: "recent" }), session({ group: "needs_you" })]).map((part) => part.group)).toEqual([
      "needs_you",
      "recent",
    ]));

  it("are not moved back by events older than the row", () => {
    const state = [events.milestone(1, "Old"), events.failed(2)].reduce(applyEvent, EMPTY);
    const fresh = session({ updated_at: later(90) });
    expect(withLiveSession(fresh, state.sessions.s1, state.tasks.t1)).toMatchObject({
      group: "running",
      doing: "Making changes",
    });
    expect(withLiveSession(session(), state.sessions.s1, state.tasks.t1)).toMatchObject({
      group: "recent",
      doing: "It broke",
    });
    expect(withLiveSession(session({ current_task_id: "other" }), state.sessions.s1, state.tasks.t1).group).toBe(
      "running",
    );
    expect(withLiveSession(session(), undefined, undefined)).toEqual(session());
  });
});
