import { describe, expect, it } from "vitest";
import { LogWindow, PAGE_BYTES } from "./window";

const encoder = new TextEncoder();
const size = (text: string) => encoder.encode(text).length;
const numbered = (lines: number) =>
  Array.from({ length: lines }, (_, index) => `line ${index}: ${"x".repeat(index % 40)}\n`).join("");

/** Serves a text as the server does: by byte offset. */
function page(text: string, from: number, limit = PAGE_BYTES) {
  const bytes = encoder.encode(text).slice(from, from + limit);
  return { from, to: from + bytes.length, text: new TextDecoder().decode(bytes) };
}

function readAll(log: LogWindow, text: string): void {
  for (let gap = log.gaps(0, log.rows)[0]; gap; gap = log.gaps(0, log.rows)[0]) {
    const part = page(text, gap.from, gap.bytes);
    log.fill(part.from, part.to, part.text);
  }
}

describe("the window on a long output (FTR-17)", () => {
  it("shows every line once, also where pages cut a line in two", () => {
    const text = numbered(6000);
    const log = new LogWindow();
    log.grow(size(text));
    readAll(log, text);
    expect(log.rows).toBe(6000);
    const lines = text.split("\n");
    for (const row of [0, 1, 1500, 3999, 5999]) expect(log.line(row)).toBe(lines[row]);
    expect(Array.from({ length: 6000 }, (_, row) => log.line(row)).join("\n")).toBe(text.trimEnd());
  });

  it("reads only what is looked at, and lets go of what was looked at long ago", () => {
    const text = numbered(20_000).replaceAll(":", `: ${"y".repeat(200)}`);
    const log = new LogWindow();
    log.grow(size(text));
    expect(log.rows).toBeGreaterThan(15_000);
    expect(log.loadedSegments).toBe(0);
    const wanted = log.gaps(log.rows - 50, log.rows - 1);
    expect(wanted.length).toBeLessThanOrEqual(2);
    for (const gap of wanted) {
      const part = page(text, gap.from, gap.bytes);
      log.fill(part.from, part.to, part.text);
    }
    expect(log.line(log.rows - 1)).toBe(text.trimEnd().split("\n").at(-1));
    for (let row = 0; row < log.rows; row += 400) {
      for (const gap of log.gaps(row, row + 60)) {
        const part = page(text, gap.from, gap.bytes);
        log.fill(part.from, part.to, part.text);
      }
    }
    expect(log.loadedSegments).toBeGreaterThan(10);
    expect(log.loadedSegments).toBeLessThanOrEqual(48);
  });

  it("guesses the number of unread lines from the first page it reads", () => {
    const text = "0123456789\n".repeat(60_000);
    const log = new LogWindow();
    log.grow(size(text));
    const part = page(text, 0);
    log.fill(part.from, part.to, part.text);
    expect(Math.abs(log.rows - 60_000)).toBeLessThan(600);
  });

  it("takes live text in, joins broken lines, and ignores what it has", () => {
    const log = new LogWindow();
    log.append(0, "one\ntw");
    log.append(6, "o\nthree");
    log.append(0, "one\n");
    log.append(4, "two\nthree!\n");
    expect([0, 1, 2].map((row) => log.line(row))).toEqual(["one", "two", "three!"]);
    expect(log.total).toBe(15);
    expect(log.exact).toBe(true);
  });

  it("turns what was missed between two live pieces into a gap to be read", () => {
    const log = new LogWindow();
    log.append(0, "a\n");
    log.append(6, "d\n");
    expect(log.gaps(0, log.rows - 1)).toEqual([{ from: 2, bytes: 4 }]);
    log.fill(2, 6, "b\nc\n");
    expect([0, 1, 2, 3].map((row) => log.line(row))).toEqual(["a", "b", "c", "d"]);
    expect(log.text()).toEqual({ text: "a\nb\nc\nd", lines: 4 });
  });

  it("counts bytes, not characters", () => {
    const log = new LogWindow();
    log.append(0, "日本\n");
    log.append(7, "語\n");
    expect(log.rows).toBe(2);
    log.append(4, "ignored");
    expect(log.line(1)).toBe("語");
  });

  it("tells by how much rows above moved, so that the view can stay where it is", () => {
    const log = new LogWindow();
    log.grow(PAGE_BYTES * 3);
    const before = log.rows;
    const { row, moved } = log.fill(0, PAGE_BYTES, "\n".repeat(PAGE_BYTES));
    expect(row).toBe(0);
    expect(moved).toBe(log.rows - before);
    expect(moved).toBeGreaterThan(60_000);
  });

  it("does not ask for ever for a page that came back empty", () => {
    const log = new LogWindow();
    log.grow(100);
    log.fill(0, 0, "");
    expect(log.gaps(0, 10)).toEqual([]);
  });
});
