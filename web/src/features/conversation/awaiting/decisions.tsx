import { ShieldCheck, ShieldX } from "lucide-react";
import type { Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { toolWords } from "@/shared/lib/words";
import { Ago } from "@/shared/ui/time";

/** What the person decided about the tools this task asked for. */
export function Decisions({ task }: { task: Task }) {
  if (task.decisions.length === 0) return null;
  return (
    <ul aria-label={t.permission.decisions} className="flex flex-col gap-1 text-[13px]">
      {task.decisions.map((decided, index) => (
        <li key={index} className="flex items-start gap-2">
          {decided.choice === "deny" ? (
            <ShieldX size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          ) : (
            <ShieldCheck size={14} aria-hidden className="mt-0.5 shrink-0 text-ok" />
          )}
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {t.permission.history[decided.choice]}:{" "}
            <span className="font-mono">{toolWords(decided.tool, decided.detail)}</span>
            {decided.reason && ` (${decided.reason})`}
            <span className="text-faint">
              {" · "}
              <Ago at={decided.at} />
              {decided.replayed && ` · ${t.permission.again}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
