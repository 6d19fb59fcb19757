import type { Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Folded } from "@/shared/ui/folded";
import { Ago } from "@/shared/ui/time";

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

/** What the person asked for, with the limits they set. */
export function Request({ task }: { task: Task }) {
  return (
    <div className="ml-auto w-fit max-w-[min(100%,38rem)] rounded-xl rounded-br-sm bg-raised px-4 py-2.5">
      <p className="sr-only">{t.task.you}</p>
      <Folded>
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{task.prompt}</p>
      </Folded>
      <ScopeLists task={task} />
      <p className="mt-1 flex flex-wrap justify-end gap-x-3 text-[12px] text-muted">
        {task.timeout_profile !== "standard" && <span>{t.task.profile(task.timeout_profile)}</span>}
        <Ago at={task.submitted_at} />
      </p>
    </div>
  );
}
