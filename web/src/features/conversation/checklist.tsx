import { Circle, CircleCheck } from "lucide-react";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";

/** The agent's own plan, as it ticks it off. */
export function Checklist({ task }: { task: Task }) {
  const steps = task.checklist;
  if (steps.length === 0) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <details
      open={task.status === "RUNNING" || task.status === "AWAITING_RESPONSE"}
      className="group rounded-md border border-line px-3 py-2"
    >
      <summary className="cursor-pointer text-[13px] font-semibold text-muted">
        {t.workbench.title}{" "}
        <span className="font-normal">{say(t.workbench.progress, { done, total: steps.length })}</span>
      </summary>
      <ol className="mt-1.5 flex flex-col gap-1">
        {steps.map((step, index) => (
          <li key={index} className="flex items-start gap-2">
            {step.done ? (
              <CircleCheck size={15} aria-hidden className="mt-[3px] shrink-0 text-ok" />
            ) : (
              <Circle size={15} aria-hidden className="mt-[3px] shrink-0 text-faint" />
            )}
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className={step.done ? "text-muted" : ""}>{step.title}</span>
              <span className="sr-only"> ({step.done ? t.workbench.done : t.workbench.open})</span>
              {step.note && <span className="block text-[13px] text-muted">{step.note}</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
