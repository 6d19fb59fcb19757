import {
  createColorPalette,
  namedColors,
  parseAnsiSequences,
  type Color,
  type DecorationType,
} from "ansi-sequence-parser";

export interface Span {
  text: string;
  className: string;
  color: string | null;
}

// Colours and styles end in `m`; every other sequence (cursor, title, links) has no meaning in a list of lines.
const SEQUENCE = /\u001b(?:\[([0-9;:]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const STYLES: Partial<Record<DecorationType, string>> = {
  bold: "font-semibold",
  dim: "opacity-70",
  italic: "italic",
  underline: "underline",
};
const PALETTE = createColorPalette();

/** The sixteen colours with a name follow the page's theme; the others are what they are. */
function named(color: Color): number | null {
  if (color.type === "rgb") return null;
  const index = color.type === "named" ? namedColors.indexOf(color.name) : color.index;
  return index < namedColors.length ? index % 8 : null;
}

/** What a terminal would show of a line in the end: a carriage return starts it over. */
function overwritten(line: string): string {
  const trimmed = line.endsWith("\r") ? line.slice(0, -1) : line;
  return trimmed.slice(trimmed.lastIndexOf("\r") + 1);
}

export function spans(line: string): Span[] {
  // The parser knows colours and styles alone, written with semicolons, and a reset by its number.
  const text = overwritten(line).replace(SEQUENCE, (_, codes: string | undefined, end: string | undefined) =>
    end === "m" ? `\u001b[${codes?.replaceAll(":", ";") || "0"}m` : "",
  );
  return parseAnsiSequences(text).flatMap(({ value, foreground, decorations }) => {
    const shown = value.replace(CONTROL, "");
    if (shown === "") return [];
    const name = foreground && named(foreground);
    const classes = [...decorations].flatMap((decoration) => STYLES[decoration] ?? []);
    if (name !== null) classes.push(`ansi-${name}`);
    return [
      {
        text: shown,
        className: classes.join(" "),
        color: foreground && name === null ? PALETTE.value(foreground) : null,
      },
    ];
  });
}

export function plain(line: string): string {
  return spans(line)
    .map((span) => span.text)
    .join("");
}
