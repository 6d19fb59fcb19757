import { describe, expect, it } from "vitest";
import { readDraft, returnToDraft, writeDraft } from "./draft";

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
