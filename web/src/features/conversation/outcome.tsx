import { useQuery } from "@tanstack/react-query";
import { ShieldCheck, ShieldQuestionMark } from "lucide-react";
import { runsQuery } from "@/api/queries";
import { standing } from "@/api/status";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { took } from "@/shared/lib/time";
import { InlineCode } from "@/shared/ui/inline-code";
import { Fold } from "@/shared/ui/fold";
import { Markdown } from "@/shared/ui/markdown";
import { Ago } from "@/shared/ui/time";
import { ChecksLink, PartLink, RunLink } from "./part-link";
import { StuckNotice } from "./stuck-notice";

/** Questions the task asked earlier and what was answered. */
export function Exchanges({ task }: { task: Task }) {
  if (task.reply_history.length === 0) return null;
  return (
    <ol aria-label={t.task.replies} className="flex flex-col gap-2.5">
      {task.reply_history.map((entry, index) => (
        <li key={index} className="border-l-2 border-line-strong pl-3">
          {entry.question && (
            <Fold limit={120}>
              <Markdown text={entry.question} className="text-[13px] text-muted" />
            </Fold>
          )}
          <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
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

/** That it could not go on, and why; for checks that could not be run also which way leads on. */
function Failed({ task }: { task: Task }) {
  const unrunnable = task.error_kind === "infrastructure" && task.run_id !== null;
  return (
    <div role="alert" className="flex flex-col gap-1 rounded-lg bg-bad-soft px-3 py-2.5">
      {task.error_kind && (
        <p className="font-medium text-bad">{unrunnable ? t.checks_unrunnable : t.error_kind[task.error_kind]}</p>
      )}
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        <InlineCode text={task.error_message ?? ""} />
      </p>
      {unrunnable && <p>{t.verified.couldNotFix}</p>}
      {unrunnable && task.run_id !== null && (
        <p className="flex flex-wrap gap-x-4">
          <PartLink task={task} open={{ view: "checks", run: task.run_id }}>
            {t.verified.seeRun}
          </PartLink>
          <ChecksLink projectId={task.project_id}>{t.verified.openChecks}</ChecksLink>
        </p>
      )}
    </div>
  );
}

function Unverified({ task }: { task: Task }) {
  return (
    <div className="flex items-start gap-2.5 rounded-lg border border-line bg-bg px-3 py-2.5">
      <ShieldQuestionMark size={16} aria-hidden className="mt-0.5 shrink-0 text-muted" />
      <p className="min-w-0">
        <span className="font-medium">{t.verified.none}</span> <span className="text-muted">{t.verified.noneFix}</span>{" "}
        <ChecksLink projectId={task.project_id}>{t.verified.setUp}</ChecksLink>
      </p>
    </div>
  );
}

/** Which run proves it, how many checks that were, and at the how-manieth try. */
function Verified({ task }: { task: Task }) {
  const runs = useQuery({ ...runsQuery(task.task_id), enabled: task.run_id !== null });
  const run = runs.data?.items.find((one) => one.run_id === task.run_id);
  const spent = run ? run.checks.reduce((sum, check) => sum + check.duration_ms, 0) : 0;
  if (task.run_id === null) return null;
  const doubtful = standing(task.doubts).length > 0;
  return (
    <p className="flex min-h-5 items-start gap-2 text-[13px] text-muted">
      <ShieldCheck
        size={15}
        aria-hidden
        className={`mt-0.5 shrink-0 ${task.rolled_back ? "text-muted" : doubtful ? "text-warn" : "text-ok"}`}
      />
      <span className="min-w-0">
        {task.rolled_back ? t.verified.was : doubtful ? t.verified.byDoubtful : t.verified.by}{" "}
        <RunLink task={task} runId={task.run_id} />
        {run && `: ${say(t.verified.checks, { count: run.checks.length, time: took(spent) })}`}
        {task.loop.total > 1 && `, ${say(t.verified.loop, { n: task.loop.total })}`}
        {task.loop.replans > 0 && `, ${say(t.verified.replans, { count: task.loop.replans })}`}
      </span>
    </p>
  );
}

/** The run stands above as a link, so the last paragraph, which names it in whatever language, is left out here. */
export function wordsOf(task: Task): string {
  const words = task.summary || task.output;
  if (task.verdict !== "PASS" || task.run_id === null) return words;
  const at = words.lastIndexOf("\n\n");
  return at > 0 && words.includes(task.run_id, at) ? words.slice(0, at) : words;
}

/** How a task ended, in its own words; or why it could not go on. */
export function Outcome({ task }: { task: Task }) {
  const words = wordsOf(task);
  return (
    <>
      {task.status === "ERROR" && <Failed task={task} />}
      {task.status === "STUCK" && <StuckNotice task={task} />}
      {task.status === "COMPLETE" && task.verdict === "PASS" && <Verified task={task} />}
      {task.status === "COMPLETE" && task.verdict === "UNVERIFIED" && !task.rolled_back && <Unverified task={task} />}
      {words && (
        <Fold>
          <Markdown text={words} />
        </Fold>
      )}
    </>
  );
}
