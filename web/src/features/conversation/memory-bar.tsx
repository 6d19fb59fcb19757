import type { TaskUsage } from "@/api/types";
import { say, t } from "@/shared/i18n/t";

const MARKS = [80, 95];
const TONES = { 0: "bg-accent", 80: "bg-warn", 95: "bg-bad" };

/** How full the agent's memory is, with the marks at which a person is told and at which it starts afresh. */
export function MemoryBar({ context }: { context: NonNullable<TaskUsage["context"]> }) {
  const { tokens, window, level } = context;
  const fill = Math.min(100, Math.floor((100 * tokens) / window));
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <span>{t.meter.memory}</span>
      <div
        role="meter"
        aria-label={t.meter.memory}
        aria-valuenow={fill}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={say(t.meter.full, { percent: fill })}
        title={say(t.meter.of, { tokens, window })}
        className="relative h-2 w-24 max-w-full sm:w-40 overflow-hidden rounded-full bg-raised"
      >
        <div className={`h-full ${TONES[level]}`} style={{ width: `${fill}%` }} />
        {MARKS.map((mark) => (
          <span key={mark} className="absolute inset-y-0 w-0.5 bg-line-strong" style={{ left: `${mark}%` }} />
        ))}
      </div>
      <span>{say(t.meter.full, { percent: fill })}</span>
      {level > 0 && (
        <span className={level === 95 ? "text-bad" : "text-warn"}>{level === 95 ? t.meter.compact : t.meter.warn}</span>
      )}
    </div>
  );
}
