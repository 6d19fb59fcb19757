import { CircleCheck, CircleDashed, CircleSlash, CircleX, LoaderCircle } from "lucide-react";
import { useState } from "react";
import { operationPage } from "@/api/queries";
import type { Operation, OperationOutcome, PhaseRun } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { LogView } from "@/shared/log/log-view";
import { Button } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { Elapsed } from "@/shared/ui/time";

type PhaseState = keyof typeof t.runner.phaseStates;

/** What became of a phase: the last one that was begun is where an operation that did not succeed ended. */
export function phaseState(operation: Operation, index: number): PhaseState {
  const phase = operation.phases[index];
  if (!phase?.started_at) return "waiting";
  const isLast = !operation.phases[index + 1]?.started_at;
  if (operation.outcome === null) return isLast ? "running" : "done";
  return operation.outcome !== "done" && isLast ? "failed" : "done";
}

const ICON = { size: 17, "aria-hidden": true };

function PhaseIcon({ state }: { state: PhaseState }) {
  switch (state) {
    case "waiting":
      return <CircleDashed {...ICON} className="text-faint" />;
    case "running":
      return <LoaderCircle {...ICON} className="animate-spin text-accent" />;
    case "done":
      return <CircleCheck {...ICON} className="text-ok" />;
    case "failed":
      return <CircleX {...ICON} className="text-bad" />;
  }
}

function PhaseItem({ phase, state, last }: { phase: PhaseRun; state: PhaseState; last: boolean }) {
  return (
    <li className="flex min-w-0 items-center gap-2" aria-current={state === "running" ? "step" : undefined}>
      <PhaseIcon state={state} />
      <span className={state === "waiting" ? "text-muted" : "font-medium"}>{t.runner.phases[phase.phase]}</span>
      <span className="sr-only">{t.runner.phaseStates[state]}</span>
      {phase.started_at && (
        <span className="text-[13px] text-muted tabular-nums">
          <Elapsed from={phase.started_at} to={phase.finished_at ?? null} />
        </span>
      )}
      {!last && <span aria-hidden className="ml-1 h-px w-6 bg-line-strong sm:w-12" />}
    </li>
  );
}

function Outcome({ outcome }: { outcome: OperationOutcome }) {
  const word = t.runner.outcomes[outcome];
  switch (outcome) {
    case "done":
      return (
        <span className="inline-flex items-center gap-1.5 font-medium text-ok">
          <CircleCheck size={15} aria-hidden />
          {word}
        </span>
      );
    case "failed":
      return (
        <span className="inline-flex items-center gap-1.5 font-medium text-bad">
          <CircleX size={15} aria-hidden />
          {word}
        </span>
      );
    case "cancelled":
    case "cut_short":
      return (
        <span className="inline-flex items-center gap-1.5 font-medium text-warn">
          <CircleSlash size={15} aria-hidden />
          {word}
        </span>
      );
  }
}

interface Props {
  operation: Operation;
  /** Whether the server can be reached. */
  up: boolean;
  onRetry: () => void;
  onBack: () => void;
  onCancel: () => void;
}

/** An operation under way, or how the last one ended and what to do about it. */
export function OperationCard({ operation, up, onRetry, onBack, onCancel }: Props) {
  const { kind, outcome } = operation;
  const builds = operation.phases.some((phase) => phase.phase === "build");
  const [chosen, setChosen] = useState<boolean | null>(null);
  const shown = builds && (chosen ?? (outcome === null || outcome === "failed"));
  const title = say(outcome === null ? t.runner.underWay : t.runner.operation, { operation: t.operation_kind[kind] });
  const notes = operation.phases.filter((phase) => phase.note);
  return (
    <section aria-label={title} className="card mb-6 overflow-hidden" data-operation={operation.operation_id}>
      <div className="px-4 py-4">
        <header className="mb-3 flex flex-wrap items-center gap-x-3">
          <h2 className="font-semibold">{title}</h2>
          {outcome !== null && <Outcome outcome={outcome} />}
          <span className="ml-auto text-[13px] text-muted tabular-nums">
            {outcome !== null && `${t.runner.took} `}
            <Elapsed from={operation.started_at} to={operation.finished_at} />
          </span>
        </header>
        <ol aria-label={t.runner.phasesLabel} className="flex flex-wrap items-center gap-x-2 gap-y-2">
          {operation.phases.map((phase, index) => (
            <PhaseItem
              key={phase.phase}
              phase={phase}
              state={phaseState(operation, index)}
              last={index === operation.phases.length - 1}
            />
          ))}
        </ol>
        {notes.map((phase) => (
          <p key={phase.phase} className="mt-2 text-[13px] text-muted">
            {phase.note}
          </p>
        ))}
        <div role="status" className="mt-3">
          {outcome === null && !up && <p className="text-muted">{t.runner.reconnects}</p>}
          {outcome !== null && <p>{t.runner.results[kind][outcome]}</p>}
          {operation.cause && (
            <p className="mt-1 [overflow-wrap:anywhere]">
              <span className="text-muted">{t.runner.cause}: </span>
              <InlineCode text={operation.cause} />
            </p>
          )}
        </div>
        <div className="mt-3 flex flex-wrap gap-2">
          {outcome !== null && outcome !== "done" && (
            <Button look="primary" disabled={!up} onClick={onRetry}>
              {t.runner.retry}
            </Button>
          )}
          {outcome !== null && <Button onClick={onBack}>{t.runner.back}</Button>}
          {builds && (
            <Button onClick={() => setChosen(!shown)} aria-expanded={shown}>
              {shown ? t.runner.hideLog : t.runner.viewLog}
            </Button>
          )}
          {operation.cancellable && (
            <Button look="danger" disabled={!up} onClick={onCancel}>
              {t.runner.cancel}
            </Button>
          )}
        </div>
      </div>
      {shown && (
        <div className="flex h-80 flex-col border-t border-line">
          <LogView
            id={operation.operation_id}
            attempt={1}
            running={outcome === null}
            read={operationPage}
            label={t.runner.log}
          />
        </div>
      )}
    </section>
  );
}
