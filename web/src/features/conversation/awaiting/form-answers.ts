import type { AnswerInput, FormQuestion } from "@/api/types";

/** What has been chosen and written so far. */
export interface Given {
  chosen: string[];
  own: string;
  /** The question in its words: a form that is put up anew has other ids. */
  asked?: string;
}

/** By question. */
export type Filled = Record<string, Given>;

const NOTHING: Given = { chosen: [], own: "" };

export const givenTo = (filled: Filled, question: FormQuestion): Given => filled[question.id] ?? NOTHING;

/** Choosing again takes an answer back; of a single choice the newest counts, and it replaces words of one's own. */
export function choose(given: Given, question: FormQuestion, value: string): Given {
  const had = given.chosen.includes(value);
  if (question.several)
    return { ...given, chosen: had ? given.chosen.filter((one) => one !== value) : [...given.chosen, value] };
  return { ...given, chosen: had ? [] : [value], own: "" };
}

/** Words of one's own stand beside several choices, and instead of a single one. */
export function write(given: Given, question: FormQuestion, own: string): Given {
  return { ...given, chosen: question.several || own.trim() === "" ? given.chosen : [], own };
}

export const inWords = ({ chosen, own }: Given): string =>
  [...chosen, own.trim()].filter((word) => word !== "").join(", ");

/** What was chosen where it can no longer be chosen is said in words. */
function carriedOver(given: Given, question: FormQuestion): Given {
  const known = given.chosen.filter((value) => question.options.some((option) => option.value === value));
  const gone = given.chosen.filter((value) => !known.includes(value));
  return gone.length === 0 ? given : { ...given, chosen: known, own: inWords({ chosen: gone, own: given.own }) };
}

/** What was kept, sorted into the answers to this form and those that answer nothing of it. */
export function sorted(kept: Filled, form: FormQuestion[]): { filled: Filled; left: Filled } {
  const filled: Filled = {};
  const left = new Map(Object.entries(kept));
  for (const question of form) {
    const own = kept[question.id];
    left.delete(question.id);
    if (own) filled[question.id] = own;
  }
  for (const question of form) {
    const same = [...left].findLast(([, given]) => given.asked === question.text);
    if (!same || filled[question.id]) continue;
    filled[question.id] = carriedOver(same[1], question);
    left.delete(same[0]);
  }
  return { filled, left: Object.fromEntries([...left].filter(([, given]) => inWords(given) !== "")) };
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
  typeof value === "object" &&
  value !== null &&
  "chosen" in value &&
  Array.isArray(value.chosen) &&
  "own" in value &&
  typeof value.own === "string";

function readOne(text: string): Filled {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, Given] => isGiven(entry[1])));
  } catch {
    return {};
  }
}

/** What was kept of half-filled forms, one to a line; whatever is not understood is left out. */
export function readFilled(text: string): Filled {
  return text
    .split("\n")
    .map(readOne)
    .reduce<Filled>((all, one) => ({ ...all, ...one }), {});
}
