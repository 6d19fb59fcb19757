import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX, Clock3, Copy, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { runLogPage, runQuery } from "@/api/queries";
import type { CheckOutcome, CheckResult, Run } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { copyText } from "@/shared/lib/clipboard";
import { took } from "@/shared/lib/time";
import { plain } from "@/shared/log/ansi";
import { Lines } from "@/shared/log/line";
import { LogView } from "@/shared/log/log-view";
import { IconButton } from "@/shared/ui/button";
import { Segmented } from "@/shared/ui/segmented";
import { Select } from "@/shared/ui/select";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { toast } from "@/shared/ui/toast";
import { Part } from "./part";

const LOOKS: Record<CheckResult, { tone: string; icon: typeof CircleCheck }> = {
  passed: { tone: "text-ok", icon: CircleCheck },
  failed: { tone: "text-bad", icon: CircleX },
  timeout: { tone: "text-bad", icon: Clock3 },
  unrunnable: { tone: "text-warn", icon: TriangleAlert },
  skipped: { tone: "text-muted", icon: CircleDashed },
};

function CheckRow({ check }: { check: CheckOutcome }) {
  const { tone, icon: Icon } = LOOKS[check.result];
  return (
    <li className="flex flex-col gap-0.5 border-b border-line px-2.5 py-1.5 last:border-0">
      <span className="flex flex-wrap items-center gap-x-2">
        <Icon size={14} aria-hidden className={`shrink-0 ${tone}`} />
        <span className="font-medium">{check.name}</span>
        <span className={`text-[13px] ${tone}`}>{t.checkResults[check.result]}</span>
        <span className="ml-auto flex gap-3 text-[13px] text-muted">
          {check.exit_code !== null && <span>{say(t.runs.exit, { code: check.exit_code })}</span>}
          {check.result !== "skipped" && <span>{took(check.duration_ms)}</span>}
        </span>
      </span>
      <code className="pl-[22px] font-mono text-[12px] text-muted [overflow-wrap:anywhere]">{check.command}</code>
      {check.detail && <p className="pl-[22px] text-[13px] [overflow-wrap:anywhere]">{check.detail}</p>}
    </li>
  );
}

function Logs({ run }: { run: Run }) {
  const [shows, setShows] = useState<"tail" | "full">("tail");
  const [check, setCheck] = useState("0");
  const written = run.checks.filter((one) => one.log_path !== "");
  if (written.length === 0) return <p className="text-muted">{t.runs.gone}</p>;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label={t.runs.what}
          value={shows}
          options={[
            { value: "tail", label: t.runs.tail },
            { value: "full", label: t.runs.full },
          ]}
          onChange={setShows}
        />
        {shows === "full" && written.length > 1 && (
          <Select
            label={t.runs.which}
            value={check}
            options={[
              { value: "0", label: t.runs.all },
              ...written.map((one) => ({ value: String(one.number), label: one.name })),
            ]}
            onChange={setCheck}
            className="h-7 text-[13px]"
          />
        )}
      </div>
      {shows === "tail" ? (
        <Lines label={t.runs.tail} text={run.tail} />
      ) : (
        <div className="flex h-96 flex-col overflow-hidden rounded-md border border-line">
          <LogView
            key={check}
            id={run.run_id}
            attempt={Number(check)}
            running={false}
            read={runLogPage}
            label={t.runs.log}
          />
        </div>
      )}
    </div>
  );
}

function Facts({ run }: { run: Run }) {
  const copy = async () => {
    if (await copyText(run.run_id)) toast.done(t.common.copied);
    else toast.problem(t.common.copyFailed);
  };
  const facts = [
    { label: t.runs.id, value: run.run_id },
    ...(run.commit ? [{ label: t.runs.commit, value: run.commit.slice(0, 10) }] : []),
    { label: t.runs.tree, value: run.tree.slice(0, 10) },
  ];
  return (
    <div className="flex items-center gap-2">
      <dl className="flex min-w-0 flex-wrap gap-x-4 text-[12px] text-muted">
        {facts.map((fact) => (
          <div key={fact.label} className="flex gap-1.5">
            <dt>{fact.label}</dt>
            <dd className="font-mono [overflow-wrap:anywhere]">{fact.value}</dd>
          </div>
        ))}
      </dl>
      <IconButton label={t.runs.copyId} className="ml-auto" onClick={() => void copy()}>
        <Copy size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

/** One verification: what each check said, where it first failed, and its log. */
export function RunView({ runId }: { runId: string }) {
  const found = useQuery(runQuery(runId));
  if (!found.data)
    return (
      <Missing query={found}>
        <SkeletonRows rows={4} className="h-9" />
      </Missing>
    );
  const run = found.data;
  return (
    <div className="flex flex-col gap-3">
      <ol aria-label={t.runs.checks} className="rounded-md border border-line">
        {run.checks.map((check) => (
          <CheckRow key={check.number} check={check} />
        ))}
      </ol>
      {run.result === "FAIL" && run.first_failing_line && (
        <Part label={t.runs.firstLine}>
          <p className="rounded-md bg-bad-soft px-2.5 py-1.5 font-mono text-[12.5px] [overflow-wrap:anywhere]">
            {plain(run.first_failing_line)}
          </p>
        </Part>
      )}
      <Logs run={run} />
      <Facts run={run} />
    </div>
  );
}
