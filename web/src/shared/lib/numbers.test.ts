import { expect, it } from "vitest";
import { bytes, money, positive } from "./numbers";

it("say money and sizes", () => {
  expect([money(0), money(0.004), money(1.5), money(250)]).toEqual(["$0", "$0.004", "$1.50", "$250"]);
  expect([bytes(10), bytes(2048), bytes(3_145_728)]).toEqual(["10B", "2kB", "3.0MB"]);
});

it("are read as a person writes them, and only above zero (BYD-1)", () => {
  expect([positive(""), positive(" 2.5"), positive("2,5")]).toEqual([null, 2.5, 2.5]);
  for (const text of ["0", "-1", "much", "1e9"]) expect(positive(text)).toBeUndefined();
});
