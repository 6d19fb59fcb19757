import { TriangleAlert } from "lucide-react";
import type { Task, TaskUsage } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { percent, short, listed } from "@/shared/lib/numbers";
import { MemoryBar } from "./memory-bar";

const tokensOf = (usage: TaskUsage): number =>
  usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens;

/** Model, tokens and how full the agent's memory is; a warning that another model answered stays. */
export function TaskMeter({ task }: { task: Task }) {
  const { usage } = task;
  const tokens = tokensOf(usage);
  if (tokens === 0 && usage.models.length === 0 && usage.context === null && usage.warnings.length === 0) return null;
  return (
    <section aria-label={t.meter.label} className="flex flex-col gap-1.5 text-[13px] text-muted">
      {usage.warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-2 text-warn">
          <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{warning}</span>
        </p>
      ))}
      <p className="flex flex-wrap gap-x-3">
        {usage.models.length > 0 && <span className="min-w-0 [overflow-wrap:anywhere]">{listed(usage.models)}</span>}
        {tokens > 0 && (
          <span
            title={say(t.meter.tokensHint, {
              input: usage.input_tokens,
              output: usage.output_tokens,
              read: usage.cache_read_tokens,
              write: usage.cache_write_tokens,
            })}
          >
            {say(t.meter.tokens, { tokens: short(tokens) })}
          </span>
        )}
        {usage.cache_share !== null && <span>{say(t.meter.cached, { share: percent(usage.cache_share) })}</span>}
      </p>
      {usage.context !== null && <MemoryBar context={usage.context} />}
    </section>
  );
}
