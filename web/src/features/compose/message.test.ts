import { describe, expect, it } from "vitest";
import { afterSending, changedOptions, messageOf, NO_OPTIONS, readOptions, writtenOptions } from "./message";

describe("options of a message (WEB-7)", () => {
  it("are sent as the person set them", () => {
    expect(messageOf(" Do it ", { ...NO_OPTIONS, dryRun: true, autoFix: true, scouts: "off" })).toMatchObject({
      text: "Do it",
      dry_run: true,
      auto_fix: true,
      scouts: false,
    });
    expect(messageOf("x", { ...NO_OPTIONS, scouts: "on" }).scouts).toBe(true);
    expect(messageOf("x", NO_OPTIONS)).toMatchObject({ dry_run: false, auto_fix: false, scouts: null, agent: null });
  });

  it("carry a budget where a number was typed (GRD-8)", () => {
    const set = { ...NO_OPTIONS, budgetUsd: "1.50", budgetMinutes: "0", budgetTokens: "10.2" };
    expect(messageOf("x", set)).toMatchObject({ budget_usd: 1.5, budget_minutes: null, budget_tokens: 11 });
    expect(messageOf("x", NO_OPTIONS)).toMatchObject({ budget_usd: null, budget_minutes: null, budget_tokens: null });
    expect(changedOptions(set)).toBe(2);
    expect(readOptions(writtenOptions(set))).toEqual(set);
  });

  it("outlive a reload, and nothing is kept of the usual ones", () => {
    const set = { ...NO_OPTIONS, agent: "rehearsal", dryRun: true, scouts: "on" as const, boundaries: ["src/"] };
    expect(readOptions(writtenOptions(set))).toEqual(set);
    expect(writtenOptions(NO_OPTIONS)).toBe("");
    expect(readOptions("")).toEqual(NO_OPTIONS);
  });

  it("are the usual ones where what was kept cannot be understood", () => {
    expect(readOptions("{broken")).toEqual(NO_OPTIONS);
    expect(readOptions("7")).toEqual(NO_OPTIONS);
    expect(readOptions('{"timeout":"endless","scouts":1,"dryRun":"yes","constraints":["a",2]}')).toEqual({
      ...NO_OPTIONS,
      constraints: ["a"],
    });
  });

  it("stay on in a thread but for the scope, and not in a new chat", () => {
    const set = {
      ...NO_OPTIONS,
      agent: "a",
      dryRun: true,
      autoFix: true,
      constraints: ["c"],
      timeout: "long" as const,
    };
    expect(afterSending(set, true)).toEqual({ ...NO_OPTIONS, agent: "a", dryRun: true, autoFix: true });
    expect(afterSending(set, false)).toEqual({ ...NO_OPTIONS, agent: "a" });
    expect(changedOptions(set)).toBe(2);
  });
});
