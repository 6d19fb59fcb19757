import { FileDiff, ListChecks, ListTree, OctagonX, SquareTerminal } from "lucide-react";
import { useState } from "react";
import type { Task } from "@/api/types";
import { hasEnded, standing } from "@/api/status";
import { say, t } from "@/shared/i18n/t";
import { readDraft, draftKeys } from "@/shared/lib/draft";
import { useKeptFocus } from "@/shared/lib/focus";
import { money } from "@/shared/lib/numbers";
import { duration } from "@/shared/lib/time";
import { Button } from "@/shared/ui/button";
import { LineCounts } from "@/shared/ui/line-counts";
import { Status } from "@/shared/ui/status";
import { Elapsed } from "@/shared/ui/time";
import { CancelDialog } from "./cancel-dialog";
import { ChangesBar, LostRepository, UndoRollback } from "./changes-bar";
import { Checklist } from "./checklist";
import type { DetailView } from "./detail-view";
import { Doubts } from "./doubts";
import { Exchanges, Outcome } from "./outcome";
import { Notes } from "./notes";
import { Offer } from "./offer";
import { Request } from "./request";
import { Progress } from "./progress";
import { TaskMeter } from "./task-meter";
import { Steering } from "./steering";
import { draws, titleOf, useTask } from "./task-state";
import { Decisions } from "./awaiting/decisions";
import { EarlierAnswers } from "./awaiting/earlier-answers";
import { ReplyBox } from "./awaiting/reply-box";
import { ResumePanel } from "./awaiting/resume-panel";
import { AwaitingCard } from "./awaiting/awaiting-card";

/** How long the agent and the checks were at work: the time in which it waited for the person is not in it. */
function Worked({ task }: { task: Task }) {
  if (task.status === "RUNNING" && task.started_at)
    return (
      <span title={t.task.took}>
        {task.working_since ? (
          <Elapsed from={task.working_since} before={task.worked_ms} />
        ) : (
          <Elapsed from={task.started_at} />
        )}
      </span>
    );
  if (!hasEnded(task.status) || task.worked_ms === 0) return null;
  return <span title={t.task.took}>{duration(task.worked_ms)}</span>;
}

function Head({ task, onCancel }: { task: Task; onCancel: () => void }) {
  return (
    <header className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="sr-only">{say(t.task.label, { title: titleOf(task) })}</h2>
      <Status
        status={task.status}
        awaiting={task.awaiting}
        verdict={task.verdict}
        doubtful={standing(task.doubts).length > 0}
        rolledBack={task.rolled_back}
      />
      <span className="text-[13px] text-muted">{task.agent}</span>
      {task.attempt > 1 && <span className="text-[13px] text-muted">{say(t.task.attempt, { n: task.attempt })}</span>}
      <span className="ml-auto flex items-center gap-3 text-[13px] text-muted">
        {task.cost_usd > 0 && <span title={t.task.cost}>{money(task.cost_usd)}</span>}
        <Worked task={task} />
        {draws(task, "cancel") && (
          <Button look="quiet" size="sm" className="-mr-2" icon={<OctagonX size={14} aria-hidden />} onClick={onCancel}>
            {t.task.cancel}
          </Button>
        )}
      </span>
    </header>
  );
}

function Body({ task }: { task: Task }) {
  switch (task.status) {
    case "QUEUED":
      return (
        <p className="text-muted">
          {task.position !== null && (
            <span className="font-medium text-text">{say(t.task.position, { count: task.position })}. </span>
          )}
          {task.waits_for && say(t.task.waitsFor, { what: task.waits_for })}
        </p>
      );
    case "RUNNING":
      return <Progress task={task} />;
    case "AWAITING_RESPONSE":
      return <AwaitingCard task={task} />;
    case "ERROR":
      return (
        <>
          <Outcome task={task} />
          {draws(task, "resume") && <ResumePanel task={task} />}
        </>
      );
    case "COMPLETE":
    case "CANCELLED":
    case "STUCK":
      return <Outcome task={task} />;
  }
}

interface FootProps {
  task: Task;
  view: DetailView | null;
  onView: (view: DetailView | null) => void;
}

function Foot({ task, view, onView }: FootProps) {
  const parts = [
    { key: "steps" as const, label: t.task.steps, icon: <ListTree size={14} aria-hidden /> },
    { key: "output" as const, label: t.task.output, icon: <SquareTerminal size={14} aria-hidden /> },
    ...(task.run_id !== null
      ? [{ key: "checks" as const, label: t.runs.tab, icon: <ListChecks size={14} aria-hidden /> }]
      : []),
    {
      key: "diff" as const,
      label: task.files_changed > 0 ? say(t.task.files, { count: task.files_changed }) : t.task.diff,
      icon: <FileDiff size={14} aria-hidden />,
    },
  ];
  return (
    <footer className="-mx-1.5 -mb-1 flex flex-wrap items-center gap-1">
      {task.attempt > 0 &&
        parts.map((part) => (
          <span key={part.key} className="inline-flex items-center gap-1">
            <Button
              look="quiet"
              size="sm"
              aria-expanded={view === part.key}
              icon={part.icon}
              className={view === part.key ? "bg-raised text-text" : ""}
              onClick={() => onView(view === part.key ? null : part.key)}
            >
              {part.label}
            </Button>
            {part.key === "diff" && task.files_changed > 0 && (
              <LineCounts insertions={task.insertions} deletions={task.deletions} />
            )}
          </span>
        ))}
      <span className="ml-auto flex flex-wrap gap-1.5">
        <ChangesBar task={task} />
      </span>
    </footer>
  );
}

interface Props {
  snapshot: Task;
  view: DetailView | null;
  onView: (view: DetailView | null) => void;
  children?: React.ReactNode;
}

/** One task of the conversation: what was asked, how it goes, what came of it. Its details open inside or beside it. */
export function TaskCard({ snapshot, view, onView, children }: Props) {
  const task = useTask(snapshot);
  const card = useKeptFocus<HTMLElement>();
  const [cancels, setCancels] = useState(false);
  const waits = task.status === "AWAITING_RESPONSE";
  const keepsWords = !waits && readDraft(draftKeys.reply(task.task_id)).trim() !== "";
  return (
    <article
      ref={card}
      tabIndex={-1}
      id={`task-${task.task_id}`}
      data-task={task.task_id}
      data-status={task.status}
      aria-label={say(t.task.label, { title: titleOf(task) })}
      className="flex scroll-mt-16 flex-col gap-3 rounded-xl"
    >
      <Request task={task} />
      <div
        className={`card flex flex-col gap-3 px-4 py-3 ${waits ? "border-warn-line shadow-card ring-1 ring-warn-line" : ""} ${view ? "border-line-strong" : ""}`}
      >
        <Head task={task} onCancel={() => setCancels(true)} />
        {task.reply_history.length > 0 && <Exchanges task={task} />}
        <Decisions task={task} />
        <Body task={task} />
        <Checklist task={task} />
        {keepsWords && <ReplyBox task={task} />}
        <EarlierAnswers task={task} />
        <TaskMeter task={task} />
        <Steering task={task} />
        <Notes notes={task.notes.filter((note) => note.attempt === task.attempt)} />
        <Doubts task={task} />
        <LostRepository task={task} />
        <Offer task={task} />
        <UndoRollback task={task} />
        {(task.attempt > 0 || task.files_changed > 0) && <Foot task={task} view={view} onView={onView} />}
      </div>
      {children}
      {cancels && <CancelDialog task={task} onClose={() => setCancels(false)} />}
    </article>
  );
}
