import { X } from "lucide-react";
import { t } from "@/shared/i18n/t";
import type { Options } from "./message";

function Chip({ word, label, onClear }: { word: string; label: string; onClear: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClear}
      className="inline-flex h-7 items-center gap-1 rounded-full bg-accent-soft px-2.5 text-[13px] font-medium text-accent hover:brightness-95"
    >
      {word}
      <X size={13} aria-hidden />
    </button>
  );
}

/** The ways of working that are on: what changes the meaning of Send is seen beside it. */
export function OptionChips({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  const { scouts, permissions } = options;
  return (
    <>
      {options.dryRun && (
        <Chip
          word={t.compose.dryRun}
          label={t.compose.turnOff(t.compose.dryRun)}
          onClear={() => onChange({ ...options, dryRun: false })}
        />
      )}
      {options.autoFix && (
        <Chip
          word={t.compose.autoFix}
          label={t.compose.turnOff(t.compose.autoFix)}
          onClear={() => onChange({ ...options, autoFix: false })}
        />
      )}
      {permissions !== "edits" && (
        <Chip
          word={t.permissionModes.chip[permissions]}
          label={t.permissionModes.reset(t.permissionModes.chip[permissions])}
          onClear={() => onChange({ ...options, permissions: "edits" })}
        />
      )}
      {scouts !== "default" && (
        <Chip
          word={t.compose.scoutsChip[scouts]}
          label={t.compose.reset(t.compose.scoutsChip[scouts])}
          onClear={() => onChange({ ...options, scouts: "default" })}
        />
      )}
    </>
  );
}
