import { describe, expect, it } from "vitest";
import type { Check } from "@/api/types";
import { draftOf, emptyDraft, faultsOf, inputOf, isSame, moved, readTime, shownTime } from "./draft";
import { offsetOf } from "./yaml-text";

const tests: Check = {
  name: "tests",
  command: ["pytest", "-q", "a b"],
  shown: "pytest -q 'a b'",
  timeout_seconds: 600,
  folder: "",
  source: "pytest.ini",
};

describe("a check as a person edits it (TSK-12)", () => {
  it("keeps a program's arguments until its text is changed", () => {
    const draft = draftOf(tests);
    expect(inputOf(draft)).toEqual({
      name: "tests",
      command: ["pytest", "-q", "a b"],
      timeout_seconds: 600,
      folder: "",
    });
    expect(inputOf({ ...draft, command: "pytest -x " }).command).toBe("pytest -x");
    expect(isSame([draft], [tests])).toBe(true);
    expect(isSame([{ ...draft, timeout: "600" }], [tests])).toBe(true);
    expect(isSame([{ ...draft, folder: "api" }], [tests])).toBe(false);
  });

  it("reads and shows times as agent.yaml does", () => {
    expect([90, 600, 3600, 5400].map(shownTime)).toEqual(["90s", "10m", "1h", "90m"]);
    expect(["90", "90s", "10m", " 1.5H "].map(readTime)).toEqual([90, 90, 600, 5400]);
    expect(["", "0", "25h", "ten", "-1s", "1 d"].map(readTime)).toEqual([null, null, null, null, null, null]);
  });

  it("says what is missing, field by field", () => {
    const one = draftOf(tests);
    const empty = emptyDraft();
    expect(Object.keys(faultsOf(empty, [one, empty]))).toEqual(["name", "command"]);
    expect(faultsOf({ ...empty, name: "tests", command: "x" }, [one, empty])).toEqual({
      name: "Another check has this name.",
    });
    expect(faultsOf({ ...one, timeout: "soon" }, [one])).toHaveProperty("timeout");
    expect(faultsOf({ ...one, name: "a/b" }, [one])).toHaveProperty("name");
    expect(faultsOf(one, [one, empty])).toEqual({});
  });

  it("moves up and down", () => {
    const [one, two, three] = [draftOf(tests), emptyDraft(), emptyDraft()];
    expect(moved([one, two, three], 2, 1)).toEqual([one, three, two]);
    expect(moved([one, two, three], 0, 1)).toEqual([two, one, three]);
  });
});

it("finds the place that a line and a column name (TSK-11)", () => {
  expect(offsetOf("ab\ncde\n", 2, 2)).toBe(4);
  expect(offsetOf("ab", 9, 9)).toBe(2);
});
