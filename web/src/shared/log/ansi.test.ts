import { describe, expect, it } from "vitest";
import { plain, spans } from "./ansi";

const E = "\u001b";

describe("terminal colours (FTR-17)", () => {
  it("become classes, with what ends them", () =>
    expect(spans(`${E}[1;31mred${E}[0m plain ${E}[92mgreen${E}[39m`)).toEqual([
      { text: "red", className: "font-semibold ansi-1", color: null },
      { text: " plain ", className: "", color: null },
      { text: "green", className: "ansi-2", color: null },
    ]));

  it("know the long forms", () => {
    expect(spans(`${E}[38;5;196mx`)[0]?.color).toBe("#ff0000");
    expect(spans(`${E}[38;5;244mx`)[0]?.color).toBe("#808080");
    expect(spans(`${E}[38;2;1;2;3mx`)[0]?.color).toBe("#010203");
    expect(spans(`${E}[38;5;2mx`)[0]?.className).toBe("ansi-2");
    expect(spans(`${E}[2;3;4;48;5;9mx${E}[22;23;24my`).map((span) => span.className)).toEqual([
      "opacity-70 italic underline",
      "",
    ]);
  });

  it("end with a reset that has no number, and may be written with colons", () => {
    expect(spans(`${E}[31mred${E}[mplain`).map((span) => span.className)).toEqual(["ansi-1", ""]);
    expect(spans(`${E}[38:2:1:2:3mx`)[0]?.color).toBe("#010203");
  });

  it("leave no other control sequence behind", () =>
    expect(plain(`${E}]0;title\u0007a${E}[2Kb\u0000${E}[1;1Hc`)).toBe("abc"));

  it("show of an overwritten line what a terminal would", () => expect(plain("10%\r50%\r100%\r")).toBe("100%"));
});
