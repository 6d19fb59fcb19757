import { ShieldAlert, ShieldCheck } from "lucide-react";
import type { Confining, Settings } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { InlineCode } from "@/shared/ui/inline-code";
import { Segmented } from "@/shared/ui/segmented";
import { Line } from "./choices";
import { Section } from "./section";
import type { Save } from "./use-settings";
import { shown } from "./one-line";

const MODES: Confining[] = ["off", "processes", "files"];

export function Confinement({ settings, save }: { settings: Settings; save: Save }) {
  const { confinement: now, preferences } = settings;
  const stored = preferences.confinement;
  const changeable = now.fixed_by === null && (now.available || now.mode !== "off");
  return (
    <Section title={t.confinement.title} lead={t.confinement.lead}>
      <div className="flex flex-col items-start gap-2 px-4 py-3">
        {changeable ? (
          <Segmented
            label={t.confinement.title}
            value={now.mode}
            options={MODES.filter((mode) => now.available || mode === "off" || mode === now.mode).map((mode) => ({
              value: mode,
              label: t.confinement.modes[mode],
            }))}
            onChange={(mode) => save({ confinement: { ...stored, mode } })}
          />
        ) : (
          <p className="font-medium">{t.confinement.modes[now.mode]}</p>
        )}
        <p className="text-[13px] text-muted">{t.confinement.effects[now.mode]}</p>
        {now.active && (
          <p className="inline-flex items-center gap-1.5 text-[13px] font-medium text-ok">
            <ShieldCheck size={15} aria-hidden />
            {t.confinement.active}
          </p>
        )}
        {now.fixed_by !== null && (
          <p className="text-[13px] text-muted">{say(t.confinement.fixed, { name: now.fixed_by })}</p>
        )}
        {!now.available && (
          <p className="text-[13px] text-warn">
            <ShieldAlert size={15} aria-hidden className="mr-1.5 inline" />
            {t.confinement.unavailable} <InlineCode text={now.problem} /> <InlineCode text={now.fix} />
          </p>
        )}
      </div>
      {now.available && now.mode === "files" && (
        <Line
          key={shown(stored.writable)}
          label={t.confinement.writable}
          hint={t.confinement.writableHint}
          words={stored.writable}
          onSave={(writable) => save({ confinement: { ...stored, writable } })}
        />
      )}
    </Section>
  );
}
