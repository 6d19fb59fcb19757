import { useQuery } from "@tanstack/react-query";
import { logout } from "@/api/client";
import { agentsQuery, stateQuery } from "@/api/queries";
import { say, t } from "@/shared/i18n/t";
import { listed } from "@/shared/lib/numbers";
import { AgentList } from "@/shared/ui/agent-list";
import { Button } from "@/shared/ui/button";
import { Failure } from "@/shared/ui/failure";
import { Page } from "@/shared/ui/page";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { Choices } from "./choices";
import { Confinement } from "./confinement";
import { CustomAgents } from "./custom-agents";
import { Environment } from "./environment";
import { Limits } from "./limits";
import { Section, Setting } from "./section";
import { useSettings } from "./use-settings";
import { NotificationsSection } from "./notifications";

function ThisBrowser({ onKeys }: { onKeys: () => void }) {
  const state = useQuery(stateQuery);
  return (
    <Section title={t.settings.here}>
      <Setting name={t.settings.look}>{t.settings.lookValue}</Setting>
      <Setting name={t.settings.keys}>
        <Button onClick={onKeys}>{t.settings.keysShow}</Button>
      </Setting>
      <Setting name={t.settings.lan}>
        {state.data ? (state.data.lan ? t.settings.lanOn : t.settings.lanOff) : state.isError && t.settings.unknown}
      </Setting>
      <Setting name={t.settings.version}>{state.data?.version ?? (state.isError && t.settings.unknown)}</Setting>
      <Setting name={t.settings.session} hint={t.settings.logoutHint}>
        <Button
          onClick={() => {
            logout().catch(toast.error);
          }}
        >
          {t.settings.logout}
        </Button>
      </Setting>
    </Section>
  );
}

export function SettingsPage({ onKeys }: { onKeys: () => void }) {
  const { query, save } = useSettings();
  const agents = useQuery(agentsQuery).data?.items ?? [];
  const settings = query.data;
  return (
    <Page title={t.settings.title} lead={t.settings.lead}>
      <div className="flex flex-col gap-6">
        <AgentList />
        {query.isPending && <SkeletonRows rows={3} className="h-24" />}
        {query.isError && !settings && (
          <Section title={t.settings.chosen} bare>
            <Failure error={query.error} retry={() => void query.refetch()} />
          </Section>
        )}
        {settings && settings.unreadable.length > 0 && (
          <p role="alert" className="card px-4 py-3 text-warn">
            {say(t.saving.unreadable, { sections: listed(settings.unreadable) })}
          </p>
        )}
        {settings && (
          <>
            <Choices agents={agents} stored={settings.preferences.agents} save={save} />
            <CustomAgents agents={agents} stored={settings.preferences.agents} save={save} />
            <Confinement settings={settings} save={save} />
            <Limits preferences={settings.preferences} save={save} />
            <Environment settings={settings.environment} />
          </>
        )}
        <NotificationsSection />
        <ThisBrowser onKeys={onKeys} />
      </div>
    </Page>
  );
}
