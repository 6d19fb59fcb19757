/** A list a person writes in one line, separated by commas. */
export const listed = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== ""),
  ),
];

export const shown = (words: string[]): string => words.join(", ");

/** A command line as a program and its arguments: quotation marks hold words together, a backslash takes one mark as it is. */
export function argv(text: string): string[] | null {
  const found: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (mark === "\\" && quote !== "'" && at + 1 < text.length) {
      at += 1;
      word = (word ?? "") + text.charAt(at);
    } else if (quote !== "") {
      if (mark === quote) quote = "";
      else word = (word ?? "") + mark;
    } else if (mark === '"' || mark === "'") {
      quote = mark;
      word ??= "";
    } else if (/\s/.test(mark)) {
      if (word !== null) found.push(word);
      word = null;
    } else {
      word = (word ?? "") + mark;
    }
  }
  if (word !== null) found.push(word);
  return quote === "" ? found : null;
}

/** The other way round, so that it can be written again. */
export const commandLine = (words: string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\]/g, "\\$&")}"`)).join(" ");
