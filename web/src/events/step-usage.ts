import type { StreamUsage, Task, TaskUsage } from "@/api/types";

/** What each spawn has used, and when its step was finished. */
export type Spending = Record<string, { used: StreamUsage | null; finishedAt: string | null }>;

/** A page that comes late is told the last figure again: a step that it knows as finished stays so. */
export const noted = (spending: Spending, used: StreamUsage): Spending => ({
  ...spending,
  [used.step_id]: { used, finishedAt: spending[used.step_id]?.finishedAt ?? null },
});

export const ended = (spending: Spending, stepId: string, at: string): Spending => ({
  ...spending,
  [stepId]: { used: spending[stepId]?.used ?? null, finishedAt: at },
});

const shareOf = (read: number, all: number): number | null => (all > 0 ? read / all : null);

function levelOf(tokens: number, window: number): 0 | 80 | 95 {
  const fill = (100 * tokens) / window;
  return fill >= 95 ? 95 : fill >= 80 ? 80 : 0;
}

function plus(usage: TaskUsage, used: StreamUsage): TaskUsage {
  const input = usage.input_tokens + used.input_tokens;
  const read = usage.cache_read_tokens + used.cache_read_tokens;
  const written = usage.cache_write_tokens + used.cache_write_tokens;
  return {
    ...usage,
    spawns: usage.spawns + 1,
    cost_usd: usage.cost_usd + used.cost_usd,
    input_tokens: input,
    output_tokens: usage.output_tokens + used.output_tokens,
    cache_read_tokens: read,
    cache_write_tokens: written,
    cache_share: shareOf(read, input + read + written),
    models: used.model !== "" && !usage.models.includes(used.model) ? [...usage.models, used.model] : usage.models,
    context:
      used.context_window > 0
        ? {
            tokens: used.context_tokens,
            window: used.context_window,
            level: levelOf(used.context_tokens, used.context_window),
          }
        : usage.context,
  };
}

/** The task with what its spawns used after it was read. A step that was finished by then is in it already. */
export function withSpending(task: Task, spending: Spending): Task {
  const read = Date.parse(task.updated_at);
  const missing = Object.values(spending).flatMap(({ used, finishedAt }) =>
    used?.attempt === task.attempt && (finishedAt === null || Date.parse(finishedAt) > read) ? [used] : [],
  );
  if (missing.length === 0) return { ...task };
  return {
    ...task,
    cost_usd: missing.reduce((sum, used) => sum + used.cost_usd, task.cost_usd),
    usage: missing.reduce(plus, task.usage),
  };
}
