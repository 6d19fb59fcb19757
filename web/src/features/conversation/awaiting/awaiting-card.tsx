import { useState, type ReactNode } from "react";
import { useKeptAnswer } from "@/api/outbox";
import type { Awaiting, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Fold } from "@/shared/ui/fold";
import { Markdown } from "@/shared/ui/markdown";
import { draws, questionOf } from "../task-state";
import { BreakerCard } from "./breaker-card";
import { BudgetCard } from "./budget-card";
import { FormCard } from "./form-card";
import { PermissionCard } from "./permission-card";
import { PlanCard } from "./plan-card";
import { ProposalCard } from "./proposal-card";
import { ReplyBox } from "./reply-box";
import { ResumePanel } from "./resume-panel";
import { LimitCard } from "./limit-card";

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

/** One question with choices is answered in the reply box; a form has several, or one with several answers. */
const isForm = (task: Task): boolean => task.form.length > 1 || task.form.some((question) => question.several);

/** A structured answer, with the box for words below it. */
function WithWords({ task, own, children }: { task: Task; own: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      {children}
      <p className="-mb-2 text-[13px] font-semibold text-muted">{own}</p>
      <ReplyBox key={task.task_id} task={{ ...task, options: [] }} />
    </div>
  );
}

/** The card of the guard that holds the task; null where none does. */
function guardOf(task: Task): ReactNode {
  if (task.limit) return <LimitCard task={task} limit={task.limit} />;
  if (task.budget) return <BudgetCard key={`${task.task_id}.${task.attempt}`} task={task} budget={task.budget} />;
  return task.breaker && <BreakerCard task={task} breaker={task.breaker} />;
}

/** Going back to the beginning stays possible, one click away. */
function WithOtherWays({ task, children }: { task: Task; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      {children}
      {draws(task, "resume") && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="cursor-pointer text-[13px] font-medium text-accent">{t.limit.otherWays}</summary>
          {open && (
            <div className="mt-3">
              <ResumePanel task={task} />
            </div>
          )}
        </details>
      )}
    </div>
  );
}

/** What a waiting task wants of the person, until there is an answer: also one that only waits for the server. */
export function AwaitingCard({ task }: { task: Task }) {
  const kept = useKeptAnswer(task.task_id);
  if (kept)
    return (
      <p role="status" className="text-muted">
        {say(t.connection.queued, { label: kept.label })}
      </p>
    );
  return <Ways task={task} />;
}

function Words({ text }: { text: string }) {
  if (!text) return null;
  return (
    <section aria-label={t.reply.question}>
      <Fold>
        <Markdown text={text} className="text-[15px]" />
      </Fold>
    </section>
  );
}

/** A plan to approve, a form to fill in, or a question to answer in words. */
function Asked({ task }: { task: Task }) {
  if (task.plan !== null)
    return (
      <WithWords task={task} own={t.plan.back}>
        <PlanCard task={task} plan={task.plan} />
      </WithWords>
    );
  if (isForm(task))
    return (
      <WithWords task={task} own={t.form.words}>
        <FormCard task={task} />
      </WithWords>
    );
  return (
    <div className="flex flex-col gap-4">
      <Words text={questionOf(task) || task.output} />
      <ReplyBox key={task.task_id} task={task} />
    </div>
  );
}

/** An answer, a choice of how to go on, or both. */
function Ways({ task }: { task: Task }) {
  if (task.awaiting === "dry_run") return <ProposalCard key={`${task.task_id}.${task.attempt}`} task={task} />;
  if (task.awaiting === "permission")
    return (
      <WithOtherWays task={task}>
        <PermissionCard key={`${task.task_id}.${task.attempt}`} task={task} />
      </WithOtherWays>
    );
  const asks = task.awaiting === "question" || task.awaiting === "blocker";
  const card = asks ? <Asked task={task} /> : guardOf(task);
  if (card) return <WithOtherWays task={task}>{card}</WithOtherWays>;
  const answerable = takesWords(task.awaiting);
  const resumes = draws(task, "resume");
  return (
    <div className="flex flex-col gap-4">
      <Words text={questionOf(task)} />
      {resumes && <ResumePanel task={task} />}
      {answerable && <p className="-mb-2 text-[13px] font-semibold text-muted">{t.resume.orReply}</p>}
      {answerable && <ReplyBox key={task.task_id} task={task} />}
    </div>
  );
}
