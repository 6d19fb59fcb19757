import { afterEach, describe, expect, it } from "vitest";
import { copyText } from "./clipboard";
import { readDraft, returnToDraft, writeDraft } from "./draft";
import { isTyping } from "./keys";
import { bytes, money, plural } from "./numbers";
import { duration, relative } from "./time";

describe("words for numbers and times", () => {
  it("say durations as people do", () => {
    expect([900, 59_000, 125_000, 1_800_000, 7_500_000, 300_000_000].map(duration)).toEqual([
      "0 s",
      "59 s",
      "2 min 05 s",
      "30 min",
      "2 h 05 min",
      "3 d",
    ]);
  });

  it("say times relative to now", () => {
    expect(relative(0, 3_600_000)).toContain("1");
    expect(relative(0, 1000)).toBe("now");
  });

  it("say money, sizes and counts", () => {
    expect([money(0), money(0.004), money(1.5), money(250)]).toEqual(["$0", "$0.004", "$1.50", "$250"]);
    expect([bytes(10), bytes(2048), bytes(3_145_728)]).toEqual(["10 B", "2 KB", "3.0 MB"]);
    expect([plural(1, "file", "files"), plural(1200, "file", "files")]).toEqual(["1 file", "1,200 files"]);
  });
});

describe("drafts", () => {
  it("outlive the page until they are emptied (WEB-9)", () => {
    writeDraft("sent", "words");
    expect(localStorage.getItem("pilothouse.draft.sent")).toBe("words");
    writeDraft("sent", "");
    expect([readDraft("sent"), localStorage.getItem("pilothouse.draft.sent")]).toEqual(["", null]);
  });

  it("come back without losing what stands there now (TSK-3)", () => {
    writeDraft("k", "typed since");
    returnToDraft("k", "taken back");
    expect(readDraft("k")).toBe("taken back\n\ntyped since");
    writeDraft("k", "");
    returnToDraft("k", "taken back");
    expect(readDraft("k")).toBe("taken back");
    returnToDraft("k", "taken back");
    expect(readDraft("k")).toBe("taken back");
  });
});

describe("copying without a secure context (PLT-2)", () => {
  afterEach(() => {
    Reflect.deleteProperty(document, "execCommand");
  });

  it("goes by way of a text area and gives the focus back", async () => {
    const copied: string[] = [];
    Object.defineProperty(document, "execCommand", {
      configurable: true,
      value: () => {
        const area = document.querySelector("textarea");
        copied.push(area?.value ?? "");
        return true;
      },
    });
    const button = document.createElement("button");
    document.body.append(button);
    button.focus();
    expect(await copyText("hello")).toBe(true);
    expect(copied).toEqual(["hello"]);
    expect(document.activeElement).toBe(button);
    expect(document.querySelector("textarea")).toBeNull();
    expect([isTyping(button), isTyping(document.createElement("input"))]).toEqual([false, true]);
  });
});
