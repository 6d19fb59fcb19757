import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CirclePause, CirclePlay, CircleX, LoaderCircle } from "lucide-react";
import { useState } from "react";
import { startRunner, stopRunner } from "@/api/actions";
import { agentsQuery, runnerQuery } from "@/api/queries";
import type { Agent, Runner } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Failure } from "@/shared/ui/failure";
import { Page } from "@/shared/ui/page";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Elapsed } from "@/shared/ui/time";
import { toast } from "@/shared/ui/toast";

function State({ state }: { state: Runner["state"] }) {
  const word = t.runner.states[state];
  switch (state) {
    case "running":
      return <span className="inline-flex items-center gap-1.5 font-medium text-ok"><CircleCheck size={16} aria-hidden />{word}</span>;
    case "stopping":
      return <span className="inline-flex items-center gap-1.5 font-medium text-warn"><LoaderCircle size={16} aria-hidden />{word}</span>;
    case "stopped":
      return <span className="inline-flex items-center gap-1.5 font-medium text-bad"><CirclePause size={16} aria-hidden />{word}</span>;
  }
}

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

export function RunnerPage() {
  const runner = useQuery({ ...runnerQuery, refetchInterval: 15_000 });
  const agents = useQuery(agentsQuery);
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const settled = {
    onError: toast.error,
    onSettled: () => Promise.all(["runner", "state"].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  };
  const starting = useMutation({ mutationFn: startRunner, onSuccess: () => { toast.done(t.runner.started); }, ...settled });
  const stopping = useMutation({ mutationFn: () => stopRunner(t.runner.stopReason), onSuccess: () => { toast.done(t.runner.stopped); }, ...settled });
  return (
    <Page title={t.runner.title} lead={t.runner.lead}>
      {runner.isPending && <SkeletonRows rows={1} className="h-32" />}
      {runner.isError && <Failure error={runner.error} retry={() => { void runner.refetch(); }} />}
      {runner.data && (
        <section className="card mb-6 flex flex-wrap items-center gap-x-8 gap-y-3 px-4 py-4">
          <State state={stopping.isPending ? "stopping" : runner.data.state} />
          <dl className="flex flex-wrap gap-x-8 gap-y-2">
            <div>
              <dt className="text-[12px] text-muted">{t.runner.uptime}</dt>
              <dd><Elapsed from={runner.data.started_at} /></dd>
            </div>
            <div>
              <dt className="text-[12px] text-muted">{t.runner.version}</dt>
              <dd>{runner.data.version}</dd>
            </div>
            <div>
              <dt className="text-[12px] text-muted">{t.runner.tasks}</dt>
              <dd>{t.runner.counts(runner.data.running, runner.data.queued)}</dd>
            </div>
          </dl>
          <span className="ml-auto flex gap-2">
            {runner.data.state === "stopped" ? (
              <Button look="primary" disabled={starting.isPending} icon={<CirclePlay size={15} aria-hidden />} onClick={() => { starting.mutate(); }}>
                {starting.isPending ? t.runner.starting : t.runner.start}
              </Button>
            ) : (
              <Button disabled={stopping.isPending || runner.data.state === "stopping"} icon={<CirclePause size={15} aria-hidden />} onClick={() => { setAsks(true); }}>
                {stopping.isPending ? t.runner.stopping : t.runner.stop}
              </Button>
            )}
          </span>
        </section>
      )}
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
      <Dialog
        open={asks}
        onOpenChange={setAsks}
        title={t.runner.stopTitle}
        footer={
          <>
            <Button onClick={() => { setAsks(false); }}>{t.common.cancel}</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsks(false);
                stopping.mutate();
              }}
            >
              {t.runner.stopDo}
            </Button>
          </>
        }
      >
        <p>{t.runner.stopLead}</p>
      </Dialog>
    </Page>
  );
}
