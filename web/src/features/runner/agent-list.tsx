import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { agentsQuery } from "@/api/queries";
import type { Agent } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Failure } from "@/shared/ui/failure";
import { SkeletonRows } from "@/shared/ui/skeleton";

function AgentRow({ agent }: { agent: Agent }) {
  return (
    <li className="px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium">{agent.label}</span>
        {agent.version && <span className="font-mono text-[12px] text-faint">{agent.version}</span>}
        <span className={`ml-auto inline-flex items-center gap-1.5 text-[13px] font-medium ${agent.ready ? "text-ok" : "text-warn"}`}>
          {agent.ready ? <CircleCheck size={15} aria-hidden /> : <CircleX size={15} aria-hidden />}
          {agent.ready ? t.runner.ready : agent.installed ? t.runner.notReady : t.runner.notInstalled}
        </span>
      </p>
      {!agent.ready && agent.problem && <p className="text-muted">{agent.problem}</p>}
      {!agent.ready && agent.fix && (
        <p className="text-[13px]">
          <span className="text-muted">{t.runner.fix}: </span>
          <code className="rounded bg-raised px-1 font-mono text-[12.5px]">{agent.fix}</code>
        </p>
      )}
    </li>
  );
}

export function AgentList() {
  const agents = useQuery(agentsQuery);
  return (
    <section>
      <h2 className="mb-1.5 px-1 text-[13px] font-semibold text-muted">{t.runner.agents}</h2>
      {agents.isPending && <SkeletonRows rows={2} />}
      {agents.isError && <Failure error={agents.error} retry={() => { void agents.refetch(); }} />}
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
