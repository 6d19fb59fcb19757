import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { outputPage, stepsQuery, taskEventsQuery } from "@/api/queries";
import type { Attempt, Step, Task } from "@/api/types";
import { callWords } from "@/events/workbench";
import { say, t } from "@/shared/i18n/t";
import { money } from "@/shared/lib/numbers";
import { Lines } from "@/shared/log/line";
import { Failure } from "@/shared/ui/failure";
import { Markdown } from "@/shared/ui/markdown";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { LineCounts } from "@/shared/ui/line-counts";
import { Elapsed } from "@/shared/ui/time";
import { Notes } from "../notes";
import { DiffPane } from "./diff-pane";
import { Part } from "./part";
import { RunView } from "./run-view";
import { SpawnPart } from "./spawn-part";

const LOG_LIMIT = 32_768;
/** What the engine calls the steps that run other checks than the present ones, and how they read. */
const ASIDE: Record<string, string> = { "base tests": t.runs.base, "accepted checks": t.runs.pinned };

function StepLog({ taskId, step }: { taskId: string; step: Step }) {
  const from = Math.max(step.output_from, step.output_to - LOG_LIMIT);
  const page = useQuery({
    queryKey: ["step-log", step.id, step.output_to],
    queryFn: () => outputPage(taskId, step.attempt, from, Math.max(1, step.output_to - from)),
    enabled: step.output_to > from,
  });
  if (step.output_to <= from) return <p className="text-muted">{t.output.empty}</p>;
  if (page.isPending) return <SkeletonRows rows={3} className="h-5" />;
  if (page.isError) return <Failure error={page.error} />;
  return <Lines label={t.steps.log} text={page.data.text} />;
}

/** What the agent told in this step through the workbench's own tools. */
function StepCalls({ taskId, step }: { taskId: string; step: Step }) {
  const events = useQuery(taskEventsQuery(taskId));
  const calls = (events.data ?? []).flatMap((event) =>
    event.type === "workbench.called" && event.data.step_id === step.id ? [event] : [],
  );
  if (calls.length === 0) return null;
  return (
    <Part label={t.workbench.calls}>
      <ol className="flex flex-col gap-0.5">
        {calls.map((call) => (
          <li key={call.seq} className="flex gap-3">
            <code className="w-20 shrink-0 font-mono text-[12.5px] text-muted">{call.data.tool}</code>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {callWords(call.data.tool, call.data.arguments) || String(call.data.arguments.text)}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  );
}

/** A verification that was stopped has no run, only what it had written. */
const RECORDED = ["passed", "failed", "infrastructure"];

type Known = keyof typeof t.stepWords.outcomes;
const isKnown = (word: string): word is Known => word in t.stepWords.outcomes;

function toneOf(outcome: string | null): string {
  if (outcome === null || outcome === "done") return "text-muted";
  if (outcome === "passed") return "text-ok";
  return outcome === "asked" || outcome === "permission" || outcome === "steered" ? "text-warn" : "text-bad";
}

/** "Scout A", "Verify", "Fix": scouts go by their own names. */
export function titleOf(step: Step): string {
  const aside = step.kind === "verify" ? ASIDE[step.name] : undefined;
  if (aside) return aside;
  return step.kind === "scout" && step.name !== ""
    ? step.name.charAt(0).toUpperCase() + step.name.slice(1)
    : t.stepKinds[step.kind];
}

/** The outcome in words; for a verification also which check it was. */
export function outcomeOf(step: Step): string {
  if (step.outcome === null) return t.steps.running;
  const word = isKnown(step.outcome) ? t.stepWords.outcomes[step.outcome] : step.outcome;
  if (step.kind === "verify" && step.name !== "" && !(step.name in ASIDE)) return `${word}: ${step.name}`;
  return step.exit_code !== null && step.exit_code !== 0
    ? `${word}, ${say(t.exit_code, { code: step.exit_code })}`
    : word;
}

/** An answer as it is best read: JSON set out over lines, everything else as it came. */
export function readable(answer: string): { text: string; json: boolean } {
  const bare = answer.trim().replace(/^```(?:json)?\n([\s\S]*)\n```$/, "$1");
  if (/^[[{]/.test(bare)) {
    try {
      return { text: JSON.stringify(JSON.parse(bare), null, 2), json: true };
    } catch {
      // It only looked like it.
    }
  }
  return { text: answer, json: false };
}

function Answer({ step }: { step: Step }) {
  const { text, json } = readable(step.answer);
  const label = t.stepWords.answers[step.kind];
  return <Part label={label}>{json ? <Lines label={label} text={text} wrap /> : <Markdown text={text} />}</Part>;
}

function StepBody({ task, step }: { task: Task; step: Step }) {
  const verifies = step.run_id !== null && step.outcome !== null && RECORDED.includes(step.outcome);
  return (
    <div className="flex flex-col gap-3 px-3 pt-1 pb-4 pl-11 max-sm:pl-3">
      {step.answer && <Answer step={step} />}
      {step.detail && !verifies && step.detail !== step.answer && (
        <Part label={t.stepWords.detail}>
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{step.detail}</p>
        </Part>
      )}
      <Notes notes={task.notes.filter((note) => note.step_id === step.id)} />
      {verifies && step.run_id !== null && (
        <Part label={t.stepWords.run}>
          <RunView runId={step.run_id} />
        </Part>
      )}
      <StepCalls taskId={task.task_id} step={step} />
      {step.prompt && (
        <Part label={t.steps.prompt}>
          <Lines label={t.steps.prompt} text={step.prompt} wrap />
        </Part>
      )}
      {step.spawn && <SpawnPart spawn={step.spawn} />}
      {!verifies && step.kind !== "compact" && (
        <Part label={t.steps.log}>
          <StepLog taskId={task.task_id} step={step} />
        </Part>
      )}
      {step.files_changed > 0 && (
        <Part label={t.steps.diff}>
          <div className="overflow-hidden rounded-md border border-line">
            <DiffPane taskId={task.task_id} part={{ attempt: step.attempt, step: step.number }} />
          </div>
        </Part>
      )}
    </div>
  );
}

function StepRow({ task, step }: { task: Task; step: Step }) {
  const [open, setOpen] = useState(false);
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-10 w-full flex-wrap items-center gap-x-3 px-3 py-1.5 text-left hover:bg-raised focus-visible:-outline-offset-2"
      >
        <ChevronRight size={14} aria-hidden className={`text-faint transition-transform ${open ? "rotate-90" : ""}`} />
        <span className="w-5 text-right text-faint">{step.number}</span>
        <span className="min-w-20 font-medium">{titleOf(step)}</span>
        <span className={`min-w-0 text-[13px] [overflow-wrap:anywhere] ${toneOf(step.outcome)}`}>
          {outcomeOf(step)}
        </span>
        <span className="ml-auto flex items-center gap-3 text-[13px] text-muted">
          {step.files_changed > 0 && <LineCounts insertions={step.insertions} deletions={step.deletions} />}
          {step.cost_usd > 0 && <span>{money(step.cost_usd)}</span>}
          <Elapsed from={step.started_at} to={step.finished_at} />
        </span>
      </button>
      {open && <StepBody task={task} step={step} />}
    </li>
  );
}

function AttemptSteps({ task, attempt, many }: { task: Task; attempt: Attempt; many: boolean }) {
  return (
    <section>
      {many && (
        <h3 className="border-b border-line bg-bg px-3 py-1.5 text-[13px] font-semibold text-muted">
          {say(t.task.attempt, { n: attempt.number })}: {t.steps.attemptModes[attempt.mode]}
        </h3>
      )}
      <ol>
        {attempt.steps.map((step) => (
          <StepRow key={step.id} task={task} step={step} />
        ))}
      </ol>
    </section>
  );
}

export function StepsView({ task }: { task: Task }) {
  const steps = useQuery(stepsQuery(task.task_id));
  if (!steps.data)
    return (
      <Missing query={steps} className="p-3">
        <SkeletonRows rows={4} className="h-9" />
      </Missing>
    );
  const attempts = steps.data.items.filter((attempt) => attempt.steps.length > 0);
  if (attempts.length === 0) return <p className="p-4 text-muted">{t.steps.none}</p>;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {[...attempts].reverse().map((attempt) => (
        <AttemptSteps key={attempt.number} task={task} attempt={attempt} many={attempts.length > 1} />
      ))}
    </div>
  );
}
