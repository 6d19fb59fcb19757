import { FileText, OctagonAlert, SquarePen } from "lucide-react";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { draftKeys, returnToDraft, writeDraft } from "@/shared/lib/draft";
import { Button, buttonClass } from "@/shared/ui/button";
import { PartLink } from "./part-link";

/** Puts the request back into the box below, to be worded anew, with the report to start from. */
export function startFrom(task: Pick<Task, "task_id" | "project_id" | "session_slug" | "prompt">): void {
  writeDraft(draftKeys.fromStuck(task.project_id, task.session_slug), task.task_id);
  returnToDraft(draftKeys.session(task.project_id, task.session_slug), task.prompt);
  document.querySelector<HTMLElement>("[data-composer]")?.focus();
}

export function StartFromReport({ task, main = false }: { task: Task; main?: boolean }) {
  return (
    <Button
      size="sm"
      look={main ? "primary" : "plain"}
      icon={<SquarePen size={14} aria-hidden />}
      onClick={() => startFrom(task)}
    >
      {t.verified.startFrom}
    </Button>
  );
}

/** What being stuck means, and the two ways on. */
export function StuckNotice({ task }: { task: Task }) {
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-lg bg-bad-soft px-3 py-2.5">
      <OctagonAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-col gap-2">
        <div>
          <p className="font-medium text-bad">{say(t.verified.stuckTitle, { count: task.loop.total })}</p>
          <p>{task.rolled_back ? t.verified.stuckGone : t.verified.stuckKept}</p>
        </div>
        <p className="flex flex-wrap gap-1.5">
          <PartLink task={task} open={{ view: "report" }} className={buttonClass("plain", "sm")}>
            <FileText size={14} aria-hidden />
            {t.verified.readReport}
          </PartLink>
          <StartFromReport task={task} />
        </p>
      </div>
    </div>
  );
}
