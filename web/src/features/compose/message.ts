import type { Message } from "@/api/types";

export interface Options {
  agent: string;
  timeout: NonNullable<Message["timeout_profile"]>;
  constraints: string[];
  nonGoals: string[];
  boundaries: string[];
}

export const NO_OPTIONS: Options = {
  agent: "", timeout: "standard", constraints: [], nonGoals: [], boundaries: [],
};

export function messageOf(text: string, options: Options): Message {
  return {
    text: text.trim(),
    constraints: options.constraints,
    non_goals: options.nonGoals,
    boundaries: options.boundaries,
    timeout_profile: options.timeout,
    agent: options.agent === "" ? null : options.agent,
  };
}

/** How many settings differ from the usual, for the button that hides them. */
export function changedOptions(options: Options): number {
  const lists = [options.constraints, options.nonGoals, options.boundaries].filter((list) => list.length > 0).length;
  return lists + Number(options.timeout !== "standard");
}
