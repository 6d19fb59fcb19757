import { describe, expect, it } from "vitest";
import { events, later } from "@/test/fixtures";
import { receiveItems, staleAfter } from "./connection";
import { readFrame } from "./frames";
import { EMPTY, useLive } from "./live";
import { watchOutput } from "./output";
import type { Event } from "./types";

const keys = (event: Event) => staleAfter(event).map((key) => key.join("/"));

describe("what an event makes stale", () => {
  it("is the task, its lists and its diff once it has ended", () => {
    expect(keys(events.completed(1))).toEqual(
      expect.arrayContaining(["task/t1", "tasks", "sessions", "diff/t1", "queues"]),
    );
  });

  it("is what can be resumed, and the diff, once an interrupted attempt is closed with its state saved (WEB-1)", () => {
    const finished: Event = {
      seq: 1,
      at: later(1),
      session_id: "s1",
      task_id: "t1",
      type: "attempt.finished",
      data: { attempt: 1, outcome: "interrupted", duration_ms: 1 },
    };
    expect(keys(finished)).toEqual(
      expect.arrayContaining(["resume-options/t1", "task/t1", "steps/t1", "diff/t1", "queues"]),
    );
  });

  it("is what the installation has to say when processes were left (WEB-1)", () => {
    expect(
      keys({
        seq: 1,
        at: later(1),
        session_id: null,
        task_id: null,
        type: "guard.strays",
        data: { ended: [], remaining: ["1 x"] },
      }),
    ).toEqual(["state"]);
  });

  it("is nothing for a milestone, which says everything itself", () => {
    expect(keys(events.milestone(1, "x"))).toEqual([]);
  });

  it("is the queue for a hold, the lists for a rename, everything for a restart", () => {
    expect(keys(events.held(1))).toEqual(["queues", "projects"]);
    expect(keys(events.renamed(1))).toEqual(["sessions", "session", "projects"]);
    expect(
      keys({
        seq: 1,
        at: later(1),
        session_id: null,
        task_id: null,
        type: "runner.started",
        data: { boot_id: "b", version: "1", interrupted: 1 },
      }),
    ).toContain("state");
    expect(
      keys({
        seq: 1,
        at: later(1),
        session_id: null,
        task_id: null,
        type: "project.added",
        data: { project_id: "p", path: "/p", name: "p" },
      }),
    ).toEqual(["projects"]);
  });
});

describe("a frame (PLT-2)", () => {
  it("is drawn once, whatever is in it, and asks for nothing twice", () => {
    useLive.setState({ ...EMPTY });
    const due: string[] = [];
    const refresh = {
      stale: (...stale: (readonly unknown[])[]) => {
        due.push(...stale.map((key) => key.join("/")));
      },
    };
    const got: string[] = [];
    const stop = watchOutput("t1", (item) => {
      got.push(item.text);
    });
    let drawn = 0;
    const end = useLive.subscribe(() => {
      drawn += 1;
    });
    const { items } = readFrame(
      JSON.stringify([
        { type: "event", event: events.toolStarted(1) },
        { type: "event", event: events.completed(2) },
        { type: "output", task_id: "t1", attempt: 1, offset: 0, text: "x" },
        { type: "progress", task_id: "t1", attempt: 1, kind: "heartbeat", tool: null, detail: null, age_seconds: null },
        { type: "queue", workspace_id: "w1" },
        { type: "runner", state: "stopped" },
        { type: "ready", seq: 2 },
        { type: "ping" },
        { type: "unheard-of" },
        7,
      ]),
    );
    const known: Event[] = [events.toolStarted(1)];
    const grown: (Event[] | undefined)[] = [];
    const client = {
      setQueryData: (_: unknown, update: unknown) => {
        if (typeof update === "function") grown.push(update(known));
        return undefined;
      },
    };
    receiveItems(items, refresh, client);
    expect(drawn).toBe(1);
    expect(got).toEqual(["x"]);
    expect(due).toEqual(expect.arrayContaining(["task/t1", "queues", "runner"]));
    expect(grown.map((list) => list?.length)).toEqual([1, 2]);
    stop();
    end();
  });
});
