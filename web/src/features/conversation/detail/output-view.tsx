import { useState } from "react";
import { outputPage } from "@/api/queries";
import type { Task } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { LogView } from "@/shared/log/log-view";
import { Select } from "@/shared/ui/select";
import { Segmented } from "@/shared/ui/segmented";
import { useMilestone } from "../milestone";
import { Timeline } from "./timeline";

export function OutputView({ task }: { task: Task }) {
  const code = useMilestone(task)?.code;
  const checks = task.status === "RUNNING" && (code === "verifying" || code === "inspecting");
  // Who looks while a check runs wants to see it run; afterwards the choice is theirs.
  const [mode, setMode] = useState<"filtered" | "raw">(checks ? "raw" : "filtered");
  const [attempt, setAttempt] = useState<number | null>(null);
  const shown = attempt ?? task.attempt;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 border-b border-line px-3 py-2">
        <Segmented
          label={t.output.mode}
          value={mode}
          options={[
            { value: "filtered", label: t.output.filtered },
            { value: "raw", label: t.output.raw },
          ]}
          onChange={setMode}
        />
        {mode === "raw" && task.attempt > 1 && (
          <Select
            label={t.output.attempt}
            value={String(shown)}
            options={Array.from({ length: task.attempt }, (_, index) => ({
              value: String(index + 1),
              label: say(t.task.attempt, { n: index + 1 }),
            }))}
            onChange={(value) => setAttempt(Number(value))}
            className="h-7 text-[13px]"
          />
        )}
      </div>
      {mode === "raw" ? (
        <LogView
          key={shown}
          id={task.task_id}
          attempt={shown}
          running={task.status === "RUNNING" && shown === task.attempt}
          read={outputPage}
          label={t.output.log}
        />
      ) : (
        <Timeline taskId={task.task_id} live={checks ? task.attempt : null} />
      )}
    </div>
  );
}
