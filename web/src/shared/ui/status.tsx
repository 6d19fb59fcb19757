import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleX,
  Clock3,
  LoaderCircle,
  OctagonAlert,
  RotateCcw,
  ShieldQuestionMark,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import type { Awaiting, TaskStatus, Verdict } from "@/api/types";
import { t } from "@/shared/i18n/t";

type Tone = "run" | "wait" | "ok" | "bad" | "calm";

export const TONES: Record<Tone, string> = {
  run: "text-accent",
  wait: "text-warn",
  ok: "text-ok",
  bad: "text-bad",
  calm: "text-muted",
};

interface Look {
  tone: Tone;
  word: string;
  icon: ReactNode;
}

const size = { size: 15, strokeWidth: 2, "aria-hidden": true };

function waitingLook(awaiting: Awaiting | null): Look {
  switch (awaiting) {
    case "interrupted":
    case "timeout":
      return { tone: "wait", word: t.awaiting[awaiting], icon: <CirclePause {...size} /> };
    case "permission":
      return { tone: "wait", word: t.awaiting[awaiting], icon: <ShieldQuestionMark {...size} /> };
    case "question":
    case "dry_run":
    case "blocker":
    case "usage_limit":
    case "budget":
    case "breaker":
      return { tone: "wait", word: t.awaiting[awaiting], icon: <CircleHelp {...size} /> };
    case null:
      return { tone: "wait", word: t.status.AWAITING_RESPONSE, icon: <CircleHelp {...size} /> };
  }
}

export function statusLook(
  status: TaskStatus,
  awaiting: Awaiting | null,
  verdict: Verdict | null,
  doubtful = false,
): Look {
  switch (status) {
    case "QUEUED":
      return { tone: "calm", word: t.status.QUEUED, icon: <Clock3 {...size} /> };
    case "RUNNING":
      return {
        tone: "run",
        word: t.status.RUNNING,
        icon: <LoaderCircle {...size} className="animate-spin [animation-duration:2.4s]" />,
      };
    case "AWAITING_RESPONSE":
      return waitingLook(awaiting);
    case "COMPLETE":
      if (verdict === "PASS" && doubtful)
        return { tone: "wait", word: t.verdict.doubtful, icon: <TriangleAlert {...size} /> };
      return {
        tone: verdict === "PASS" ? "ok" : "calm",
        word: verdict ? t.verdict[verdict] : t.status.COMPLETE,
        icon: <CircleCheck {...size} />,
      };
    case "CANCELLED":
      return { tone: "calm", word: t.status.CANCELLED, icon: <Ban {...size} /> };
    case "STUCK":
      return { tone: "bad", word: t.status.STUCK, icon: <OctagonAlert {...size} /> };
    case "ERROR":
      return { tone: "bad", word: t.status.ERROR, icon: <CircleX {...size} /> };
  }
}

interface Props {
  status: TaskStatus | null;
  awaiting?: Awaiting | null;
  verdict?: Verdict | null;
  /** Whether the verdict carries a serious doubt that nobody accepted. */
  doubtful?: boolean;
  /** Whether nothing of what came of it is left: then that is what counts. */
  rolledBack?: boolean;
  className?: string;
}

/** Status as an icon and a word: never by colour alone. */
export function Status({
  status,
  awaiting = null,
  verdict = null,
  doubtful = false,
  rolledBack = false,
  className = "",
}: Props) {
  const gone: Look | null =
    rolledBack && status === "COMPLETE"
      ? { tone: "calm", word: t.task.rolledBack, icon: <RotateCcw {...size} /> }
      : null;
  const look =
    gone ??
    (status
      ? statusLook(status, awaiting, verdict, doubtful)
      : { tone: "calm" as const, word: t.session.noTask, icon: <CircleDashed {...size} /> });
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${TONES[look.tone]} ${className}`}>
      {look.icon}
      <span>{look.word}</span>
    </span>
  );
}

export function WarningIcon() {
  return <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />;
}
