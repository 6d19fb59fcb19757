import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { runsQuery } from "@/api/queries";
import type { Doubt, DoubtKind, RunSummary, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { plain } from "@/shared/log/ansi";
import { PartLink, RunLink } from "./part-link";

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

function Row({ task, doubt }: { task: Task; doubt: Doubt }) {
  const place = doubt.line === null ? doubt.path : `${doubt.path}:${doubt.line}`;
  return (
    <li className="flex flex-col gap-x-3 py-1 sm:grid sm:grid-cols-[10.5rem_1fr]">
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
      </span>
    </li>
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

/** The checks as they are now beside the tests as they were, where both were run. */
function Compared({ task }: { task: Task }) {
  const runs = useQuery({ ...runsQuery(task.task_id), enabled: task.run_id !== null });
  const both = compared(runs.data?.items ?? []);
  if (!both) return null;
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-[13px]">
      <Result task={task} label={t.doubts.nowTests} run={both.now} />
      <Result task={task} label={t.doubts.baseTests} run={both.base} />
    </ul>
  );
}

/** What to look at before anyone calls it done. Weakened tests come first, in the tone of a warning. */
export function Doubts({ task }: { task: Task }) {
  const groups = GROUPS.map((name) => ({
    name,
    items: task.findings.filter((doubt) => groupOf(doubt.kind) === name),
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
              <Row key={`${doubt.kind} ${doubt.path} ${String(doubt.line)} ${doubt.name}`} task={task} doubt={doubt} />
            ))}
          </ul>
        </div>
      ))}
      <Compared task={task} />
    </section>
  );
}
