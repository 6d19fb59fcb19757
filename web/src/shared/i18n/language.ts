import { language as english } from "@words/en.json";

type Group = Record<string, unknown>;
export const isGroup = (value: unknown): value is Group => typeof value === "object" && value !== null;

/** What the server writes into the page for whoever prefers another language than English. */
function given(): Group {
  const found: unknown = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
  return isGroup(found) ? found : {};
}

const { page, plurals } = given();

export const language = document.documentElement.lang || "en";
/** The words of that language; nothing for English. */
export const translated: unknown = page;
/** Which numbers have a form of their own, as patterns of their digits. */
export const forms: [string, RegExp][] = Object.entries(isGroup(plurals) ? plurals : english.plurals).map(
  ([form, numbers]) => [form, new RegExp(String(numbers))],
);
