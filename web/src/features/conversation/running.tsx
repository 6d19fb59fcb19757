import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLive } from "@/api/live";
import { watchOutput } from "@/api/output";
import { outputPage, taskEventsQuery } from "@/api/queries";
import type { StreamOutput, Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { duration, useNow } from "@/shared/lib/time";
import { Elapsed } from "@/shared/ui/time";
import { plain } from "@/shared/log/ansi";

const TAIL_LINES = 4;
const TAIL_CHARACTERS = 4000;

/** The end of what was written before somebody looked; null when it cannot be read, which the lines to come make good. */
async function written(taskId: string, attempt: number): Promise<{ text: string; end: number } | null> {
  try {
    const start = await outputPage(taskId, attempt, 0, TAIL_CHARACTERS);
    const page = start.next_offset < start.total ? await outputPage(taskId, attempt, start.total - TAIL_CHARACTERS, TAIL_CHARACTERS) : start;
    return { text: page.text, end: page.next_offset };
  } catch {
    return null;
  }
}

/** The last lines the agent wrote, as they come. */
function useTail(taskId: string, attempt: number): string[] {
  const [lines, setLines] = useState<string[]>([]);
  useEffect(() => {
    let text = "";
    const early: StreamOutput[] = [];
    let read = false;
    let frame = 0;
    let over = false;
    const draw = () => {
      text = text.slice(-TAIL_CHARACTERS);
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setLines(text.trim() === "" ? [] : text.trimEnd().split("\n").slice(-TAIL_LINES).map(plain));
      });
    };
    const stop = watchOutput(taskId, (item) => {
      if (item.attempt !== attempt) return;
      if (!read) early.push(item);
      text += item.text;
      draw();
    });
    void written(taskId, attempt).then((before) => {
      read = true;
      if (over || before === null) return;
      text = before.text + early.filter((item) => item.offset >= before.end).map((item) => item.text).join("");
      draw();
    });
    return () => {
      over = true;
      stop();
      cancelAnimationFrame(frame);
    };
  }, [taskId, attempt]);
  return lines;
}

/** A tool that has been open for a while is named with its age: quiet is not dead. */
function ToolLine({ task }: { task: Task }) {
  const tool = useLive((state) => state.tasks[task.task_id]?.tools.at(-1));
  const busy = useLive((state) => state.tasks[task.task_id]?.busy);
  const now = useNow(1000);
  const name = tool ? tool.detail || tool.name : busy?.name;
  const since = tool ? Date.parse(tool.at) : busy?.since;
  return (
    <p className="h-5 truncate font-mono text-[12.5px] text-muted">
      {name !== undefined && since !== undefined && t.task.stillRunning(name, duration(now - since))}
    </p>
  );
}

function Bar({ current, total }: { current: number | null; total: number | null }) {
  const known = current !== null && total !== null && total > 0;
  return (
    <div
      role="progressbar"
      aria-label={t.task.working}
      {...(known ? { "aria-valuenow": current, "aria-valuemin": 0, "aria-valuemax": total, "aria-valuetext": t.task.progress(current, total) } : {})}
      className="h-1 overflow-hidden rounded-full bg-raised"
    >
      {known ? <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${(100 * current) / total}%` }} /> : <div className="slide h-full w-1/3 rounded-full bg-accent/70" />}
    </div>
  );
}

/** The newest milestone; a page that came late asks once when it began. */
function useMilestone(task: Task) {
  const live = useLive((state) => state.tasks[task.task_id]?.milestone ?? null);
  const history = useQuery({ ...taskEventsQuery(task.task_id), enabled: live === null && task.milestone !== "" });
  if (live) return live;
  const event = history.data?.findLast((past) => past.type === "task.milestone");
  return event?.type === "task.milestone" ? { ...event.data, at: event.at } : null;
}

/** What a running task is doing now. Its height does not change as lines come. */
export function Running({ task }: { task: Task }) {
  const milestone = useMilestone(task);
  const lines = useTail(task.task_id, task.attempt);
  const since = milestone?.at ?? task.started_at;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline gap-2">
        <p aria-live="polite" className="min-w-0 flex-1 font-medium">
          {milestone?.text ?? (task.milestone || t.task.startingUp)}
        </p>
        <span className="text-[13px] text-muted">{since && <Elapsed from={since} />}</span>
      </div>
      <Bar current={milestone?.current ?? null} total={milestone?.total ?? null} />
      <ToolLine task={task} />
      {lines.length > 0 && (
        <pre aria-hidden className="h-[5.5rem] overflow-hidden rounded-md bg-code px-3 py-1.5 font-mono text-[12.5px] leading-5 whitespace-pre text-muted">
          {lines.map((line, index) => (
            <span key={index} className="block truncate">
              {line || " "}
            </span>
          ))}
        </pre>
      )}
    </div>
  );
}
