import type { Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Folded } from "@/shared/ui/folded";
import { Markdown } from "@/shared/ui/markdown";
import { Ago } from "@/shared/ui/time";

/** Questions the task asked earlier and what was answered. */
export function Exchanges({ task }: { task: Task }) {
  if (task.reply_history.length === 0) return null;
  return (
    <ol aria-label={t.task.replies} className="flex flex-col gap-2.5">
      {task.reply_history.map((entry) => (
        <li key={entry.timestamp} className="border-l-2 border-line-strong pl-3">
          {entry.question && <Markdown text={entry.question} className="text-[13px] text-muted" />}
          <p className="mt-0.5 whitespace-pre-wrap [overflow-wrap:anywhere]">
            <span className="sr-only">{t.task.youSaid}: </span>
            {entry.content}
          </p>
          <p className="text-[12px] text-faint">
            <Ago at={entry.timestamp} />
            {entry.replayed && ` · ${t.task.replayed}`}
          </p>
        </li>
      ))}
    </ol>
  );
}

/** How a task ended, in its own words; or why it could not go on. */
export function Outcome({ task }: { task: Task }) {
  const words = task.summary || task.output;
  return (
    <>
      {task.status === "ERROR" && (
        <div role="alert" className="rounded-lg bg-bad-soft px-3 py-2.5">
          {task.error_kind && <p className="font-medium text-bad">{t.task.errorKinds[task.error_kind]}</p>}
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{task.error_message}</p>
        </div>
      )}
      {words && (
        <Folded>
          <Markdown text={words} />
        </Folded>
      )}
    </>
  );
}
