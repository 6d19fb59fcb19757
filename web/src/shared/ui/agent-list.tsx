import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX, RefreshCw } from "lucide-react";
import { checkAgents } from "@/api/actions";
import { agentsQuery } from "@/api/queries";
import type { Agent } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { listed } from "@/shared/lib/numbers";
import { lookUp } from "@/shared/lib/words";
import { Button } from "@/shared/ui/button";
import { InlineCode } from "@/shared/ui/inline-code";
import { Missing } from "./missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Ago } from "@/shared/ui/time";
import { toast } from "@/shared/ui/toast";

function health(agent: Agent): { text: string; ok: boolean } {
  if (agent.checked_at === null) return { text: t.agents.checking, ok: false };
  if (agent.ready) return { text: t.agents.ready, ok: true };
  return { text: agent.installed ? t.agents.notReady : t.agents.notInstalled, ok: false };
}

/** What an agent can do matters once it is there. */
function facts(agent: Agent): string[] {
  if (!agent.installed) return [];
  const credentials =
    agent.credentials === null
      ? t.agents.credentialsUnknown
      : agent.credentials
        ? t.agents.credentials
        : t.agents.noCredentials;
  const able = agent.capabilities.map((word) => lookUp(t.agents.able, word));
  return [
    ...(agent.program !== "" ? [credentials] : []),
    ...(able.length > 0 ? [say(t.agents.can, { what: listed(able) })] : []),
  ];
}

function AgentRow({ agent }: { agent: Agent }) {
  const { text, ok } = health(agent);
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium">{agent.label}</span>
        {agent.version && <span className="font-mono text-[12px] text-faint">{agent.version}</span>}
        {agent.custom && (
          <span className="rounded bg-accent-soft px-1.5 text-[12px] font-medium text-accent">{t.agents.own}</span>
        )}
        <span
          className={`ml-auto inline-flex items-center gap-1.5 text-[13px] font-medium ${ok ? "text-ok" : "text-warn"}`}
        >
          {ok ? <CircleCheck size={15} aria-hidden /> : <CircleX size={15} aria-hidden />}
          {text}
        </span>
      </p>
      {agent.program !== "" && (
        <p className="font-mono text-[12px] text-faint [overflow-wrap:anywhere]">{agent.program}</p>
      )}
      {facts(agent).length > 0 && <p className="text-[13px] text-muted">{facts(agent).join(" · ")}</p>}
      {!agent.ready && agent.problem && (
        <p>
          <InlineCode text={agent.problem} />
        </p>
      )}
      {!agent.ready && agent.fix && (
        <p className="text-[13px] [overflow-wrap:anywhere]">
          <span className="text-muted">{t.agents.fix}: </span>
          <InlineCode text={agent.fix} />
        </p>
      )}
      {agent.last_error && (
        <p className="text-[13px] text-warn [overflow-wrap:anywhere]">
          {t.agents.lastError} <Ago at={agent.last_error.at} />: <InlineCode text={agent.last_error.message} />
        </p>
      )}
    </li>
  );
}

/** Every agent: what is there, what is missing, and what to do about it. */
export function AgentList() {
  const agents = useQuery({
    ...agentsQuery,
    refetchInterval: (query) => (query.state.data?.items.some((agent) => agent.checked_at === null) ? 2000 : false),
  });
  const client = useQueryClient();
  const checking = useMutation({
    mutationFn: () => checkAgents(null),
    onSuccess: (found) => {
      client.setQueryData(agentsQuery.queryKey, found);
    },
    onError: toast.error,
  });
  return (
    <section aria-labelledby="agents">
      <div className="mb-1.5 flex items-center justify-between gap-3 px-1">
        <h2 id="agents" className="text-[13px] font-semibold text-muted">
          {t.agents.title}
        </h2>
        <Button
          look="quiet"
          size="sm"
          disabled={checking.isPending}
          icon={<RefreshCw size={14} aria-hidden />}
          onClick={() => checking.mutate()}
        >
          {checking.isPending ? t.agents.checking : t.agents.again}
        </Button>
      </div>
      <Missing query={agents}>
        <SkeletonRows rows={2} />
      </Missing>
      {agents.data && (
        <ul className="card divide-y divide-line">
          {agents.data.items.map((agent) => (
            <AgentRow key={agent.name} agent={agent} />
          ))}
        </ul>
      )}
    </section>
  );
}
