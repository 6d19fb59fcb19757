import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Task } from "@/api/types";
import type { OpenDetail } from "./detail-view";

interface Props {
  task: Pick<Task, "task_id" | "project_id" | "session_slug">;
  open: Omit<OpenDetail, "task">;
  label?: string;
  className?: string;
  children: ReactNode;
}

/** Opens a part of a task where its details are shown, by an address that can be kept and sent. */
export function PartLink({
  task,
  open,
  label,
  className = "font-medium text-accent hover:underline",
  children,
}: Props) {
  return (
    <Link
      to="/sessions/$projectId/$slug"
      params={{ projectId: task.project_id, slug: task.session_slug }}
      search={{ task: task.task_id, ...open }}
      replace
      resetScroll={false}
      className={className}
      {...(label ? { "aria-label": label, title: label } : {})}
    >
      {children}
    </Link>
  );
}

/** The first characters of a run's id, enough to tell it from the others; the whole is on hover. */
export function RunLink({ task, runId }: { task: Props["task"]; runId: string }) {
  return (
    <PartLink task={task} open={{ view: "checks", run: runId }}>
      <code className="font-mono text-[12.5px]" title={runId}>
        {runId.slice(0, 8)}
      </code>
    </PartLink>
  );
}

/** To the checks of the project that a task belongs to. */
export function ChecksLink({ projectId, children }: { projectId: string; children: ReactNode }) {
  const to: string = `/projects/${encodeURIComponent(projectId)}/checks`;
  return (
    <Link to={to} className="font-medium text-accent hover:underline">
      {children}
    </Link>
  );
}
