export interface Span {
  text: string;
  className: string;
  color: string | null;
}

interface Style {
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  /** One of the sixteen names as a class, or a colour of its own. */
  front: string;
  color: string | null;
}

const PLAIN: Style = { bold: false, dim: false, italic: false, underline: false, front: "", color: null };
// Colours and styles end in `m`; every other sequence (cursor, title, links) has no meaning in a list of lines.
const SEQUENCE = /\u001b(?:\[([0-9;:]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function cube(n: number): string {
  if (n >= 232) {
    const grey = 8 + (n - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const code = n - 16;
  return `rgb(${level(Math.floor(code / 36))} ${level(Math.floor(code / 6) % 6)} ${level(code % 6)})`;
}

/** Reads `38;5;n` or `38;2;r;g;b`; returns how many codes belonged to it. */
function extended(codes: number[], at: number, style: Style): number {
  if (codes[at + 1] === 5) {
    const n = codes[at + 2] ?? 0;
    style.front = n < 16 ? `ansi-${n % 8}` : "";
    style.color = n < 16 ? null : cube(n);
    return 2;
  }
  style.front = "";
  style.color = `rgb(${codes[at + 2] ?? 0} ${codes[at + 3] ?? 0} ${codes[at + 4] ?? 0})`;
  return 4;
}

function applyCodes(style: Style, text: string): Style {
  const codes = text === "" ? [0] : text.split(/[;:]/).map(Number);
  let next = { ...style };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0) next = { ...PLAIN };
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 38) at += extended(codes, at, next);
    else if (code === 48) at += extended(codes, at, { ...PLAIN });
    else if (code === 39) {
      next.front = "";
      next.color = null;
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      next.front = `ansi-${code % 10}`;
      next.color = null;
    }
  }
  return next;
}

function classOf(style: Style): string {
  return [
    style.bold ? "font-semibold" : "",
    style.dim ? "opacity-70" : "",
    style.italic ? "italic" : "",
    style.underline ? "underline" : "",
    style.front,
  ]
    .filter(Boolean)
    .join(" ");
}

/** What a terminal would show of a line in the end: a carriage return starts it over. */
function overwritten(line: string): string {
  const trimmed = line.endsWith("\r") ? line.slice(0, -1) : line;
  return trimmed.slice(trimmed.lastIndexOf("\r") + 1);
}

export function spans(line: string): Span[] {
  const text = overwritten(line);
  if (!text.includes("\u001b")) return [{ text: text.replace(CONTROL, ""), className: "", color: null }];
  const found: Span[] = [];
  let style = PLAIN;
  let from = 0;
  const push = (part: string) => {
    const clean = part.replace(CONTROL, "");
    if (clean) found.push({ text: clean, className: classOf(style), color: style.color });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    push(text.slice(from, match.index));
    if (match[2] === "m") style = applyCodes(style, match[1] ?? "");
    from = match.index + match[0].length;
  }
  push(text.slice(from));
  return found;
}

export function plain(line: string): string {
  return spans(line)
    .map((span) => span.text)
    .join("");
}
