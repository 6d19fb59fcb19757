import { CircleStop, Coins, PiggyBank, Plus } from "lucide-react";
import { useId, useState } from "react";
import type { GuardChoice, Overspent, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { amount } from "@/shared/lib/words";
import { Button } from "@/shared/ui/button";
import { useDecision } from "./use-decision";

const done: Partial<Record<GuardChoice, string>> = t.budget.done;

function Bar({ spent, limit }: { spent: number; limit: number }) {
  const share = limit > 0 ? Math.min(100, Math.round((100 * spent) / limit)) : 100;
  return (
    <div
      role="progressbar"
      aria-label={t.budget.bar}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      className="h-2 overflow-hidden rounded-full bg-raised"
    >
      <div className="h-full rounded-full bg-warn" style={{ width: `${share}%` }} />
    </div>
  );
}

/** A budget that is used up: what was spent of it, and how to go on. */
export function BudgetCard({ task, budget }: { task: Task; budget: Overspent }) {
  const [text, setText] = useState(String(Math.round(budget.limit * 100) / 100));
  const field = useId();
  const deciding = useDecision(task, (choice) => done[choice] ?? "");
  const shown = (value: number): string => amount(budget.kind, value);
  const more = Number(text);
  const valid = Number.isFinite(more) && more > 0;
  const decide = (choice: GuardChoice) => deciding.mutate({ choice, amount: choice === "stop" ? null : more });
  return (
    <section aria-label={t.budget.title} className="flex flex-col gap-3">
      <h3 className="flex items-center gap-2 font-medium">
        <Coins size={16} aria-hidden className="shrink-0 text-warn" />
        {budget.message}
      </h3>
      <div className="flex flex-col gap-1.5">
        <Bar spent={budget.spent} limit={budget.limit} />
        <p className="text-[13px] text-muted tabular-nums">
          {say(t.budget.spent, { spent: shown(budget.spent), limit: shown(budget.limit) })}{" "}
          {t.budget.scope[budget.scope]}
        </p>
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <div className="flex flex-col gap-1">
          <label htmlFor={field} className="text-[13px] font-medium">
            {t.budget.add[budget.kind]}
          </label>
          <input
            id={field}
            inputMode="decimal"
            value={text}
            aria-invalid={!valid}
            onChange={(event) => setText(event.target.value)}
            className="h-11 w-full rounded-md border border-line-strong bg-panel px-2 tabular-nums"
          />
        </div>
        <Button
          size="lg"
          look="primary"
          disabled={deciding.isPending || !valid}
          icon={<Plus size={16} aria-hidden />}
          onClick={() => decide("more")}
        >
          {t.choice.more}
        </Button>
        <Button
          size="lg"
          disabled={deciding.isPending || !valid}
          icon={<PiggyBank size={16} aria-hidden />}
          onClick={() => decide("replan")}
        >
          {t.choice.replan}
        </Button>
        <Button
          size="lg"
          look="quiet"
          disabled={deciding.isPending}
          icon={<CircleStop size={16} aria-hidden />}
          onClick={() => decide("stop")}
        >
          {t.choice.stop}
        </Button>
      </div>
      <ul className="text-[13px] text-muted">
        {(
          [
            ["more", "moreHint"],
            ["replan", "replanHint"],
            ["stop", "stopHint"],
          ] as const
        ).map(([name, hint]) => (
          <li key={name}>
            <strong className="font-medium text-text">{t.choice[name]}</strong> {t.budget[hint]}
          </li>
        ))}
      </ul>
    </section>
  );
}
