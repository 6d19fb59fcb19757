import type { Message, PermissionMode } from "@/api/types";

export type Scouts = "default" | "on" | "off";

export interface Options {
  agent: string;
  /** Empty leaves it to what is chosen for the agent. */
  model: string;
  effort: string;
  timeout: NonNullable<Message["timeout_profile"]>;
  dryRun: boolean;
  autoFix: boolean;
  scouts: Scouts;
  permissions: PermissionMode;
  /* As typed: empty is no limit. */
  budgetUsd: string;
  budgetMinutes: string;
  budgetTokens: string;
  constraints: string[];
  nonGoals: string[];
  boundaries: string[];
}

export const NO_OPTIONS: Options = {
  agent: "",
  model: "",
  effort: "",
  timeout: "standard",
  dryRun: false,
  autoFix: false,
  scouts: "default",
  permissions: "edits",
  budgetUsd: "",
  budgetMinutes: "",
  budgetTokens: "",
  constraints: [],
  nonGoals: [],
  boundaries: [],
};

export const PROFILES = ["standard", "long", "extended"] as const;
export const PERMISSIONS = ["ask", "edits", "all"] as const;
const SCOUTS = ["default", "on", "off"] as const;

const amountOf = (text: string): number | null =>
  Number(text) > 0 && Number.isFinite(Number(text)) ? Number(text) : null;

export function messageOf(text: string, options: Options): Message {
  return {
    text: text.trim(),
    constraints: options.constraints,
    non_goals: options.nonGoals,
    boundaries: options.boundaries,
    timeout_profile: options.timeout,
    agent: options.agent === "" ? null : options.agent,
    model: options.model.trim() === "" ? null : options.model.trim(),
    effort: options.effort === "" ? null : options.effort,
    dry_run: options.dryRun,
    auto_fix: options.autoFix,
    scouts: options.scouts === "default" ? null : options.scouts === "on",
    permission_mode: options.permissions,
    budget_usd: amountOf(options.budgetUsd),
    budget_minutes: amountOf(options.budgetMinutes),
    budget_tokens: Math.ceil(amountOf(options.budgetTokens) ?? 0) || null,
  };
}

/** How many settings differ from the usual and are not seen beside the button that hides them. */
export function changedOptions(options: Options): number {
  const lists = [options.constraints, options.nonGoals, options.boundaries].filter((list) => list.length > 0).length;
  const budgets = [options.budgetUsd, options.budgetMinutes, options.budgetTokens].filter(
    (text) => amountOf(text) !== null,
  ).length;
  return (
    lists +
    budgets +
    Number(options.timeout !== "standard") +
    Number(options.model.trim() !== "") +
    Number(options.effort !== "")
  );
}

/** Empty when nothing differs, so that no draft is kept of it. */
export function writtenOptions(options: Options): string {
  const text = JSON.stringify(options);
  return text === JSON.stringify(NO_OPTIONS) ? "" : text;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** What was kept with a draft, perhaps by another version of this page: whatever is not understood is as usual. */
export function readOptions(text: string): Options {
  if (text === "") return NO_OPTIONS;
  const kept = parsed(text);
  const word = (value: unknown) => (typeof value === "string" ? value : "");
  const lines = (value: unknown) =>
    Array.isArray(value) ? value.filter((line): line is string => typeof line === "string") : [];
  return {
    agent: word(kept.agent),
    model: word(kept.model),
    effort: word(kept.effort),
    timeout: PROFILES.find((profile) => profile === kept.timeout) ?? "standard",
    dryRun: kept.dryRun === true,
    autoFix: kept.autoFix === true,
    scouts: SCOUTS.find((value) => value === kept.scouts) ?? "default",
    permissions: PERMISSIONS.find((value) => value === kept.permissions) ?? "edits",
    budgetUsd: word(kept.budgetUsd),
    budgetMinutes: word(kept.budgetMinutes),
    budgetTokens: word(kept.budgetTokens),
    constraints: lines(kept.constraints),
    nonGoals: lines(kept.nonGoals),
    boundaries: lines(kept.boundaries),
  };
}

/** What stays for the next message: a thread goes on in the same way, a new chat begins afresh. */
export function afterSending(options: Options, goesOn: boolean): Options {
  if (!goesOn) return { ...NO_OPTIONS, agent: options.agent, model: options.model, effort: options.effort };
  return { ...options, timeout: "standard", constraints: [], nonGoals: [], boundaries: [] };
}
