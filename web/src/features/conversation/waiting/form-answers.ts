import type { AnswerInput, FormQuestion } from "@/api/types";

/** What has been chosen and written so far, by question. */
export interface Given {
  chosen: string[];
  own: string;
}

export type Filled = Record<string, Given>;

const NOTHING: Given = { chosen: [], own: "" };

export const givenTo = (filled: Filled, question: FormQuestion): Given => filled[question.id] ?? NOTHING;

/** Choosing again takes an answer back; of a single choice the newest counts, and it replaces words of one's own. */
export function choose(given: Given, question: FormQuestion, value: string): Given {
  const had = given.chosen.includes(value);
  if (question.several) return { ...given, chosen: had ? given.chosen.filter((one) => one !== value) : [...given.chosen, value] };
  return { chosen: had ? [] : [value], own: "" };
}

/** Words of one's own stand beside several choices, and instead of a single one. */
export function write(given: Given, question: FormQuestion, own: string): Given {
  return { chosen: question.several || own.trim() === "" ? given.chosen : [], own };
}

function valuesOf(question: FormQuestion, given: Given): string[] {
  const known = question.options.map((option) => option.value).filter((value) => given.chosen.includes(value));
  const own = given.own.trim();
  return own === "" ? known : [...known, own];
}

export function unanswered(form: FormQuestion[], filled: Filled): number {
  return form.filter((question) => valuesOf(question, givenTo(filled, question)).length === 0).length;
}

export function answersOf(form: FormQuestion[], filled: Filled): AnswerInput[] {
  return form.map((question) => {
    const values = valuesOf(question, givenTo(filled, question));
    return { question_id: question.id, value: question.several ? values : values.join(", ") };
  });
}

const isGiven = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && "chosen" in value && Array.isArray(value.chosen) && "own" in value && typeof value.own === "string";

/** What was kept of a half-filled form; whatever is not understood is left out. */
export function readFilled(text: string): Filled {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, Given] => isGiven(entry[1])));
  } catch {
    return {};
  }
}
