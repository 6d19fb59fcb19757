import { useState } from "react";
import { setSessionBudget } from "@/api/actions";
import type { Session } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { amount, spentOf } from "@/shared/lib/words";
import { useAction } from "@/shared/lib/action";
import { positive } from "@/shared/lib/numbers";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { TextField } from "@/shared/ui/text-field";
import { toast } from "@/shared/ui/toast";

const PARTS = [
  ["usd", "money"],
  ["minutes", "time"],
  ["tokens", "tokens"],
] as const;
type Part = (typeof PARTS)[number][0];
type Limits = Record<Part, number | null>;

const NONE: Limits = { usd: null, minutes: null, tokens: null };

/** Undefined where it makes no sense. */
export function limitOf(text: string, kind: "money" | "time" | "tokens"): number | null | undefined {
  const found = positive(text);
  return typeof found === "number" && kind === "tokens" && !Number.isInteger(found) ? undefined : found;
}

/** What the session may cost, and what it has cost; what is saved here holds for all of its tasks together. */
export function BudgetDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const own: Limits = session.budgets ?? NONE;
  const [texts, setTexts] = useState<Record<Part, string>>({
    usd: own.usd?.toString() ?? "",
    minutes: own.minutes?.toString() ?? "",
    tokens: own.tokens?.toString() ?? "",
  });
  const saving = useAction(["session"], {
    mutationFn: (limits: Limits) => setSessionBudget(session.project_id, session.slug, limits),
    onSuccess: () => {
      toast.done(t.budget.session.saved);
      onClose();
    },
  });
  const read = {
    usd: limitOf(texts.usd, "money"),
    minutes: limitOf(texts.minutes, "time"),
    tokens: limitOf(texts.tokens, "tokens"),
  };
  const save = () => {
    const { usd, minutes, tokens } = read;
    if (usd !== undefined && minutes !== undefined && tokens !== undefined) saving.mutate({ usd, minutes, tokens });
  };
  return (
    <Dialog onClose={onClose} title={t.budget.session.title} description={t.budget.session.lead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {session.spent && (
          <dl aria-label={t.budget.session.so} className="grid grid-cols-3 gap-3">
            {PARTS.map(([part, kind]) => (
              <div key={part} className="min-w-0">
                <dt className="text-[13px] text-muted">{t.budget.fields[kind]}</dt>
                <dd className="font-medium tabular-nums">
                  {spentOf(
                    amount(kind, session.spent?.[part] ?? 0),
                    own[part] === null ? null : amount(kind, own[part]),
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
          {PARTS.map(([part, kind]) => (
            <TextField
              key={part}
              label={t.budget.fields[kind]}
              value={texts[part]}
              fault={
                read[part] === undefined ? (kind === "tokens" ? t.budget.session.whole : t.budget.session.wrong) : null
              }
              onChange={(text) => setTexts({ ...texts, [part]: text })}
            />
          ))}
        </div>
        <p className="text-[13px] text-muted">{t.budget.session.hint}</p>
        <div>
          <Button type="submit" look="primary" disabled={saving.isPending || Object.values(read).includes(undefined)}>
            {t.budget.session.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
