import type { GuardChoice } from "@/api/types";
import { count, money, plural } from "@/shared/lib/numbers";

type BudgetKind = "money" | "tokens" | "time";

const amount: Record<BudgetKind, (n: number) => string> = {
  money,
  tokens: (n) => plural(Math.round(n), "token", "tokens"),
  time: (n) => `${n < 10 ? String(Math.round(n * 10) / 10) : count(Math.round(n))} min`,
};

const triggers: Record<string, string> = {
  no_file_changes: "No file was changed",
  same_error: "The same error again",
  test_only: "Worked on tests only",
  declining_output: "Said much less than before",
  low_confidence: "Sounded unsure",
  progress: "Files were changed again",
  user_intervention: "You stepped in",
};

const limitDone: Partial<Record<GuardChoice, string>> = {
  retry: "It goes on.",
  pause: "Paused.",
  wait: "It will go on by itself.",
  override: "The limit is lifted for this session.",
  close: "Session closed. The changes stay.",
};

const budgetDone: Partial<Record<GuardChoice, string>> = {
  more: "It goes on.",
  replan: "It goes on, the cheapest way.",
  stop: "Stopped. The changes stay.",
};

/** What is said where a guard holds a task: limits, budgets, the circuit breaker. */
export const guardWords = {
  limit: {
    title: "Usage limit",
    provider: "The provider takes no more for now.",
    hourly: "Enough agent runs for this hour.",
    goesOn: "It goes on by itself",
    in: (time: string) => `in ${time}`,
    now: "now",
    paused: "Paused. It goes on when you say so.",
    retry: "Retry now",
    pause: "Pause",
    wait: "Wait and go on by itself",
    override: "Lift the limit for this session",
    overrideHint: "Lifting it lets this session run as often as it wants, this hour and later: it may cost more.",
    otherWays: "Other ways to go on",
    close: "Close session",
    closeHint: "Closing ends the task and the session. The changes stay in your files.",
    done: limitDone,
  },
  budget: {
    title: "Budget used up",
    amount,
    spent: (spent: string, limit: string) => `${spent} of ${limit} spent`,
    bar: "Spent of the budget",
    scope: { task: "for this task", session: "for the whole session" },
    add: { money: "How many dollars more", tokens: "How many tokens more", time: "How many minutes more" },
    more: "Give more",
    moreHint: "goes on from where it stopped.",
    replan: "Finish cheaply",
    replanHint: "gives the same, and has the agent think over what is really needed.",
    stop: "Stop here",
    stopHint: "ends the task; its changes stay.",
    done: budgetDone,
    legend: "Budget",
    hint: "Pauses and asks you when it is used up. Empty: no limit, or the one in the settings.",
    fields: { money: "Dollars", time: "Minutes", tokens: "Tokens" },
    session: {
      menu: "Budget",
      title: "Budget of this session",
      lead: "What all its tasks together may cost. When it is used up, the next run pauses and asks you.",
      hint: "Empty: no limit, or the one in the settings. What you save counts at once, also for what runs.",
      so: "Spent so far",
      of: (spent: string, limit: string | null) => (limit === null ? spent : `${spent} of ${limit}`),
      wrong: "A number above zero, or nothing",
      whole: "A whole number, or nothing",
      save: "Save",
      saved: "The budget is saved.",
    },
  },
  breaker: {
    title: "Paused for safety",
    lead: "The agent seems to run in circles, so nothing more was started.",
    state: { OPEN: "Open", HALF_OPEN: "Half open", CLOSED: "Closed" },
    stateLabel: "Circuit breaker",
    open: "It stays stopped until you reset it.",
    halfOpen: "It asks before it goes on. A new message from you closes it too.",
    advice:
      "Look at what went wrong in the steps first. If the cause is gone, reset and go on; else cancel and ask for something else.",
    history: "What happened",
    run: (n: number) => `run ${count(n)}`,
    trigger: (name: string) => triggers[name] ?? name,
    reset: "Reset and go on",
    done: "Reset. It goes on.",
  },
  guardEvents: {
    breaker: (reason: string) => `Circuit breaker: ${reason}`,
    limit: (message: string) => `Usage limit: ${message}`,
    budget: (kind: BudgetKind, spent: number, limit: number) =>
      `Budget used up: ${amount[kind](spent)} of ${amount[kind](limit)}`,
    decided: (choice: string) => `You decided: ${choice}`,
  },
};
