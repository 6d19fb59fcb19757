import { expect, it } from "vitest";
import { events } from "@/test/events";
import { readFrame } from "./frames";

const notification = { type: "notification", tag: "t1:question:1", title: "Asks you: Fix", body: "Which?" };

it("PLT-7 takes a notification out of a frame", () =>
  expect(readFrame(JSON.stringify([notification, { type: "notification" }])).items).toEqual([notification]));

it("passes over what a newer server says, and counts it (PLT-2)", () => {
  const known = { type: "event", event: events.milestone(1, "x") };
  const newer = { type: "event", event: { ...events.milestone(2, "x"), type: "task.sung" } };
  expect(readFrame(JSON.stringify([known, newer, { type: "unheard-of" }, 7]))).toEqual({ items: [known], seq: 2 });
});
