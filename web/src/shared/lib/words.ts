import { say, t } from "@/shared/i18n/t";
import { money } from "./numbers";

/** The word for a name that the server gives; one it gives anew is shown as it is. */
export const lookUp = (words: Record<string, string>, name: string): string => words[name] ?? name;

/** "Bash: npm test" */
export const toolWords = (name: string, detail: string): string =>
  detail ? say(t.events.tool, { name, detail }) : name;

/** What a session or an action on it is called by what was written first. */
export const titleOf = (text: string): string => text.split("\n", 1)[0]?.slice(0, 60) ?? "";

/** How much of a budget: "$1.20", "300 tokens", "4.5 min". */
export function amount(kind: "money" | "tokens" | "time", value: number): string {
  if (kind === "money") return money(value);
  if (kind === "tokens") return say(t.budget.amount.tokens, { count: Math.round(value) });
  return say(t.budget.amount.time, { minutes: value < 10 ? Math.round(value * 10) / 10 : Math.round(value) });
}

/** "$1.20 of $5", or what was spent alone where there is no limit. */
export const spentOf = (spent: string, limit: string | null): string =>
  limit === null ? spent : say(t.budget.session.of, { spent, limit });
