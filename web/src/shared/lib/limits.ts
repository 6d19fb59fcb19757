import { draftKeys, readDraft, writeDraft } from "./draft";

export interface Limits {
  constraints: string[];
  nonGoals: string[];
  boundaries: string[];
}

const NAMES = ["constraints", "nonGoals", "boundaries"] as const;

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const lines = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((line): line is string => typeof line === "string") : [];

/** Puts limits back beside the words of a draft, without losing those that stand there now. */
export function returnLimits(draftKey: string, limits: Limits): void {
  if (NAMES.every((name) => limits[name].length === 0)) return;
  const key = draftKeys.options(draftKey);
  const present = parsed(readDraft(key));
  for (const name of NAMES) present[name] = [...new Set([...limits[name], ...lines(present[name])])];
  writeDraft(key, JSON.stringify(present));
}
