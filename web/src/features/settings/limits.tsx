import { useState } from "react";
import type { Preferences } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { positive } from "@/shared/lib/numbers";
import { Button } from "@/shared/ui/button";
import { TextField } from "@/shared/ui/text-field";
import { Section } from "./section";
import type { Save } from "./use-settings";

type Budgets = Preferences["budgets"];
type Field = keyof Budgets;

const FIELDS: Field[] = ["task_usd", "task_minutes", "task_tokens", "session_usd", "session_minutes", "session_tokens"];

const written = (value: number | null) => (value === null ? "" : String(value));

/** Nothing is sent while one of the fields makes no sense. */
function read(texts: Record<Field, string>): { budgets: Budgets; faults: Set<Field> } {
  const faults = new Set<Field>();
  const value = (field: Field, whole = false): number | null => {
    const found = positive(texts[field]);
    if (found === undefined || (whole && found !== null && !Number.isInteger(found))) {
      faults.add(field);
      return null;
    }
    return found;
  };
  const budgets = {
    task_usd: value("task_usd"),
    session_usd: value("session_usd"),
    task_minutes: value("task_minutes"),
    session_minutes: value("session_minutes"),
    task_tokens: value("task_tokens", true),
    session_tokens: value("session_tokens", true),
  };
  return { budgets, faults };
}

function BudgetForm({ stored, save }: { stored: Budgets; save: Save }) {
  const start: Record<Field, string> = {
    task_usd: written(stored.task_usd),
    session_usd: written(stored.session_usd),
    task_minutes: written(stored.task_minutes),
    session_minutes: written(stored.session_minutes),
    task_tokens: written(stored.task_tokens),
    session_tokens: written(stored.session_tokens),
  };
  const [texts, setTexts] = useState(start);
  const { budgets, faults } = read(texts);
  const changed = FIELDS.some((field) => texts[field] !== start[field]);
  return (
    <form
      className="flex flex-col gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (faults.size === 0) save({ budgets });
      }}
    >
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {FIELDS.map((field) => (
          <TextField
            key={field}
            label={t.limits.fields[field]}
            placeholder={t.limits.none}
            value={texts[field]}
            fault={faults.has(field) ? t.limits.wrong : null}
            onChange={(text) => setTexts({ ...texts, [field]: text })}
          />
        ))}
      </div>
      {changed && (
        <Button type="submit" look="primary" disabled={faults.size > 0} className="self-start">
          {t.saving.save}
        </Button>
      )}
    </form>
  );
}

function WarmForm({ stored, save }: { stored: Preferences["warm"]; save: Save }) {
  const [processes, setProcesses] = useState(String(stored.processes));
  const [idle, setIdle] = useState(String(stored.idle_minutes));
  const count = Number(processes);
  const minutes = positive(idle);
  const wrong = processes.trim() === "" || !Number.isInteger(count) || count < 0 || count > 16;
  const changed = processes !== String(stored.processes) || idle !== String(stored.idle_minutes);
  const valid = !wrong && typeof minutes === "number";
  return (
    <form
      className="flex flex-col gap-2 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid) save({ warm: { processes: count, idle_minutes: minutes } });
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t.limits.warm}
          hint={t.limits.warmHint}
          value={processes}
          fault={wrong ? t.limits.wrongWarm : null}
          onChange={setProcesses}
        />
        <TextField
          label={t.limits.idle}
          value={idle}
          fault={typeof minutes === "number" ? null : t.limits.wrongIdle}
          onChange={setIdle}
        />
      </div>
      {changed && (
        <Button type="submit" look="primary" disabled={!valid} className="self-start">
          {t.saving.save}
        </Button>
      )}
    </form>
  );
}

export function Limits({ preferences, save }: { preferences: Preferences; save: Save }) {
  const { budgets, warm } = preferences;
  return (
    <Section title={t.limits.title} lead={t.limits.lead}>
      <BudgetForm key={JSON.stringify(budgets)} stored={budgets} save={save} />
      <WarmForm key={JSON.stringify(warm)} stored={warm} save={save} />
    </Section>
  );
}
