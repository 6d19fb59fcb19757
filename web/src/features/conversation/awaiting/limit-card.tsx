import { Hourglass, Pause, Play, Timer, X } from "lucide-react";
import type { GuardChoice, Limit, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { duration, exact, useNow } from "@/shared/lib/time";
import { Button } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { useDecision } from "./use-decision";

/** How long is left, moving every second; a screen reader hears it once and not every second. */
function Countdown({ until }: { until: string }) {
  const now = useNow(1000);
  const at = Date.parse(until);
  const left = at - now;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-muted">{t.limit.goesOn}</span>
      <time
        dateTime={until}
        title={exact(at)}
        role="timer"
        aria-live="off"
        className="text-lg font-semibold tabular-nums"
      >
        {left > 0 ? say(t.limit.in, { time: duration(left) }) : t.limit.now}
      </time>
      <span className="text-[13px] text-muted">{exact(at)}</span>
    </p>
  );
}

const done: Partial<Record<GuardChoice, string>> = t.limit.done;

/** A task that waits for a limit to be over: until when, and what else can be done. */
export function LimitCard({ task, limit }: { task: Task; limit: Limit }) {
  const deciding = useDecision(task, (choice) => done[choice] ?? "");
  const button = (
    choice: GuardChoice,
    label: string,
    icon: React.ReactNode,
    look: "primary" | "plain" | "quiet" = "plain",
  ) =>
    task.choices.includes(choice) && (
      <Button
        size="lg"
        look={look}
        disabled={deciding.isPending}
        icon={icon}
        onClick={() => deciding.mutate({ choice })}
      >
        {label}
      </Button>
    );
  return (
    <section aria-label={t.limit.title} className="flex flex-col gap-3">
      <div>
        <h3 className="flex items-center gap-2 font-medium">
          <Hourglass size={16} aria-hidden className="shrink-0 text-warn" />
          {limit.kind === "hourly" ? t.limit.hourly : t.provider_limit}
        </h3>
        <p className="text-muted [overflow-wrap:anywhere]">
          <InlineCode text={limit.message} />
        </p>
      </div>
      {limit.waiting && limit.until !== null ? (
        <Countdown until={limit.until} />
      ) : (
        <p className="font-medium">{t.limit.paused}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {button("retry", t.choice.retry, <Play size={16} aria-hidden />, "primary")}
        {limit.waiting
          ? button("pause", t.choice.pause, <Pause size={16} aria-hidden />)
          : button("wait", t.choice.wait, <Timer size={16} aria-hidden />)}
        {button("override", t.choice.override, null)}
        {button("close", t.choice.close, <X size={16} aria-hidden />, "quiet")}
      </div>
      <p className="text-[13px] text-muted">
        {t.limit.closeHint} {task.choices.includes("override") && t.limit.overrideHint}
      </p>
    </section>
  );
}
