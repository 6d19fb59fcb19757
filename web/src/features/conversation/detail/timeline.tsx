import { useQuery } from "@tanstack/react-query";
import { taskEventsQuery } from "@/api/queries";
import type { Event, StepKind } from "@/api/types";
import { verdictOf } from "@/api/words";
import { t } from "@/shared/i18n/t";
import { Line } from "@/shared/log/line";
import { useTail } from "@/shared/log/use-tail";
import { Failure } from "@/shared/ui/failure";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Ago } from "@/shared/ui/time";
import { callWords } from "../workbench";

const LIVE_LINES = 8;

type Tone = "plain" | "strong" | "ask" | "bad" | "ok" | "dim";

interface Entry {
  text: string;
  tone: Tone;
}

const isStepKind = (kind: string): kind is StepKind => kind in t.stepKinds;
const stepWord = (kind: string): string => (isStepKind(kind) ? t.stepKinds[kind] : kind);
const isMode = (mode: string): mode is keyof typeof t.steps.attemptModes => mode in t.steps.attemptModes;
const modeWord = (mode: string): string => (isMode(mode) ? t.steps.attemptModes[mode] : mode);

/** What an event says to a person, or null when it only matters to the machine. */
export function entryOf(event: Event): Entry | null {
  switch (event.type) {
    case "task.started":
      return { text: t.events.started, tone: "strong" };
    case "task.milestone":
      return { text: event.data.text, tone: "plain" };
    case "task.awaiting":
      return { text: t.events.awaiting(event.data.reason), tone: "ask" };
    case "task.completed": {
      const verdict = verdictOf(event.data.verdict);
      return { text: t.events.completed(verdict ? t.verdict[verdict] : event.data.verdict), tone: "ok" };
    }
    case "task.failed":
      return { text: t.events.failed(event.data.message), tone: "bad" };
    case "task.cancelled":
      return { text: t.events.cancelled, tone: "strong" };
    case "task.replied":
      return {
        text: event.data.replayed ? t.events.repliedAgain(event.data.reply) : t.events.replied(event.data.reply),
        tone: "strong",
      };
    case "task.resumed":
      return { text: t.events.resumed(event.data.mode), tone: "strong" };
    case "task.rolled_back":
      return { text: t.events.rolledBack(event.data.files), tone: "strong" };
    case "task.rollback_undone":
      return { text: t.events.undone, tone: "strong" };
    case "task.committed":
      return { text: t.events.committed(event.data.commit, event.data.message), tone: "ok" };
    case "task.verified":
      return { text: t.events.verified(event.data), tone: event.data.result === "PASS" ? "ok" : "bad" };
    case "task.findings":
      return event.data.findings.length > 0
        ? { text: t.events.findings(event.data.findings.length), tone: "ask" }
        : null;
    case "task.stuck":
      return { text: event.data.message, tone: "bad" };
    case "task.applied":
      return { text: t.events.applied(event.data.files, event.data.merged), tone: "strong" };
    case "task.discarded":
      return { text: t.events.discarded, tone: "strong" };
    case "attempt.started":
      return event.data.attempt > 1
        ? { text: t.events.attempt(event.data.attempt, modeWord(event.data.mode)), tone: "strong" }
        : null;
    case "step.started":
      return { text: t.events.stepStarted(event.data.number, stepWord(event.data.kind)), tone: "dim" };
    case "step.finished":
      return {
        text: t.events.stepFinished(event.data.number, stepWord(event.data.kind), event.data.outcome),
        tone: ["done", "asked", "permission"].includes(event.data.outcome) ? "dim" : "bad",
      };
    case "step.tool_started":
      return { text: t.events.tool(event.data.name, event.data.detail), tone: "dim" };
    case "step.tool_finished":
      return event.data.ok
        ? null
        : {
            text: t.events.toolFailed(event.data.detail || event.data.name, event.data.exit_code ?? null),
            tone: "bad",
          };
    case "question.asked":
      return { text: t.events.asked(event.data.text), tone: "ask" };
    case "guard.timeout":
      return { text: t.events.timeout(event.data.limit, event.data.seconds), tone: "bad" };
    case "guard.absent":
      return { text: t.events.absent, tone: "bad" };
    case "guard.breaker":
      return { text: t.guardEvents.breaker(event.data.reason), tone: event.data.state === "CLOSED" ? "strong" : "bad" };
    case "guard.limit":
      return { text: t.guardEvents.limit(event.data.message), tone: "bad" };
    case "guard.budget":
      return { text: t.guardEvents.budget(event.data.kind, event.data.spent, event.data.limit), tone: "bad" };
    case "guard.decided":
      return { text: t.guardEvents.decided(event.data.choice), tone: "strong" };
    case "guard.strays":
      return event.data.remaining.length > 0
        ? { text: t.events.remaining(event.data.remaining.join(", ")), tone: "bad" }
        : { text: t.events.strays(event.data.ended.length), tone: "dim" };
    case "workbench.called": {
      const text = callWords(event.data.tool, event.data.arguments);
      return text === ""
        ? null
        : { text, tone: event.data.tool === "decide" || event.data.tool === "blocked" ? "ask" : "plain" };
    }
    case "usage.model_differs":
      return { text: t.events.modelDiffers(event.data.requested_model, event.data.model), tone: "ask" };
    case "context.filled":
      return { text: t.events.filled(Math.floor((100 * event.data.tokens) / event.data.window)), tone: "ask" };
    case "context.compacted":
      return { text: t.events.compacted(event.data.reason === "full"), tone: "strong" };
    case "permission.asked":
      return { text: t.talkEvents.permissionAsked(t.events.tool(event.data.tool, event.data.detail)), tone: "ask" };
    case "permission.decided":
      return {
        text: t.talkEvents.permissionDecided(
          event.data.choice,
          t.events.tool(event.data.tool, event.data.detail),
          event.data.replayed,
        ),
        tone: "strong",
      };
    case "steering.queued":
      return { text: t.talkEvents.queued(event.data.text), tone: "strong" };
    case "steering.delivered":
      return { text: t.talkEvents.delivered(event.data.text), tone: "plain" };
    case "steering.taken_back":
      return { text: t.talkEvents.takenBack(event.data.text), tone: "plain" };
    case "steering.returned":
      return { text: t.talkEvents.returned(event.data.text), tone: "ask" };
    case "agent.denied":
      return { text: t.notes.denied(t.events.tool(event.data.tool, event.data.detail)), tone: "ask" };
    case "agent.fresh":
      return { text: t.notes.fresh(event.data.reason), tone: "ask" };
    case "steering.handed":
    case "permission.revoked":
    case "usage.recorded":
    case "question.answered":
    case "attempt.finished":
    case "project.added":
    case "project.checks_changed":
    case "project.changed":
    case "settings.changed":
    case "session.created":
    case "session.changed":
    case "workspace.held":
    case "workspace.released":
    case "runner.started":
    case "runner.stopped":
    case "runner.operation_started":
    case "runner.operation_finished":
    case "storage.mirror_rebuilt":
    case "storage.restored":
      return null;
  }
}

const TONES: Record<Tone, string> = {
  plain: "",
  strong: "font-medium",
  ask: "font-medium text-warn",
  bad: "text-bad",
  ok: "font-medium text-ok",
  dim: "text-muted text-[13px]",
};

/** The end of a check's output while it runs. */
function LiveTail({ taskId, attempt }: { taskId: string; attempt: number }) {
  const lines = useTail(taskId, attempt, LIVE_LINES);
  return (
    <div className="shrink-0 border-t border-line bg-code px-4 py-2">
      <h3 className="text-[12px] font-semibold text-muted">{t.output.now}</h3>
      <pre className="h-40 overflow-hidden font-mono text-[12.5px] leading-5">
        {lines.map((line, index) => (
          <span key={index} className="block truncate">
            <Line text={line || " "} />
          </span>
        ))}
      </pre>
    </div>
  );
}

/** The output without its noise: milestones, questions, steps and errors, in order. */
export function Timeline({ taskId, live = null }: { taskId: string; live?: number | null }) {
  const events = useQuery(taskEventsQuery(taskId));
  if (events.isPending)
    return (
      <div className="p-3">
        <SkeletonRows rows={6} className="h-6" />
      </div>
    );
  if (events.isError)
    return (
      <div className="p-3">
        <Failure
          error={events.error}
          retry={() => {
            void events.refetch();
          }}
        />
      </div>
    );
  const entries = events.data.flatMap((event) => {
    const entry = entryOf(event);
    return entry ? [{ event, entry }] : [];
  });
  if (entries.length === 0) return <p className="p-4 text-muted">{t.output.empty}</p>;
  return (
    <>
      <ol className="min-h-0 flex-1 overflow-y-auto px-4 py-2" tabIndex={0} aria-label={t.output.filtered}>
        {entries.map(({ event, entry }) => (
          <li key={event.seq} className="grid grid-cols-[1fr_auto] gap-3 border-b border-line py-1.5 last:border-0">
            <span className={`min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] ${TONES[entry.tone]}`}>
              {entry.text}
            </span>
            <Ago at={event.at} className="text-[12px] text-faint" />
          </li>
        ))}
      </ol>
      {live !== null && <LiveTail taskId={taskId} attempt={live} />}
    </>
  );
}
