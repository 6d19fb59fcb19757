import { afterEach, describe, expect, it } from "vitest";
import { copyText } from "./clipboard";

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
  });
});
