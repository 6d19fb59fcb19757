import { describe, expect, it } from "vitest";
import { argv, commandLine, listed } from "./one-line";

describe("what a person writes in one line (BYD-1)", () => {
  it("is a program and its arguments", () => {
    expect(argv("my-agent --acp")).toEqual(["my-agent", "--acp"]);
    expect(argv(`  run "two words" 'it''s' "" a\\ b `)).toEqual(["run", "two words", "its", "", "a b"]);
    expect(argv("")).toEqual([]);
    expect(argv('open "end')).toBeNull();
  });

  it("can be written again as it was meant", () => {
    for (const words of [
      ["a", "b c", ""],
      ['say "x"', "back\\slash", "it's"],
      ["/opt/agent", "--port=3"],
    ])
      expect(argv(commandLine(words))).toEqual(words);
  });

  it("is a list without repetitions", () => {
    expect(listed(" A, B,,A ")).toEqual(["A", "B"]);
  });
});
