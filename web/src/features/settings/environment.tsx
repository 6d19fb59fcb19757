import { useState } from "react";
import type { EnvironmentSetting } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { Section } from "./section";

/** What the server was started with: read only, and which of it was set. */
export function Environment({ settings }: { settings: EnvironmentSetting[] }) {
  const [open, setOpen] = useState(false);
  const given = settings.filter((setting) => setting.given);
  return (
    <Section title={t.environment.title} lead={t.environment.lead}>
      {(open ? settings : given).map((setting) => (
        <div key={setting.name} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[1fr_auto]">
          <p className="font-mono text-[12.5px]">{setting.name}</p>
          <p className="font-mono text-[12.5px] [overflow-wrap:anywhere] sm:text-right">
            {setting.value === "" ? <span className="text-muted">{t.environment.nothing}</span> : setting.value}
          </p>
          <p className="text-[13px] text-muted">
            <InlineCode text={setting.description} />
          </p>
          <p className="text-[13px] text-muted sm:text-right">
            {setting.given ? t.environment.given : t.environment.default}
          </p>
        </div>
      ))}
      <div className="px-4 py-2.5">
        <Button look="quiet" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t.environment.hide : say(t.environment.show, { given: given.length })}
        </Button>
      </div>
    </Section>
  );
}
