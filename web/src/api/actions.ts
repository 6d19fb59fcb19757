import { body, http } from "./client";
import { OfflineError } from "./errors";
import { randomKey } from "./ids";
import { useOutbox, type Waiting } from "./outbox";
import type {
  AnswerInput,
  CheckInput,
  GuardChoice,
  Message,
  Moved,
  NotificationsInput,
  PermissionChoice,
  ResumeMode,
  SessionCreate,
  SettingsPatch,
  Task,
} from "./types";

/** Either the server's answer, or the word that it will be sent once the server is back. */
export type Sent<T> = { queued: false; answer: T } | { queued: true };

interface Kept {
  path: string;
  body: unknown;
  label: string;
  draft?: Waiting["draft"];
}

/** Tries now; without a server it is kept under the same key, so that it happens once however often it is sent. */
async function now<T>(send: (headers: { "Idempotency-Key": string }) => Promise<T>, kept: Kept): Promise<Sent<T>> {
  const key = randomKey();
  try {
    return { queued: false, answer: await send({ "Idempotency-Key": key }) };
  } catch (error) {
    if (!(error instanceof OfflineError)) throw error;
    useOutbox.getState().add(kept.path, kept.body, kept.label, kept.draft ?? null, key);
    return { queued: true };
  }
}

const task = (id: string, verb: string) => `/api/tasks/${encodeURIComponent(id)}/${verb}`;

/* What is answered or decided names the attempt that was looked at, so that it never counts for something later. */

type Asking = Pick<Task, "task_id" | "attempt">;

export function reply({ task_id, attempt }: Asking, text: string, label: string, draftKey: string) {
  const sent = { reply: text, attempt };
  return now(
    (headers) => body(http.POST("/api/tasks/{task_id}/reply", { params: { path: { task_id } }, body: sent, headers })),
    { path: task(task_id, "reply"), body: sent, label, draft: { key: draftKey, text } },
  );
}

export function answerForm(
  { task_id, attempt }: Asking,
  answers: AnswerInput[],
  label: string,
  draft: Waiting["draft"] = null,
) {
  const sent = { answers, attempt };
  return now(
    (headers) =>
      body(http.POST("/api/tasks/{task_id}/answers", { params: { path: { task_id } }, body: sent, headers })),
    { path: task(task_id, "answers"), body: sent, label, draft },
  );
}

export function permit(
  { task_id, attempt }: Asking,
  decision: PermissionChoice,
  reason: string,
  label: string,
  draft: Waiting["draft"] = null,
) {
  const sent = { decision, reason, attempt };
  return now(
    (headers) =>
      body(http.POST("/api/tasks/{task_id}/permission", { params: { path: { task_id } }, body: sent, headers })),
    { path: task(task_id, "permission"), body: sent, label, draft },
  );
}

export function cancel(task_id: string, hold: boolean, label: string) {
  return now(
    (headers) =>
      body(http.POST("/api/tasks/{task_id}/cancel", { params: { path: { task_id } }, body: { hold }, headers })),
    { path: task(task_id, "cancel"), body: { hold }, label },
  );
}

export function resume({ task_id, attempt }: Asking, mode: ResumeMode, label: string) {
  const sent = { mode, attempt };
  return now(
    (headers) => body(http.POST("/api/tasks/{task_id}/resume", { params: { path: { task_id } }, body: sent, headers })),
    { path: task(task_id, "resume"), body: sent, label },
  );
}

export function sendMessage(project_id: string, slug: string, message: Message, label: string, draftKey: string) {
  return now(
    (headers) =>
      body(
        http.POST("/api/sessions/{project_id}/{slug}/messages", {
          params: { path: { project_id, slug } },
          body: message,
          headers,
        }),
      ),
    {
      path: `/api/sessions/${encodeURIComponent(project_id)}/${encodeURIComponent(slug)}/messages`,
      body: message,
      label,
      draft: { key: draftKey, text: message.text },
    },
  );
}

export function createSession(session: SessionCreate, label: string, draftKey: string) {
  return now((headers) => body(http.POST("/api/sessions", { body: session, headers })), {
    path: "/api/sessions",
    body: session,
    label,
    draft: { key: draftKey, text: session.message?.text ?? "" },
  });
}

/** Have the agent ready when the first message comes; nobody waits for it, and nobody misses it. */
export function prepareAgent(project_id: string): void {
  http.POST("/api/projects/{project_id}/prepare", { params: { path: { project_id } } }).catch(() => undefined);
}

export function hold(workspace_id: string, reason: string, label: string) {
  return now(
    (headers) =>
      body(
        http.POST("/api/workspaces/{workspace_id}/hold", {
          params: { path: { workspace_id } },
          body: { reason },
          headers,
        }),
      ),
    { path: `/api/workspaces/${encodeURIComponent(workspace_id)}/hold`, body: { reason }, label },
  );
}

export function release(workspace_id: string, label: string) {
  return now(
    (headers) =>
      body(http.POST("/api/workspaces/{workspace_id}/release", { params: { path: { workspace_id } }, headers })),
    { path: `/api/workspaces/${encodeURIComponent(workspace_id)}/release`, body: undefined, label },
  );
}

/* What goes to a task that runs is said now or not at all: later it would be another task. */

export const steer = (task_id: string, text: string) =>
  body(
    http.POST("/api/tasks/{task_id}/steer", {
      params: { path: { task_id } },
      body: { text },
      headers: { "Idempotency-Key": randomKey() },
    }),
  );

export const changeSteering = (task_id: string, message_id: string, action: "now" | "take_back") =>
  body(
    http.POST("/api/tasks/{task_id}/steer/{message_id}", {
      params: { path: { task_id, message_id } },
      body: { action },
      headers: { "Idempotency-Key": randomKey() },
    }),
  );

/* What changes files is decided with the result in sight: it is never kept for later. */

const once = () => ({ "Idempotency-Key": randomKey() });

/** `merge` names what the person has seen and confirmed, where others' changes lie on top. */
export const rollback = (task_id: string, merge: string | null) =>
  body(http.POST("/api/tasks/{task_id}/rollback", { params: { path: { task_id } }, body: { merge }, headers: once() }));

export const undoRollback = (task_id: string, rollback_id: string, merge: string | null, exact: boolean) =>
  body(
    http.POST("/api/tasks/{task_id}/undo-rollback", {
      params: { path: { task_id } },
      body: { rollback_id, merge, exact },
      headers: once(),
    }),
  );

export const bringBack = (task_id: string, { kind, name, then }: Moved) =>
  body(
    http.POST("/api/tasks/{task_id}/bring-back", {
      params: { path: { task_id } },
      body: { kind, name, then },
      headers: once(),
    }),
  );

/** `accept` names what the person lets a commit run of the repository's own. */
export const commit = (
  project_id: string,
  message: string,
  paths: string[] | null,
  task_id: string,
  accept: string[],
) =>
  body(
    http.POST("/api/projects/{project_id}/commit", {
      params: { path: { project_id } },
      body: { message, paths, task_id, accept },
      headers: once(),
    }),
  );

/** `merge` names the merge that the person has seen and confirmed. */
export const applyProposal = ({ task_id, attempt }: Asking, merge: string | null) =>
  body(
    http.POST("/api/tasks/{task_id}/apply", {
      params: { path: { task_id } },
      body: { merge, attempt },
      headers: once(),
    }),
  );

export const discardProposal = ({ task_id, attempt }: Asking) =>
  body(
    http.POST("/api/tasks/{task_id}/discard", { params: { path: { task_id } }, body: { attempt }, headers: once() }),
  );

/** About a task that a guard holds. `amount` only for a budget; without it as much again. */
export const decide = ({ task_id, attempt }: Asking, choice: GuardChoice, amount: number | null) =>
  body(
    http.POST("/api/tasks/{task_id}/decision", {
      params: { path: { task_id } },
      body: { choice, amount, attempt },
      headers: once(),
    }),
  );

export const editChecks = (project_id: string, checks: CheckInput[] | null) =>
  body(
    http.PUT("/api/projects/{project_id}/commands", {
      params: { path: { project_id } },
      body: { checks },
      headers: once(),
    }),
  );

export const saveAgentYaml = (project_id: string, text: string, seen: string | null) =>
  body(
    http.POST("/api/projects/{project_id}/commands/save", {
      params: { path: { project_id } },
      body: { text, seen },
      headers: once(),
    }),
  );

export const cleanUp = (project_id: string) =>
  body(http.POST("/api/projects/{project_id}/clean-up", { params: { path: { project_id } }, headers: once() }));

export const chooseProjectAgent = (project_id: string, agent: string | null) =>
  body(
    http.PATCH("/api/projects/{project_id}", { params: { path: { project_id } }, body: { agent }, headers: once() }),
  );

export const changeSettings = (patch: SettingsPatch) =>
  body(http.PATCH("/api/settings", { body: patch, headers: once() }));

export const checkAgents = (name: string | null) =>
  body(http.POST("/api/agents/check", { body: { name }, headers: once() }));

export const addProject = (path: string) => body(http.POST("/api/projects", { body: { path }, headers: once() }));

export const archiveSession = (project_id: string, slug: string, archived: boolean) =>
  body(
    http.PATCH("/api/sessions/{project_id}/{slug}", {
      params: { path: { project_id, slug } },
      body: { archived },
      headers: once(),
    }),
  );

export const renameSession = (project_id: string, slug: string, title: string) =>
  body(
    http.PATCH("/api/sessions/{project_id}/{slug}", {
      params: { path: { project_id, slug } },
      body: { title },
      headers: once(),
    }),
  );

export const setSessionBudget = (
  project_id: string,
  slug: string,
  limits: { usd: number | null; minutes: number | null; tokens: number | null },
) =>
  body(
    http.PATCH("/api/sessions/{project_id}/{slug}", {
      params: { path: { project_id, slug } },
      body: { budget_usd: limits.usd, budget_minutes: limits.minutes, budget_tokens: limits.tokens },
      headers: once(),
    }),
  );

export const deleteSession = (project_id: string, slug: string) =>
  body(
    http.POST("/api/sessions/{project_id}/{slug}/delete", { params: { path: { project_id, slug } }, headers: once() }),
  );

export const revokeGrant = (project_id: string, slug: string, grant_id: string) =>
  body(
    http.POST("/api/sessions/{project_id}/{slug}/grants/{grant_id}/revoke", {
      params: { path: { project_id, slug, grant_id } },
      headers: once(),
    }),
  );

/* A doubt is accepted with the card in sight: it is not kept for later. */

export const acceptDoubt = ({ task_id, attempt }: Asking, doubt_id: string, reason: string) =>
  body(
    http.POST("/api/tasks/{task_id}/doubts/{doubt_id}/accept", {
      params: { path: { task_id, doubt_id } },
      body: { reason, attempt },
      headers: once(),
    }),
  );

export const acceptChecks = (project_id: string, reason: string, seen: string) =>
  body(
    http.POST("/api/projects/{project_id}/commands/accept", {
      params: { path: { project_id } },
      body: { reason, seen },
      headers: once(),
    }),
  );

/* The runner is asked with its state in sight: nothing of this is kept for later either. */

export const runRunner = () => body(http.POST("/api/runner/run", { headers: once() }));

export const stopRunner = () => body(http.POST("/api/runner/stop", { headers: once() }));

export const buildProject = (project_id: string | null) =>
  body(http.POST("/api/runner/build", { body: { project_id }, headers: once() }));

export const restartRunner = () => body(http.POST("/api/runner/restart", { headers: once() }));

export const cancelOperation = () => body(http.POST("/api/runner/cancel", { headers: once() }));

export const dismissNotice = (notice_id: string) =>
  body(http.POST("/api/notices/{notice_id}/dismiss", { params: { path: { notice_id } }, headers: once() }));

export function saveNotifications(chosen: NotificationsInput) {
  return body(http.PUT("/api/notifications", { body: chosen }));
}

/** Sends something through one channel now; the answer holds the channel's own error. */
export function tryNotification(channel: string) {
  return body(http.POST("/api/notifications/test", { body: { channel } }));
}
