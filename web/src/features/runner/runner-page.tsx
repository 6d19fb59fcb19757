import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { buildProject, cancelOperation, restartRunner, runRunner, stopRunner } from "@/api/actions";
import { useConnection } from "@/api/connection";
import { runnerQuery } from "@/api/queries";
import type { Operation, Runner } from "@/api/types";
import { t } from "@/shared/i18n/t";
import { AgentList } from "@/shared/ui/agent-list";
import { Missing } from "@/shared/ui/missing";
import { Page } from "@/shared/ui/page";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { Controls, type Ask } from "./controls";
import { OperationCard } from "./operation-card";
import { RunnerState } from "./runner-state";

function send(ask: Ask): Promise<Runner> {
  switch (ask.kind) {
    case "run":
      return runRunner();
    case "stop":
      return stopRunner();
    case "build":
      return buildProject(ask.project);
    case "restart":
      return restartRunner();
  }
}

const again = (operation: Operation): Ask => ({ kind: operation.kind, project: operation.project_id });

export function RunnerPage() {
  const runner = useQuery({ ...runnerQuery, refetchInterval: 15_000 });
  const client = useQueryClient();
  const up = useConnection((state) => state.connection === "open");
  /** The operation whose outcome the person has put away. */
  const [away, setAway] = useState<string | null>(null);
  const answered = {
    onError: toast.error,
    onSuccess: (now: Runner) => {
      client.setQueryData(runnerQuery.queryKey, now);
    },
    // Not waited for: the next wish must not depend on a page that is still being read.
    onSettled: () => {
      for (const key of ["runner", "state"]) void client.invalidateQueries({ queryKey: [key] });
    },
  };
  const asking = useMutation({ mutationFn: send, ...answered });
  const cancelling = useMutation({ mutationFn: cancelOperation, ...answered });
  const data = runner.data;
  const operation = data?.operation && data.operation.operation_id !== away ? data.operation : null;
  return (
    <Page title={t.runner.title} lead={t.runner.lead}>
      <Missing query={runner}>
        <SkeletonRows rows={1} className="h-32" />
      </Missing>
      {data && <RunnerState runner={data} />}
      {operation && (
        <OperationCard
          key={operation.operation_id}
          operation={operation}
          up={up}
          onRetry={() => asking.mutate(again(operation))}
          onBack={() => setAway(operation.operation_id)}
          onCancel={() => cancelling.mutate()}
        />
      )}
      {data && <Controls runner={data} up={up} pending={asking.isPending} onAsk={(ask) => asking.mutate(ask)} />}
      <AgentList />
    </Page>
  );
}
