import type { Agent } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Segmented } from "@/shared/ui/segmented";
import { Select } from "@/shared/ui/select";
import { Switch } from "@/shared/ui/switch";
import { BudgetFields } from "./budget-fields";
import { PERMISSIONS, PROFILES, type Options, type Scouts } from "./message";
import { ModelChoice } from "./model-choice";
import { ScopeList } from "./scope-list";

const SCOUTS: Scouts[] = ["default", "on", "off"];

interface Props {
  options: Options;
  agents: Agent[];
  onChange: (options: Options) => void;
}

export function OptionsPanel({ options, agents, onChange }: Props) {
  return (
    <div className="grid max-h-[45dvh] gap-x-6 gap-y-4 mb-2 overflow-y-auto border-y border-line px-3.5 py-3 @lg:grid-cols-6">
      <div className="@lg:col-span-3">
        <Switch
          label={t.compose.dryRun}
          hint={t.compose.dryRunHint}
          checked={options.dryRun}
          onChange={(dryRun) => {
            onChange({ ...options, dryRun });
          }}
        />
      </div>
      <div className="@lg:col-span-3">
        <Switch
          label={t.compose.autoFix}
          hint={t.compose.autoFixHint}
          checked={options.autoFix}
          onChange={(autoFix) => {
            onChange({ ...options, autoFix });
          }}
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
          onChange={(scouts) => {
            onChange({ ...options, scouts });
          }}
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
          onChange={(permissions) => {
            onChange({ ...options, permissions });
          }}
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
          onChange={(timeout) => {
            onChange({ ...options, timeout });
          }}
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
          onChange={(constraints) => {
            onChange({ ...options, constraints });
          }}
        />
      </div>
      <div className="min-w-0 @lg:col-span-2">
        <ScopeList
          label={t.compose.nonGoals}
          hint={t.compose.nonGoalsHint}
          items={options.nonGoals}
          onChange={(nonGoals) => {
            onChange({ ...options, nonGoals });
          }}
        />
      </div>
      <div className="min-w-0 @lg:col-span-2">
        <ScopeList
          label={t.compose.boundaries}
          hint={t.compose.boundariesHint}
          items={options.boundaries}
          onChange={(boundaries) => {
            onChange({ ...options, boundaries });
          }}
        />
      </div>
    </div>
  );
}
