import { page, shared } from "@words/en.json";
import { count } from "@/shared/lib/numbers";
import { forms, isGroup, translated } from "./language";

const english = { ...shared, ...page };

/** What every language fills; a missing key is a type error. */
export type Messages = typeof english;

/** Where a number decides, one text for each form that the language has; `other` for all that have none. */
export type Text = string | { other: string; [form: string]: string };

/** `words`, and `english` where they have nothing: a language may lag behind. */
export function filled<T>(english: T, words: unknown): T;
export function filled(english: unknown, words: unknown): unknown {
  if (!isGroup(english) || !isGroup(words)) return words ?? english;
  const parts = Object.entries(english).map(([name, own]): [string, unknown] => [name, filled(own, words[name])]);
  return { ...words, ...Object.fromEntries(parts) };
}

/** The words of the page, in the person's language where there are any. */
export const t: Messages = filled(english, translated);

/** A text with its parameters: `say(t.task.files, { count: 3 })`. The number that decides its form is `count`. */
export function say(text: Text, params: Record<string, string | number>): string {
  const form = forms.find(([, numbers]) => numbers.test(String(params.count)))?.[0] ?? "other";
  const template = typeof text === "string" ? text : (text[form] ?? text.other);
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name] ?? whole;
    return typeof value === "number" ? count(value) : value;
  });
}
