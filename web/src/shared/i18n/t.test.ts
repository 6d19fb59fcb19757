import { afterEach, expect, it, vi } from "vitest";
import { filled, say, t } from "./t";

afterEach(() => {
  document.documentElement.lang = "";
  document.head.innerHTML = "";
});

it("a number decides the form of a text and is written as one (PLT-11)", () => {
  const files = { one: "{count} file", other: "{count} files" };
  expect([say(files, { count: 1 }), say(files, { count: 1200 })]).toEqual(["1 file", "1,200 files"]);
});

it("what stands in braces is replaced once, and only what was given (PLT-11)", () => {
  expect(say("{a} {b} {c}", { a: "{b}", b: "$&" })).toBe("{b} $& {c}");
});

it("a language that lags behind is filled up with English (PLT-11)", () => {
  const words = filled(t, { common: { close: "«Close»" }, task: { files: { other: "«{count}»" } } });
  expect([words.common.close, words.common.dismiss]).toEqual(["«Close»", t.common.dismiss]);
  expect(say(words.task.files, { count: 2 })).toBe("«2»");
  expect(words.nav).toEqual(t.nav);
});

it("the page speaks the language that the server wrote into it (PLT-11)", async () => {
  document.documentElement.lang = "xx";
  const words = { plurals: { two: "2$" }, page: { task: { files: { two: "«two»", other: "«{count}»" } } } };
  document.head.innerHTML = `<script id="words" type="application/json">${JSON.stringify(words)}</script>`;
  vi.resetModules();
  const page = await import("./t");
  expect([2, 3].map((count) => page.say(page.t.task.files, { count }))).toEqual(["«two»", "«3»"]);
  expect(page.t.common.close).toBe("Close");
});
