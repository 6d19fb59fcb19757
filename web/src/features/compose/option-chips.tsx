import { X } from "lucide-react";
import { say, t } from "@/shared/i18n/t";
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
          label={say(t.compose.turnOff, { name: t.compose.dryRun })}
          onClear={() => onChange({ ...options, dryRun: false })}
        />
      )}
      {options.autoFix && (
        <Chip
          word={t.compose.autoFix}
          label={say(t.compose.turnOff, { name: t.compose.autoFix })}
          onClear={() => onChange({ ...options, autoFix: false })}
        />
      )}
      {permissions !== "edits" && (
        <Chip
          word={t.permissionModes.chip[permissions]}
          label={say(t.permissionModes.reset, { name: t.permissionModes.chip[permissions] })}
          onClear={() => onChange({ ...options, permissions: "edits" })}
        />
      )}
      {scouts !== "default" && (
        <Chip
          word={t.compose.scoutsChip[scouts]}
          label={say(t.compose.reset, { name: t.compose.scoutsChip[scouts] })}
          onClear={() => onChange({ ...options, scouts: "default" })}
        />
      )}
    </>
  );
}
