import { t } from "@/shared/i18n/t";
import { Select } from "@/shared/ui/select";
import type { Options } from "./message";
import { ScopeList } from "./scope-list";

const PROFILES = ["standard", "long", "extended"] as const;

export function OptionsPanel({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  return (
    <div className="grid max-h-[45dvh] gap-4 overflow-y-auto border-t border-line px-3 py-3 sm:grid-cols-3">
      <div className="min-w-0 sm:col-span-3 sm:max-w-72">
        <p className="mb-1 font-medium" aria-hidden>
          {t.compose.timeout}
        </p>
        <Select
          label={t.compose.timeout}
          value={options.timeout}
          options={PROFILES.map((value) => ({ value, label: t.compose.timeouts[value] }))}
          onChange={(timeout) => { onChange({ ...options, timeout }); }}
          className="w-full"
        />
      </div>
      <ScopeList label={t.compose.constraints} hint={t.compose.constraintsHint} items={options.constraints} onChange={(constraints) => { onChange({ ...options, constraints }); }} />
      <ScopeList label={t.compose.nonGoals} hint={t.compose.nonGoalsHint} items={options.nonGoals} onChange={(nonGoals) => { onChange({ ...options, nonGoals }); }} />
      <ScopeList label={t.compose.boundaries} hint={t.compose.boundariesHint} items={options.boundaries} onChange={(boundaries) => { onChange({ ...options, boundaries }); }} />
    </div>
  );
}
