import { useLive } from "@/events/live";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { duration } from "@/shared/lib/time";
import { TailRows } from "@/shared/log/line";
import { useTail } from "@/shared/log/use-tail";
import { Elapsed, useKnownNow } from "@/shared/ui/time";
import { counterOf, useMilestone } from "./milestone";

const TAIL_LINES = 4;

/** A tool that has been open for a while is named with its age: quiet is not dead. */
function ToolLine({ task }: { task: Task }) {
  const tool = useLive((state) => state.tasks[task.task_id]?.tools.at(-1));
  const busy = useLive((state) => state.tasks[task.task_id]?.busy);
  const { now, stale } = useKnownNow();
  const name = tool ? tool.detail || tool.name : busy?.name;
  const since = tool ? Date.parse(tool.at) : busy?.since;
  return (
    <p className={`h-5 truncate font-mono text-[12.5px] text-muted ${stale ? "opacity-50" : ""}`}>
      {name !== undefined &&
        since !== undefined &&
        say(t.task.stillRunning, { tool: name, age: duration(now - since) })}
    </p>
  );
}

function Bar({ current, total }: { current: number | null; total: number | null }) {
  const known = current !== null && total !== null && total > 0;
  return (
    <div
      role="progressbar"
      aria-label={t.task.working}
      {...(known
        ? {
            "aria-valuenow": current,
            "aria-valuemin": 0,
            "aria-valuemax": total,
            "aria-valuetext": say(t.task.progress, { current, total }),
          }
        : {})}
      className="h-1 overflow-hidden rounded-full bg-raised"
    >
      {known ? (
        <div
          className="h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${(100 * current) / total}%` }}
        />
      ) : (
        <div className="slide h-full w-1/3 rounded-full bg-accent/70" />
      )}
    </div>
  );
}

/** What a running task is doing now. Its height does not change as lines come. */
export function Progress({ task }: { task: Task }) {
  const milestone = useMilestone(task);
  const lines = useTail(task.task_id, task.attempt, TAIL_LINES);
  const since = milestone?.at ?? task.started_at;
  const text = milestone?.text ?? (task.milestone || t.task.startingUp);
  const counter = counterOf(milestone);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline gap-2">
        <p aria-live="polite" className="min-w-0 flex-1 font-medium">
          {text}
        </p>
        {counter && <span className="text-[13px] whitespace-nowrap text-muted">{counter}</span>}
        <span className="text-[13px] text-muted">{since && <Elapsed from={since} />}</span>
      </div>
      <Bar current={milestone?.current ?? null} total={milestone?.total ?? null} />
      <ToolLine task={task} />
      {lines.length > 0 && (
        <pre
          aria-hidden
          className="h-[5.5rem] overflow-hidden rounded-md bg-code px-3 py-1.5 font-mono text-[12.5px] leading-5 whitespace-pre text-muted"
        >
          <TailRows lines={lines} />
        </pre>
      )}
    </div>
  );
}
