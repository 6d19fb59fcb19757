import type { Awaiting, Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Folded } from "@/shared/ui/folded";
import { Markdown } from "@/shared/ui/markdown";
import { draws, questionOf } from "../task-state";
import { BreakerOpen } from "./breaker";
import { BudgetSpent } from "./budget";
import { Proposal } from "./proposal";
import { ReplyBox } from "./reply-box";
import { ResumePanel } from "./resume-panel";
import { UsageLimit } from "./usage-limit";

/** Which waits end with words; the others end with a decision. */
function takesWords(awaiting: Awaiting | null): boolean {
  switch (awaiting) {
    case "question":
    case "blocker":
    case "interrupted":
    case "timeout":
      return true;
    case "permission":
    case "dry_run":
    case "usage_limit":
    case "budget":
    case "breaker":
    case null:
      return false;
  }
}

/** What a waiting task wants of the person: an answer, a choice of how to go on, or both. */
export function Waiting({ task }: { task: Task }) {
  if (task.awaiting === "dry_run") return <Proposal key={`${task.task_id}.${task.attempt}`} task={task} />;
  if (task.limit) return <UsageLimit task={task} limit={task.limit} />;
  if (task.budget) return <BudgetSpent key={`${task.task_id}.${task.attempt}`} task={task} budget={task.budget} />;
  if (task.breaker) return <BreakerOpen task={task} breaker={task.breaker} />;
  const asks = task.awaiting === "question" || task.awaiting === "blocker" || task.awaiting === "permission";
  const answerable = takesWords(task.awaiting);
  const resumes = draws(task, "resume");
  const words = questionOf(task) || (asks ? task.output : "");
  return (
    <div className="flex flex-col gap-4">
      {words && (
        <section aria-label={t.reply.question}>
          <Folded>
            <Markdown text={words} className="text-[15px]" />
          </Folded>
        </section>
      )}
      {!asks && resumes && <ResumePanel task={task} />}
      {answerable && !asks && <p className="-mb-2 text-[13px] font-semibold text-muted">{t.resume.orReply}</p>}
      {answerable && <ReplyBox key={task.task_id} task={task} />}
    </div>
  );
}
