import { useQuery } from "@tanstack/react-query";
import { taskEventsQuery } from "@/api/queries";
import type { Tone } from "@/events/entry";
import { timelineLine } from "@/events/table";
import { t } from "@/shared/i18n/t";
import { TailRows } from "@/shared/log/line";
import { useTail } from "@/shared/log/use-tail";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Ago } from "@/shared/ui/time";

const LIVE_LINES = 8;

const TONES: Record<Tone, string> = {
  plain: "",
  strong: "font-medium",
  ask: "font-medium text-warn",
  bad: "text-bad",
  ok: "font-medium text-ok",
  dim: "text-muted text-[13px]",
};

/** The end of a check's output while it runs. */
function LiveTail({ taskId, attempt }: { taskId: string; attempt: number }) {
  const lines = useTail(taskId, attempt, LIVE_LINES);
  return (
    <div className="shrink-0 border-t border-line bg-code px-4 py-2">
      <h3 className="text-[12px] font-semibold text-muted">{t.output.now}</h3>
      <pre className="h-40 overflow-hidden font-mono text-[12.5px] leading-5">
        <TailRows lines={lines} />
      </pre>
    </div>
  );
}

/** The output without its noise: milestones, questions, steps and errors, in order. */
export function Timeline({ taskId, live = null }: { taskId: string; live?: number | null }) {
  const events = useQuery(taskEventsQuery(taskId));
  if (!events.data)
    return (
      <Missing query={events} className="p-3">
        <SkeletonRows rows={6} className="h-6" />
      </Missing>
    );
  const lines = events.data.flatMap((event) => {
    const line = timelineLine(event);
    return line ? [{ event, line }] : [];
  });
  if (lines.length === 0) return <p className="p-4 text-muted">{t.output.empty}</p>;
  return (
    <>
      <ol className="min-h-0 flex-1 overflow-y-auto px-4 py-2" tabIndex={0} aria-label={t.output.filtered}>
        {lines.map(({ event, line }) => (
          <li key={event.seq} className="grid grid-cols-[1fr_auto] gap-3 border-b border-line py-1.5 last:border-0">
            <span className={`min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] ${TONES[line.tone]}`}>
              {line.text}
            </span>
            <Ago at={event.at} className="text-[12px] text-faint" />
          </li>
        ))}
      </ol>
      {live !== null && <LiveTail taskId={taskId} attempt={live} />}
    </>
  );
}
