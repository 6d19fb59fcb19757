import { useQuery } from "@tanstack/react-query";
import { taskQuery } from "@/api/queries";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Fold } from "@/shared/ui/fold";
import { Ago } from "@/shared/ui/time";
import { PartLink } from "./part-link";

function ScopeLists({ task }: { task: Task }) {
  const lists = [
    { label: t.compose.constraints, items: task.constraints },
    { label: t.compose.nonGoals, items: task.non_goals },
    { label: t.compose.boundaries, items: task.boundaries },
  ].filter((list) => list.items.length > 0);
  if (lists.length === 0) return null;
  return (
    <dl aria-label={t.task.scope} className="mt-2 flex flex-col gap-1.5 border-t border-line pt-2 text-[13px]">
      {lists.map((list) => (
        <div key={list.label} className="grid gap-x-3 sm:grid-cols-[6.5rem_1fr]">
          <dt className="font-medium text-muted">{list.label}</dt>
          <dd>
            <ul>
              {list.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Which report it started from; a link once it is known which thread that is in. */
function ReportLink({ taskId }: { taskId: string }) {
  const stuck = useQuery(taskQuery(taskId));
  if (!stuck.data) return <span>{t.verified.fromReport}</span>;
  return (
    <PartLink task={stuck.data} open={{ view: "report" }}>
      {t.verified.fromReport}
    </PartLink>
  );
}

/** What the person asked for, with the limits they set. */
export function Request({ task }: { task: Task }) {
  return (
    <div className="ml-auto w-fit max-w-[min(100%,38rem)] rounded-xl rounded-br-sm bg-raised px-4 py-2.5">
      <p className="sr-only">{t.task.you}</p>
      <Fold>
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{task.prompt}</p>
      </Fold>
      <ScopeLists task={task} />
      <p className="mt-1 flex flex-wrap justify-end gap-x-3 text-[12px] text-muted">
        {task.from_stuck !== null && <ReportLink taskId={task.from_stuck} />}
        {(task.model !== null || task.effort !== null) && (
          <span>{[task.model, task.effort].filter((word) => word !== null).join(" · ")}</span>
        )}
        {task.timeout_profile !== "standard" && <span>{say(t.task.profile, { name: task.timeout_profile })}</span>}
        <Ago at={task.submitted_at} />
      </p>
    </div>
  );
}
