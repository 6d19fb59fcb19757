import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import type { Agent } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { sends } from "@/shared/lib/keys";
import { IconButton } from "@/shared/ui/button";
import { Segmented } from "@/shared/ui/segmented";
import { Select } from "@/shared/ui/select";
import { Switch } from "@/shared/ui/switch";
import { TextField } from "@/shared/ui/text-field";
import { PERMISSIONS, PROFILES, type Options, type Scouts } from "./message";

const SCOUTS: Scouts[] = ["default", "on", "off"];
const BUDGETS = [
  ["budgetUsd", "money"],
  ["budgetMinutes", "time"],
  ["budgetTokens", "tokens"],
] as const;

interface Props {
  options: Options;
  agents: Agent[];
  onChange: (options: Options) => void;
}

/** Model and effort of this message: what the chosen agent has, or all of them while it is left to the project. */
function ModelChoice({ options, agents, onChange }: Props) {
  const chosen = agents.filter((agent) => (options.agent === "" ? agent.ready : agent.name === options.agent));
  const models = [...new Set(chosen.flatMap((agent) => agent.models))];
  const efforts = [
    ...new Set([...chosen.flatMap((agent) => agent.efforts), ...(options.effort === "" ? [] : [options.effort])]),
  ];
  const usable = chosen.some((agent) => agent.program !== "") || options.model !== "" || efforts.length > 0;
  if (!usable) return null;
  return (
    <div className="grid gap-x-6 gap-y-4 @lg:col-span-6 @lg:grid-cols-2">
      <TextField
        label={t.compose.model}
        value={options.model}
        placeholder={t.compose.modelDefault}
        hint={t.compose.modelHint}
        choices={models}
        onChange={(model) => onChange({ ...options, model })}
      />
      {efforts.length > 0 && (
        <div className="min-w-0">
          <p className="text-[13px] font-medium" aria-hidden>
            {t.compose.effort}
          </p>
          <Select
            label={t.compose.effort}
            value={options.effort}
            options={[
              { value: "", label: t.compose.effortDefault },
              ...efforts.map((effort) => ({ value: effort, label: effort })),
            ]}
            onChange={(effort) => onChange({ ...options, effort })}
            className="mt-1 w-full"
          />
        </div>
      )}
    </div>
  );
}

/** What the message may cost; kept as typed, so that half a number is not lost. */
function BudgetFields({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-hint`}>
      <legend className="mb-1 font-medium">{t.budget.legend}</legend>
      <div className="grid grid-cols-3 gap-2 sm:max-w-md">
        {BUDGETS.map(([key, kind]) => (
          <label key={key} className="flex min-w-0 flex-col gap-1 text-[13px] text-muted">
            {t.budget.fields[kind]}
            <input
              inputMode="decimal"
              value={options[key]}
              onChange={(event) =>
                onChange({
                  ...options,
                  [key]: event.target.value
                    .replace(",", ".")
                    .replace(/[^\d.]/g, "")
                    .slice(0, 12),
                })
              }
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

interface ScopeProps {
  label: string;
  hint: string;
  items: string[];
  onChange: (items: string[]) => void;
}

function ScopeList({ label, hint, items, onChange }: ScopeProps) {
  const [text, setText] = useState("");
  const add = () => {
    const line = text.trim();
    if (line === "") return;
    if (!items.includes(line)) onChange([...items, line]);
    setText("");
  };
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{label}</legend>
      <ul className="mt-1 flex flex-col gap-1">
        {items.map((item) => (
          <li key={item} className="flex items-center gap-1 rounded-md bg-raised pl-2 text-[13px]">
            <span className="min-w-0 flex-1 py-1">{item}</span>
            <IconButton
              label={say(t.compose.removeLine, { text: item })}
              className="h-7"
              onClick={() => onChange(items.filter((other) => other !== item))}
            >
              <X size={13} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="mt-1 flex items-center gap-1">
        <input
          aria-label={`${label}: ${hint}`}
          placeholder={hint}
          value={text}
          maxLength={500}
          onChange={(event) => setText(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (!sends(event)) return;
            event.preventDefault();
            add();
          }}
          className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-panel px-2 text-[13px]"
        />
        <IconButton label={`${t.compose.addLine}: ${label}`} onClick={add}>
          <Plus size={15} aria-hidden />
        </IconButton>
      </div>
    </fieldset>
  );
}

export function OptionsPanel({ options, agents, onChange }: Props) {
  return (
    <div className="grid max-h-[45dvh] gap-x-6 gap-y-4 mb-2 overflow-y-auto border-y border-line px-3.5 py-3 @lg:grid-cols-6">
      <div className="@lg:col-span-3">
        <Switch
          label={t.compose.dryRun}
          hint={t.compose.dryRunHint}
          checked={options.dryRun}
          onChange={(dryRun) => onChange({ ...options, dryRun })}
        />
      </div>
      <div className="@lg:col-span-3">
        <Switch
          label={t.compose.autoFix}
          hint={t.compose.autoFixHint}
          checked={options.autoFix}
          onChange={(autoFix) => onChange({ ...options, autoFix })}
        />
      </div>
      <div className="min-w-0 @lg:col-span-3">
        <p className="mb-1 font-medium" aria-hidden>
          {t.compose.scouts}
        </p>
        <Segmented
          label={t.compose.scouts}
          value={options.scouts}
          options={SCOUTS.map((value) => ({ value, label: t.compose.scoutsValues[value] }))}
          onChange={(scouts) => onChange({ ...options, scouts })}
        />
        <p className="mt-1 text-[13px] text-muted">{t.compose.scoutsHint}</p>
      </div>
      <div className="min-w-0 @lg:col-span-3">
        <p className="mb-1 font-medium" aria-hidden>
          {t.permissionModes.label}
        </p>
        <Select
          label={t.permissionModes.label}
          value={options.permissions}
          options={PERMISSIONS.map((value) => ({ value, label: t.permissionModes.values[value] }))}
          onChange={(permissions) => onChange({ ...options, permissions })}
          className="w-full"
        />
        <p className="mt-1 text-[13px] text-muted">{t.permissionModes.hint}</p>
      </div>
      <div className="min-w-0 @lg:col-span-3">
        <p className="mb-1 font-medium" aria-hidden>
          {t.compose.timeout}
        </p>
        <Select
          label={t.compose.timeout}
          value={options.timeout}
          options={PROFILES.map((value) => ({ value, label: t.compose.timeouts[value] }))}
          onChange={(timeout) => onChange({ ...options, timeout })}
          className="w-full"
        />
      </div>
      <ModelChoice options={options} agents={agents} onChange={onChange} />
      <div className="min-w-0 @lg:col-span-6">
        <BudgetFields options={options} onChange={onChange} />
      </div>
      <div className="min-w-0 @lg:col-span-2">
        <ScopeList
          label={t.compose.constraints}
          hint={t.compose.constraintsHint}
          items={options.constraints}
          onChange={(constraints) => onChange({ ...options, constraints })}
        />
      </div>
      <div className="min-w-0 @lg:col-span-2">
        <ScopeList
          label={t.compose.nonGoals}
          hint={t.compose.nonGoalsHint}
          items={options.nonGoals}
          onChange={(nonGoals) => onChange({ ...options, nonGoals })}
        />
      </div>
      <div className="min-w-0 @lg:col-span-2">
        <ScopeList
          label={t.compose.boundaries}
          hint={t.compose.boundariesHint}
          items={options.boundaries}
          onChange={(boundaries) => onChange({ ...options, boundaries })}
        />
      </div>
    </div>
  );
}
