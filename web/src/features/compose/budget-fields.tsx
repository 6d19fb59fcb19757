import { useId } from "react";
import { t } from "@/shared/i18n/t";
import type { Options } from "./message";

const FIELDS = [
  ["budgetUsd", "money"],
  ["budgetMinutes", "time"],
  ["budgetTokens", "tokens"],
] as const;

/** What the message may cost; kept as typed, so that half a number is not lost. */
export function BudgetFields({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-hint`}>
      <legend className="mb-1 font-medium">{t.budget.legend}</legend>
      <div className="grid grid-cols-3 gap-2 sm:max-w-md">
        {FIELDS.map(([key, kind]) => (
          <label key={key} className="flex min-w-0 flex-col gap-1 text-[13px] text-muted">
            {t.budget.fields[kind]}
            <input
              inputMode="decimal"
              value={options[key]}
              onChange={(event) => {
                onChange({
                  ...options,
                  [key]: event.target.value
                    .replace(",", ".")
                    .replace(/[^\d.]/g, "")
                    .slice(0, 12),
                });
              }}
              className="h-8 w-full min-w-0 rounded-md border border-line-strong bg-panel px-2 text-[13px] text-text tabular-nums"
            />
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="mt-1 text-[13px] text-muted">
        {t.budget.hint}
      </p>
    </fieldset>
  );
}
