import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { logout } from "@/api/client";
import { stateQuery } from "@/api/queries";
import { t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { Page } from "@/shared/ui/page";
import { toast } from "@/shared/ui/toast";
import { NotificationsSection } from "./notifications";

function Setting({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium">{name}</p>
        {hint && <p className="text-[13px] text-muted">{hint}</p>}
      </div>
      <div className="text-muted">{children}</div>
    </div>
  );
}

export function SettingsPage({ onKeys }: { onKeys: () => void }) {
  const state = useQuery(stateQuery);
  return (
    <Page title={t.settings.title} lead={t.settings.lead}>
      <div className="card divide-y divide-line">
        <Setting name={t.settings.look}>{t.settings.lookValue}</Setting>
        <Setting name={t.settings.keys}>
          <Button onClick={onKeys}>{t.settings.keysShow}</Button>
        </Setting>
        <Setting name={t.settings.lan}>{state.data && (state.data.lan ? t.settings.lanOn : t.settings.lanOff)}</Setting>
        <Setting name={t.settings.version}>{state.data?.version}</Setting>
        <Setting name={t.settings.session} hint={t.settings.logoutHint}>
          <Button onClick={() => { logout().catch(toast.error); }}>{t.settings.logout}</Button>
        </Setting>
      </div>
      <NotificationsSection />
    </Page>
  );
}
