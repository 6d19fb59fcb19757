import { describe, expect, it } from "vitest";
import { watchOutput } from "@/api/output";
import { events } from "@/test/events";
import { receiveItems, type Refresh } from "./feed";
import { readFrame } from "./frames";
import { useLive } from "./live";
import { EMPTY } from "./state";
import type { Event } from "@/api/types";

describe("a frame (PLT-2)", () =>
  it("is drawn once, whatever is in it, and asks for nothing twice", () => {
    useLive.setState({ ...EMPTY });
    const due: string[] = [];
    const refresh: Refresh = (...stale) => {
      due.push(...stale.map((key) => key.join("/")));
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
  }));
