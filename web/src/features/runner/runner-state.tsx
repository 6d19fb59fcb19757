import { Link } from "@tanstack/react-router";
import { CircleCheck, CirclePause, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import type { Runner } from "@/api/types";
import { say, t } from "@/shared/i18n/t";
import { Elapsed } from "@/shared/ui/time";

const LOOK = "inline-flex items-center gap-1.5 font-medium";

function State({ state }: { state: Runner["state"] }) {
  const word = t.runner.states[state];
  switch (state) {
    case "running":
      return (
        <span className={`${LOOK} text-ok`}>
          <CircleCheck size={16} aria-hidden />
          {word}
        </span>
      );
    case "stopping":
      return (
        <span className={`${LOOK} text-warn`}>
          <LoaderCircle size={16} aria-hidden className="animate-spin" />
          {word}
        </span>
      );
    case "stopped":
      return (
        <span className={`${LOOK} text-bad`}>
          <CirclePause size={16} aria-hidden />
          {word}
        </span>
      );
  }
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-[12px] text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** How the runner is now, and what it is at. */
export function RunnerState({ runner }: { runner: Runner }) {
  return (
    <section className="card mb-6 px-4 py-4">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
        <State state={runner.state} />
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          <Fact name={t.runner.since}>
            <Elapsed from={runner.since} />
          </Fact>
          <Fact name={t.runner.pid}>
            <span className="font-mono text-[13px]" data-pid>
              {runner.pid}
            </span>
          </Fact>
          <Fact name={t.runner.boot}>
            <span className="font-mono text-[13px]" title={runner.boot_id}>
              {runner.boot_id.slice(0, 8)}
            </span>
          </Fact>
          <Fact name={t.runner.version}>{runner.version}</Fact>
          <Fact name={t.runner.tasks}>{say(t.runner.counts, { running: runner.running, queued: runner.queued })}</Fact>
          <Fact name={t.awake.label}>{t.awake[runner.awake.state]}</Fact>
        </dl>
      </div>
      {runner.awake.state === "unavailable" && <p className="mt-2 text-[13px] text-muted">{runner.awake.why_not}</p>}
      {runner.tasks.length > 0 && (
        <ul aria-label={t.runner.runningNow} className="mt-3 border-t border-line pt-2">
          {runner.tasks.map((task) => (
            <li key={task.task_id} className="flex flex-wrap items-baseline gap-x-3 py-0.5">
              <Link
                to="/sessions/$projectId/$slug"
                params={{ projectId: task.project_id, slug: task.session_slug }}
                search={{ task: task.task_id }}
                className="min-w-0 truncate font-medium hover:underline"
              >
                {task.session_title}
              </Link>
              <span className="text-[13px] text-muted">{task.milestone}</span>
              {task.started_at && (
                <span className="ml-auto text-[13px] text-faint">
                  <Elapsed from={task.started_at} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
