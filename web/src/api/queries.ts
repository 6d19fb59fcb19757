import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import { body, http, useLogin } from "./client";
import { isRecovering } from "./errors";
import type { Event, SessionMade, Task, UsageBy } from "./types";

/** What is asked of the server, by the first word of its key. */
export type QueryName =
  | "agents"
  | "changes"
  | "commands"
  | "diff"
  | "events"
  | "grants"
  | "notifications"
  | "projects"
  | "queues"
  | "resume-options"
  | "rollback-preview"
  | "run"
  | "runner"
  | "runs"
  | "session"
  | "sessions"
  | "settings"
  | "state"
  | "steps"
  | "storage"
  | "stuck-report"
  | "task"
  | "tasks"
  | "usage"
  | "ways-back";

const key = (name: QueryName, ...about: unknown[]): [QueryName, ...unknown[]] => [name, ...about];

export interface SessionFilter {
  q: string;
  sort: "activity" | "created";
  group: "needs_you" | "running" | "queued" | "recent" | null;
  archived: boolean;
  projectId: string | null;
}

export const NO_FILTER: SessionFilter = { q: "", sort: "activity", group: null, archived: false, projectId: null };

export const stateQuery = queryOptions({
  queryKey: key("state"),
  queryFn: async () => {
    const state = await body(http.GET("/api/state"));
    useLogin.getState().set("in");
    return state;
  },
});

export const runnerQuery = queryOptions({ queryKey: key("runner"), queryFn: () => body(http.GET("/api/runner")) });
export const agentsQuery = queryOptions({
  queryKey: key("agents"),
  queryFn: () => body(http.GET("/api/agents")),
  staleTime: 30_000,
});
export const settingsQuery = queryOptions({
  queryKey: key("settings"),
  queryFn: () => body(http.GET("/api/settings")),
});
export const projectsQuery = queryOptions({
  queryKey: key("projects"),
  queryFn: () => body(http.GET("/api/projects")),
});
export const queuesQuery = queryOptions({ queryKey: key("queues"), queryFn: () => body(http.GET("/api/queues")) });

export const notificationsQuery = queryOptions({
  queryKey: key("notifications"),
  queryFn: () => body(http.GET("/api/notifications")),
});

export const sessionsQuery = (filter: SessionFilter) =>
  infiniteQueryOptions({
    queryKey: key("sessions", filter),
    initialPageParam: "",
    queryFn: ({ pageParam }) =>
      body(
        http.GET("/api/sessions", {
          params: {
            query: {
              q: filter.q,
              sort: filter.sort,
              archived: filter.archived,
              ...(filter.group ? { group: filter.group } : {}),
              ...(filter.projectId ? { project_id: filter.projectId } : {}),
              ...(pageParam ? { cursor: pageParam } : {}),
            },
          },
        }),
      ),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

export const sessionQuery = (project_id: string, slug: string) =>
  queryOptions({
    queryKey: key("session", project_id, slug),
    queryFn: () => body(http.GET("/api/sessions/{project_id}/{slug}", { params: { path: { project_id, slug } } })),
  });

/** What the agent may do in a session without asking again. */
export const grantsQuery = (project_id: string, slug: string) =>
  queryOptions({
    queryKey: key("grants", project_id, slug),
    queryFn: () =>
      body(http.GET("/api/sessions/{project_id}/{slug}/grants", { params: { path: { project_id, slug } } })),
    staleTime: 0,
  });

export const tasksQuery = (project_id: string, slug: string) =>
  infiniteQueryOptions({
    queryKey: key("tasks", project_id, slug),
    initialPageParam: "",
    queryFn: ({ pageParam }) =>
      body(
        http.GET("/api/sessions/{project_id}/{slug}/tasks", {
          params: { path: { project_id, slug }, query: { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

/** A new thread is shown as the answer told of it; then it is read, since its task may have gone on meanwhile. */
export function beginThread(client: QueryClient, { task, ...session }: SessionMade): void {
  const itself = sessionQuery(session.project_id, session.slug).queryKey;
  const tasks = tasksQuery(session.project_id, session.slug).queryKey;
  client.setQueryData(itself, session);
  if (task) client.setQueryData(tasks, { pages: [{ items: [task], next_cursor: null }], pageParams: [""] });
  for (const queryKey of [itself, tasks]) void client.invalidateQueries({ queryKey });
}

/** A thread goes on with what was just sent in it, likewise. */
export function continueThread(client: QueryClient, projectId: string, slug: string, task: Task): void {
  const tasks = tasksQuery(projectId, slug).queryKey;
  client.setQueryData(tasks, (known) => {
    const last = known?.pages.at(-1);
    if (!known || !last || last.next_cursor !== null || last.items.some((item) => item.task_id === task.task_id))
      return known;
    return { ...known, pages: [...known.pages.slice(0, -1), { ...last, items: [...last.items, task] }] };
  });
  void client.invalidateQueries({ queryKey: tasks });
}

export const taskQuery = (task_id: string) =>
  queryOptions({
    queryKey: key("task", task_id),
    queryFn: () => body(http.GET("/api/tasks/{task_id}", { params: { path: { task_id } } })),
  });

export const stepsQuery = (task_id: string) =>
  queryOptions({
    queryKey: key("steps", task_id),
    queryFn: () => body(http.GET("/api/tasks/{task_id}/steps", { params: { path: { task_id } } })),
  });

/** Every verification of a task, newest first. */
export const runsQuery = (task_id: string) =>
  queryOptions({
    queryKey: key("runs", task_id),
    queryFn: () => body(http.GET("/api/tasks/{task_id}/runs", { params: { path: { task_id } } })),
  });

/** One verification; it never changes once it is there. */
export const runQuery = (run_id: string) =>
  queryOptions({
    queryKey: key("run", run_id),
    queryFn: () => body(http.GET("/api/runs/{run_id}", { params: { path: { run_id } } })),
    staleTime: Infinity,
  });

export const stuckReportQuery = (task_id: string) =>
  queryOptions({
    queryKey: key("stuck-report", task_id),
    queryFn: () => body(http.GET("/api/tasks/{task_id}/stuck-report", { params: { path: { task_id } } })),
  });

/** Asked again until the server knows what an earlier run left. */
const whileRecovering = (query: { state: { error: Error | null } }) => (isRecovering(query.state.error) ? 1000 : false);

export const rollbackPreviewQuery = (task_id: string) =>
  queryOptions({
    queryKey: key("rollback-preview", task_id),
    queryFn: () => body(http.GET("/api/tasks/{task_id}/rollback-preview", { params: { path: { task_id } } })),
    staleTime: 0,
    refetchInterval: whileRecovering,
  });

export const undoPreviewQuery = (task_id: string, rollback_id: string, exact: boolean) =>
  queryOptions({
    queryKey: key("rollback-preview", task_id, rollback_id, exact),
    queryFn: () =>
      body(
        http.GET("/api/tasks/{task_id}/undo-preview", {
          params: { path: { task_id }, query: { rollback_id, exact } },
        }),
      ),
    staleTime: 0,
    refetchInterval: whileRecovering,
  });

export const waysBackQuery = queryOptions({
  queryKey: key("ways-back"),
  queryFn: () => body(http.GET("/api/ways-back")),
  staleTime: 0,
});

/** Of one attempt: what an earlier one would have taken away is not what the button of this one stands for. */
export const resumeOptionsQuery = ({ task_id, attempt }: Pick<Task, "task_id" | "attempt">) =>
  queryOptions({
    queryKey: key("resume-options", task_id, attempt),
    queryFn: () => body(http.GET("/api/tasks/{task_id}/resume-options", { params: { path: { task_id } } })),
    refetchInterval: whileRecovering,
  });

/** Sums since a moment; days are those of the person's own calendar. */
export const usageQuery = (by: UsageBy, since: Date, project: string | null) =>
  queryOptions({
    queryKey: key("usage", by, since.toISOString(), project),
    queryFn: () =>
      body(
        http.GET("/api/usage", {
          params: {
            query: {
              by,
              since: since.toISOString(),
              zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
              limit: 20,
              ...(project ? { project } : {}),
            },
          },
        }),
      ),
  });

export interface DiffPart {
  attempt?: number;
  step?: number;
  path?: string;
}

export const diffQuery = (task_id: string, part: DiffPart = {}) =>
  queryOptions({
    queryKey: key("diff", task_id, part),
    queryFn: () => body(http.GET("/api/tasks/{task_id}/diff", { params: { path: { task_id }, query: part } })),
  });

/** What a commit of this task would take: the files of its workspace. */
export const changesQuery = ({ project_id, task_id }: Pick<Task, "project_id" | "task_id">) =>
  queryOptions({
    queryKey: key("changes", project_id, task_id),
    queryFn: () =>
      body(http.GET("/api/projects/{project_id}/status", { params: { path: { project_id }, query: { task_id } } })),
  });

export const commandsQuery = (project_id: string) =>
  queryOptions({
    queryKey: key("commands", project_id),
    queryFn: () => body(http.GET("/api/projects/{project_id}/commands", { params: { path: { project_id } } })),
  });

export const pinQuery = (project_id: string) =>
  queryOptions({
    queryKey: ["commands", project_id, "pin"],
    queryFn: () => body(http.GET("/api/projects/{project_id}/commands/pin", { params: { path: { project_id } } })),
  });

export const storageQuery = (project_id: string) =>
  queryOptions({
    queryKey: key("storage", project_id),
    queryFn: () => body(http.GET("/api/projects/{project_id}/storage", { params: { path: { project_id } } })),
    staleTime: 0,
  });

/** The whole stored history of a task, page after page: milestones and steps, never its output. */
export const taskEventsQuery = (task_id: string) =>
  queryOptions({
    queryKey: key("events", task_id),
    queryFn: async () => {
      const events: Event[] = [];
      let since = 0;
      for (let more = true; more;) {
        const page = await body(
          http.GET("/api/tasks/{task_id}/events", { params: { path: { task_id }, query: { since, limit: 1000 } } }),
        );
        events.push(...page.items);
        since = page.next_since;
        more = page.more;
      }
      return events;
    },
  });

export function outputPage(task_id: string, attempt: number, offset: number, limit: number, signal?: AbortSignal) {
  return body(
    http.GET("/api/tasks/{task_id}/output", {
      params: { path: { task_id }, query: { attempt, offset, limit } },
      ...(signal ? { signal } : {}),
    }),
  );
}

/** `check` counts from 1; 0 is all of them, in order. */
export function runLogPage(run_id: string, check: number, offset: number, limit: number, signal?: AbortSignal) {
  return body(
    http.GET("/api/runs/{run_id}/log", {
      params: { path: { run_id }, query: { check: check === 0 ? "combined" : String(check), offset, limit } },
      ...(signal ? { signal } : {}),
    }),
  );
}

export function operationPage(
  operation_id: string,
  _attempt: number,
  offset: number,
  limit: number,
  signal?: AbortSignal,
) {
  return body(
    http.GET("/api/runner/operations/{operation_id}/output", {
      params: { path: { operation_id }, query: { offset, limit } },
      ...(signal ? { signal } : {}),
    }),
  );
}
