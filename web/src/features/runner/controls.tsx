import { useQuery } from "@tanstack/react-query";
import { CirclePause, CirclePlay, Hammer, RotateCw } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { projectsQuery } from "@/api/queries";
import type { OperationKind, Runner } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Button } from "@/shared/ui/button";
import { Dialog } from "@/shared/ui/dialog";
import { Select } from "@/shared/ui/select";

export interface Ask {
  kind: OperationKind;
  /** Whose build; null is Pilothouse's own. */
  project: string | null;
}

const ICONS: Record<OperationKind, ReactNode> = {
  run: <CirclePlay size={15} aria-hidden />,
  stop: <CirclePause size={15} aria-hidden />,
  build: <Hammer size={15} aria-hidden />,
  restart: <RotateCw size={15} aria-hidden />,
};
const ITSELF = "";

/** Why an operation cannot be asked for now; null when it can. */
export function refusal(kind: OperationKind, runner: Runner, up: boolean, project: string | null): string | null {
  if (!up) return t.runner.why.offline;
  const last = runner.operation;
  if (last && last.outcome === null) return say(t.runner.why.busy, { operation: t.operation_kind[last.kind] });
  switch (kind) {
    case "run":
      return runner.state === "running" ? t.runner.why.runs : null;
    case "stop":
      return runner.state === "stopped" ? t.runner.why.stopped : null;
    case "build":
      return project === null ? runner.build_problem : null;
    case "restart":
      return null;
  }
}

interface RowProps {
  kind: OperationKind;
  does: string;
  why: string | null;
  pending: boolean;
  main?: boolean;
  onAsk: () => void;
  children?: ReactNode;
}

function Row({ kind, does, why, pending, main = false, onAsk, children }: RowProps) {
  const described = useId();
  return (
    <li className="grid gap-x-4 gap-y-1.5 px-4 py-3 sm:grid-cols-[8rem_1fr]">
      <Button
        look={main ? "primary" : "plain"}
        className="w-32 max-sm:h-10 max-sm:w-full"
        disabled={pending || why !== null}
        aria-describedby={described}
        icon={ICONS[kind]}
        onClick={onAsk}
      >
        {t.operation_kind[kind]}
      </Button>
      <div id={described} className="min-w-0 self-center">
        <p>{does}</p>
        {why !== null && <p className="text-[13px] text-muted">{why}</p>}
      </div>
      {children && <div className="sm:col-start-2">{children}</div>}
    </li>
  );
}

interface Props {
  runner: Runner;
  /** Whether the server can be reached. */
  up: boolean;
  /** Whether a wish has been sent and not yet answered. */
  pending: boolean;
  onAsk: (ask: Ask) => void;
}

export function Controls({ runner, up, pending, onAsk }: Props) {
  const projects = useQuery(projectsQuery);
  const [what, setWhat] = useState(ITSELF);
  const [asks, setAsks] = useState<"stop" | "restart" | null>(null);
  const project = what === ITSELF ? null : what;
  const why = (kind: OperationKind) => refusal(kind, runner, up, project);
  const ask = (kind: OperationKind) => onAsk({ kind, project: kind === "build" ? project : null });
  const seconds = runner.stop_wait_seconds;
  return (
    <section className="mb-6">
      <h2 className="mb-1.5 px-1 text-[13px] font-semibold text-muted">{t.runner.controls}</h2>
      <ul className="card divide-y divide-line">
        <Row
          kind="run"
          does={t.runner.does.run}
          why={why("run")}
          pending={pending}
          main={runner.state === "stopped"}
          onAsk={() => ask("run")}
        />
        <Row
          kind="stop"
          does={say(t.runner.does.stop, { seconds })}
          why={why("stop")}
          pending={pending}
          onAsk={() => setAsks("stop")}
        />
        <Row kind="build" does={t.runner.does.build} why={why("build")} pending={pending} onAsk={() => ask("build")}>
          <Select
            label={t.runner.buildWhat}
            value={what}
            options={[
              { value: ITSELF, label: t.runner.itself },
              ...(projects.data?.items ?? []).map((item) => ({ value: item.id, label: item.name })),
            ]}
            onChange={setWhat}
            className="max-sm:w-full"
          />
        </Row>
        <Row
          kind="restart"
          does={t.runner.does.restart}
          why={why("restart")}
          pending={pending}
          onAsk={() => {
            if (runner.running > 0) setAsks("restart");
            else ask("restart");
          }}
        />
      </ul>
      {asks !== null && (
        <Dialog
          title={asks === "restart" ? t.runner.restartTitle : t.runner.stopTitle}
          action={{
            label: asks === "restart" ? t.runner.restartDo : t.runner.stopDo,
            look: "danger",
            run: () => {
              setAsks(null);
              ask(asks);
            },
          }}
          onClose={() => setAsks(null)}
        >
          <p>
            {asks === "restart"
              ? say(t.runner.restartLead, { count: runner.running, seconds })
              : runner.running === 0
                ? t.runner.stopLeadIdle
                : say(t.runner.stopLead, { count: runner.running, seconds })}
          </p>
        </Dialog>
      )}
    </section>
  );
}
