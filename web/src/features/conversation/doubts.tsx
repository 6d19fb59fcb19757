import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { acceptDoubt } from "@/api/actions";
import { runsQuery } from "@/api/queries";
import { hasEnded } from "@/api/status";
import type { Doubt, DoubtKind, RunSummary, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { useAction } from "@/shared/lib/action";
import { plain } from "@/shared/log/ansi";
import { Button } from "@/shared/ui/button";
import { ReasonDialog } from "@/shared/ui/reason-dialog";
import { Ago } from "@/shared/ui/time";
import { ChecksLink, PartLink, RunLink } from "./part-link";

type Group = "tampering" | "scope" | "untested";
const GROUPS: Group[] = ["tampering", "scope", "untested"];

export function groupOf(kind: DoubtKind): Group {
  switch (kind) {
    case "test_deleted":
    case "test_skipped":
    case "test_xfailed":
    case "test_emptied":
    case "assertion_removed":
    case "assertion_weakened":
    case "snapshot_rewritten":
    case "checks_changed":
    case "checks_unaccepted":
    case "pinned_checks_fail":
    case "planted":
    case "base_tests_fail":
    case "not_inspected":
      return "tampering";
    case "outside_package":
    case "outside_boundary":
      return "scope";
    case "untested":
    case "no_tests_ran":
    case "test_not_run":
      return "untested";
  }
}

/** The newest verification of the task and, where they were run, the tests as they were before it. */
export function compared(runs: RunSummary[]): { now: RunSummary; base: RunSummary } | null {
  const base = runs.find((run) => run.purpose === "base_tests");
  const now = runs.find((run) => run.purpose === "verify" && run.attempt === base?.attempt);
  return base && now ? { now, base } : null;
}

function Row({ task, doubt, onAccept }: { task: Task; doubt: Doubt; onAccept: (doubt: Doubt) => void }) {
  const place = doubt.line === null ? doubt.path : `${doubt.path}:${doubt.line}`;
  return (
    <li className="flex flex-col gap-x-3 py-1 sm:grid sm:grid-cols-[10.5rem_1fr_auto]">
      <span className="text-[13px] font-medium">{t.doubtKinds[doubt.kind]}</span>
      <span className="min-w-0">
        <span className="[overflow-wrap:anywhere]">{plain(doubt.message)}</span>{" "}
        {doubt.path && (
          <PartLink
            task={task}
            open={{ view: "diff", file: doubt.path }}
            label={say(t.doubts.showDiff, { path: place })}
            className="font-mono text-[12.5px] font-medium whitespace-normal text-accent [overflow-wrap:anywhere] hover:underline"
          >
            {place}
          </PartLink>
        )}
        {(doubt.kind === "checks_unaccepted" || doubt.kind === "pinned_checks_fail") && (
          <ChecksLink projectId={task.project_id}>{t.verified.openChecks}</ChecksLink>
        )}
        {doubt.accepted && (
          <span className="block text-[13px] text-muted">
            {say(t.doubts.accepted, { reason: doubt.accepted.reason })} · <Ago at={doubt.accepted.at} />
          </span>
        )}
      </span>
      {doubt.severity === "serious" && doubt.accepted === null && hasEnded(task.status) && (
        <Button
          size="sm"
          className="self-start"
          aria-label={say(t.doubts.acceptNamed, { what: plain(doubt.message) })}
          onClick={() => onAccept(doubt)}
        >
          {t.doubts.accept}
        </Button>
      )}
    </li>
  );
}

function AcceptDoubt({ task, doubt, onClose }: { task: Task; doubt: Doubt; onClose: () => void }) {
  const accepting = useAction<Task, string>(["tasks", "task", "sessions", "session"], {
    mutationFn: (reason) => acceptDoubt(task, doubt.id, reason),
    onSuccess: onClose,
  });
  return (
    <ReasonDialog
      title={t.doubts.acceptTitle}
      description={t.doubts.acceptHint}
      label={t.doubts.accept}
      busy={accepting.isPending}
      onReason={accepting.mutate}
      onClose={onClose}
    >
      <p className="rounded-md bg-raised p-3 [overflow-wrap:anywhere]">
        <span className="font-medium">{t.doubtKinds[doubt.kind]}</span>
        {": "}
        {plain(doubt.message)}
      </p>
    </ReasonDialog>
  );
}

function Result({ task, label, run }: { task: Task; label: string; run: RunSummary }) {
  const ok = run.result === "PASS";
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <li className="flex items-start gap-2">
      <Icon size={14} aria-hidden className={`mt-[3px] shrink-0 ${ok ? "text-ok" : "text-bad"}`} />
      <span className="min-w-0">
        {label}
        {": "}
        <span className={`font-medium ${ok ? "text-ok" : "text-bad"}`}>{t.run_result[run.result]}</span>{" "}
        <RunLink task={task} runId={run.run_id} />
      </span>
    </li>
  );
}

/** The checks as they are now beside the tests as they were, and the accepted checks, where they were run. */
function Compared({ task }: { task: Task }) {
  const runs = useQuery({ ...runsQuery(task.task_id), enabled: task.run_id !== null });
  const every = runs.data?.items ?? [];
  const both = compared(every);
  const pinned = every.find((run) => run.purpose === "pinned");
  if (!both && !pinned) return null;
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-[13px]">
      {both && <Result task={task} label={t.doubts.nowTests} run={both.now} />}
      {both && <Result task={task} label={t.doubts.baseTests} run={both.base} />}
      {pinned && <Result task={task} label={t.doubts.pinned} run={pinned} />}
    </ul>
  );
}

/** What to look at before anyone calls it done. Weakened tests come first, in the tone of a warning. */
export function Doubts({ task }: { task: Task }) {
  const [accepts, setAccepts] = useState<Doubt | null>(null);
  const groups = GROUPS.map((name) => ({
    name,
    items: task.doubts.filter((doubt) => groupOf(doubt.kind) === name),
  })).filter((group) => group.items.length > 0);
  if (groups.length === 0) return task.verdict === "PASS" ? <Compared task={task} /> : null;
  return (
    <section aria-label={t.doubts.title} className="flex flex-col gap-2">
      <h3 className="text-[13px] font-semibold text-muted">{t.doubts.title}</h3>
      {groups.map(({ name, items }) => (
        <div
          key={name}
          className={`rounded-lg border px-3 py-2 ${name === "tampering" ? "border-warn-line bg-warn-soft" : "border-line bg-bg"}`}
        >
          <h4 className={`flex items-center gap-2 font-medium ${name === "tampering" ? "text-warn" : ""}`}>
            {name === "tampering" && <TriangleAlert size={15} aria-hidden className="shrink-0" />}
            {t.doubts[name]}
          </h4>
          <ul className="mt-1 flex max-h-72 flex-col overflow-y-auto">
            {items.map((doubt) => (
              <Row key={doubt.id} task={task} doubt={doubt} onAccept={setAccepts} />
            ))}
          </ul>
        </div>
      ))}
      <Compared task={task} />
      {accepts && <AcceptDoubt task={task} doubt={accepts} onClose={() => setAccepts(null)} />}
    </section>
  );
}
