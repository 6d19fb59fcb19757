import { useQuery } from "@tanstack/react-query";
import { taskEventsQuery } from "@/api/queries";
import type { Step } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { callWords } from "@/events/workbench";
import { Part } from "./part";

/** What the agent told in this step through the workbench's own tools. */
export function StepCalls({ taskId, step }: { taskId: string; step: Step }) {
  const events = useQuery(taskEventsQuery(taskId));
  const calls = (events.data ?? []).flatMap((event) =>
    event.type === "workbench.called" && event.data.step_id === step.id ? [event] : [],
  );
  if (calls.length === 0) return null;
  return (
    <Part label={t.workbench.calls}>
      <ol className="flex flex-col gap-0.5">
        {calls.map((call) => (
          <li key={call.seq} className="flex gap-3">
            <code className="w-20 shrink-0 font-mono text-[12.5px] text-muted">{call.data.tool}</code>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {callWords(call.data.tool, call.data.arguments) || String(call.data.arguments.text)}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  );
}
