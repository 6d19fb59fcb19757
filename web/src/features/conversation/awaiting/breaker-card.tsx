import { RotateCcw, ShieldAlert } from "lucide-react";
import type { Breaker, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { lookUp } from "@/shared/lib/words";
import { Button } from "@/shared/ui/button";
import { Ago } from "@/shared/ui/time";
import { useDecision } from "./use-decision";

/** The circuit breaker stopped a session that ran in circles: why, what came before, and the way on. */
export function BreakerCard({ task, breaker }: { task: Task; breaker: Breaker }) {
  const deciding = useDecision(task, () => t.breaker.done);
  return (
    <section aria-label={t.awaiting.breaker} className="flex flex-col gap-3">
      <div>
        <h3 className="flex items-center gap-2 font-medium">
          <ShieldAlert size={16} aria-hidden className="shrink-0 text-warn" />
          {breaker.reason}
        </h3>
        <p className="text-[13px]">
          <span className="text-muted">{t.breaker.stateLabel}: </span>
          <span className="font-medium">{t.breaker.state[breaker.state]}</span>
        </p>
        <p className="text-muted">
          {t.breaker.lead} {breaker.state === "OPEN" ? t.breaker.open : t.breaker.halfOpen}
        </p>
      </div>
      <p>{t.breaker.advice}</p>
      <div>
        <Button
          size="lg"
          look="primary"
          disabled={deciding.isPending}
          icon={<RotateCcw size={16} aria-hidden />}
          onClick={() => deciding.mutate({ choice: "reset" })}
        >
          {t.choice.reset}
        </Button>
      </div>
      <details>
        <summary className="cursor-pointer text-[13px] font-medium text-accent">{t.breaker.history}</summary>
        <ul className="mt-1.5 flex flex-col gap-1 text-[13px]">
          {breaker.history.map((change) => (
            <li key={`${change.at}.${change.trigger}`} className="flex flex-wrap gap-x-2">
              <Ago at={change.at} className="text-muted" />
              <span className="font-medium">{lookUp(t.breaker.triggers, change.trigger)}</span>
              <span className="text-muted">
                {change.context} · {say(t.breaker.run, { n: change.spawn_count })}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
