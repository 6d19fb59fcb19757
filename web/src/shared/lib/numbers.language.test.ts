import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  document.documentElement.lang = "";
});

it("numbers, times and lists are written as the reader's language does (BYD-11)", async () => {
  document.documentElement.lang = "de";
  vi.resetModules();
  const { bytes, listed, money, percent } = await import("./numbers");
  const { took } = await import("./time");
  expect([money(1.5), bytes(3_145_728), percent(0.934), took(1400)].map((text) => text.replace(/\s/g, " "))).toEqual([
    "1,50 $",
    "3,0 MB",
    "93 %",
    "1,4 Sek.",
  ]);
  expect(listed(["a", "b", "c"])).toBe("a, b und c");
});
