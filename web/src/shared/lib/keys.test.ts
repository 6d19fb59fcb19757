import { expect, it } from "vitest";
import { isTyping } from "./keys";

it("belong to what is typed in, and to nothing else (PLT-2)", () => {
  expect([document.createElement("button"), document.createElement("input")].map(isTyping)).toEqual([false, true]);
});
