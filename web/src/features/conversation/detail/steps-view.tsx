import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { outputPage, stepsQuery } from "@/api/queries";
import type { Attempt, Step, Task } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Failure } from "@/shared/ui/failure";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Lines } from "@/shared/ui/stat";
import { Elapsed } from "@/shared/ui/time";
import { plain } from "@/shared/log/ansi";
import { DiffPane } from "./diff-pane";

const LOG_LIMIT = 32_768;

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
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must be reachable by keyboard
    <pre tabIndex={0} aria-label={t.steps.log} className="max-h-72 overflow-auto rounded-md bg-code p-2.5 font-mono text-[12.5px] leading-5">
      {page.data.text.split("\n").map(plain).join("\n")}
    </pre>
  );
}

function Part({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-[12px] font-semibold text-muted">{label}</h3>
      {children}
    </section>
  );
}

function toneOf(outcome: string | null): string {
  if (outcome === null || outcome === "done") return "text-muted";
  return outcome === "asked" ? "text-warn" : "text-bad";
}

function StepRow({ task, step }: { task: Task; step: Step }) {
  const [open, setOpen] = useState(false);
  return (
    <li className="border-b border-line last:border-0">
      <button type="button" aria-expanded={open} onClick={() => { setOpen(!open); }} className="flex min-h-10 w-full flex-wrap items-center gap-x-3 px-3 py-1.5 text-left hover:bg-raised focus-visible:-outline-offset-2">
        <ChevronRight size={14} aria-hidden className={`text-faint transition-transform ${open ? "rotate-90" : ""}`} />
        <span className="w-5 text-right text-faint">{step.number}</span>
        <span className="min-w-20 font-medium">{t.stepKinds[step.kind]}</span>
        <span className={`text-[13px] ${toneOf(step.outcome)}`}>
          {step.outcome ?? t.steps.running}
          {step.exit_code !== null && step.exit_code !== 0 && `, ${t.steps.exit(step.exit_code)}`}
        </span>
        <span className="ml-auto flex items-center gap-3 text-[13px] text-muted">
          {step.files_changed > 0 && <Lines insertions={step.insertions} deletions={step.deletions} />}
          <Elapsed from={step.started_at} to={step.finished_at} />
        </span>
      </button>
      {open && (
        <div className="flex flex-col gap-3 px-3 pt-1 pb-4 pl-11 max-sm:pl-3">
          {step.detail && (
            <Part label={t.steps.diagnosis}>
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{step.detail}</p>
            </Part>
          )}
          {step.prompt && (
            <Part label={t.steps.prompt}>
              {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must be reachable by keyboard */}
              <pre tabIndex={0} aria-label={t.steps.prompt} className="max-h-60 overflow-auto rounded-md bg-code p-2.5 font-mono text-[12.5px] leading-5 whitespace-pre-wrap">
                {step.prompt}
              </pre>
            </Part>
          )}
          <Part label={t.steps.log}>
            <StepLog taskId={task.task_id} step={step} />
          </Part>
          {step.files_changed > 0 && (
            <Part label={t.steps.diff}>
              <div className="overflow-hidden rounded-md border border-line">
                <DiffPane taskId={task.task_id} part={{ attempt: step.attempt, step: step.number }} />
              </div>
            </Part>
          )}
        </div>
      )}
    </li>
  );
}

function AttemptSteps({ task, attempt, many }: { task: Task; attempt: Attempt; many: boolean }) {
  return (
    <section>
      {many && (
        <h3 className="border-b border-line bg-bg px-3 py-1.5 text-[13px] font-semibold text-muted">
          {t.task.attempt(attempt.number)}: {t.steps.attemptModes[attempt.mode]}
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
  if (steps.isPending) return <div className="p-3"><SkeletonRows rows={4} className="h-9" /></div>;
  if (steps.isError) return <div className="p-3"><Failure error={steps.error} retry={() => { void steps.refetch(); }} /></div>;
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
