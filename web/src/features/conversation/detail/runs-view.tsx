import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { runsQuery } from "@/api/queries";
import type { RunSummary, Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { plain } from "@/shared/log/ansi";
import { Missing } from "@/shared/ui/missing";
import { SkeletonRows } from "@/shared/ui/skeleton";
import { Ago } from "@/shared/ui/time";
import { RunView } from "./run-view";

function RunRow({ run, opens }: { run: RunSummary; opens: boolean }) {
  const [open, setOpen] = useState(opens);
  const ok = run.result === "PASS";
  const failing = run.checks.find((check) => check.result !== "passed" && check.result !== "skipped");
  return (
    <li id={`run-${run.run_id}`} className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-10 w-full flex-wrap items-center gap-x-3 px-3 py-1.5 text-left hover:bg-raised focus-visible:-outline-offset-2"
      >
        <ChevronRight size={14} aria-hidden className={`text-faint transition-transform ${open ? "rotate-90" : ""}`} />
        <span className="font-medium">
          {run.purpose === "base_tests"
            ? t.runs.base
            : run.purpose === "pinned"
              ? t.runs.pinned
              : run.loop > 0
                ? say(t.runs.verification, { n: run.loop })
                : t.runs.verificationOnly}
        </span>
        <span className={`text-[13px] font-medium ${ok ? "text-ok" : "text-bad"}`}>
          {t.run_result[run.result]}
          {failing && `: ${failing.name}`}
        </span>
        <span className="ml-auto flex items-center gap-3 text-[13px] text-muted">
          <code className="font-mono text-[12px]">{run.run_id.slice(0, 8)}</code>
          <Ago at={run.started_at} />
        </span>
        {!open && !ok && run.first_failing_line && (
          <span className="w-full truncate pl-[26px] font-mono text-[12px] text-muted">
            {plain(run.first_failing_line)}
          </span>
        )}
      </button>
      {open && (
        <div className="px-3 pt-1 pb-4">
          <RunView runId={run.run_id} />
        </div>
      )}
    </li>
  );
}

/** Every verification of a task, newest first; the one that was asked for is open. */
export function RunsView({ task, selected }: { task: Task; selected: string | null }) {
  const runs = useQuery(runsQuery(task.task_id));
  const box = useRef<HTMLOListElement>(null);
  const ready = runs.data !== undefined;
  useEffect(() => {
    const row = ready && selected !== null ? document.getElementById(`run-${selected}`) : null;
    if (box.current && row) box.current.scrollTop = row.offsetTop;
  }, [ready, selected]);
  if (!runs.data)
    return (
      <Missing query={runs} className="p-3">
        <SkeletonRows rows={4} className="h-9" />
      </Missing>
    );
  if (runs.data.items.length === 0) return <p className="p-4 text-muted">{t.runs.none}</p>;
  const shown = selected ?? runs.data.items[0]?.run_id;
  return (
    <ol ref={box} aria-label={t.runs.tab} className="relative min-h-0 flex-1 overflow-y-auto">
      {runs.data.items.map((run) => (
        <RunRow key={run.run_id} run={run} opens={run.run_id === shown} />
      ))}
    </ol>
  );
}
