import { useConnection } from "@/api/connection";
import { useLive } from "@/events/live";
import { EMPTY } from "@/events/state";
import { useLogin } from "@/api/client";
import { useOutbox } from "@/api/outbox";
import type { Task } from "@/api/types";
import { agents, AT, project, queue, resumeOptions, runner, session, settings, state, step, task } from "./fixtures";
import { FakeServer } from "./server";

/** Sockets the page has opened, with the means to speak as the server. */
export class FakeSocket {
  static opened: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: string[] = [];
  constructor() {
    FakeSocket.opened.push(this);
    queueMicrotask(() => this.onopen?.());
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.onclose?.();
  }
  static say(...items: unknown[]) {
    FakeSocket.opened.at(-1)?.onmessage?.({ data: JSON.stringify(items) });
  }
}

const PATCH = `diff --git a/fees.py b/fees.py
--- a/fees.py
+++ b/fees.py
@@ -1,2 +1,2 @@
-return 5
+return 6
 # end
`;

const STEP = step({
  prompt: "[Task] Fix the fee",
  detail: "Wrote fees.py",
  output_to: 12,
  files_changed: 1,
  insertions: 1,
  deletions: 1,
});

/** A server with one project, one session and the tasks given; everything the screens read. */
export function world(tasks: Task[] = [task()]): FakeServer {
  useLive.setState({ ...EMPTY });
  useConnection.setState({ connection: "connecting" });
  useLogin.setState({ login: "unknown" });
  useOutbox.setState({ waiting: [] });
  FakeSocket.opened = [];
  Object.defineProperty(globalThis, "WebSocket", { configurable: true, writable: true, value: FakeSocket });
  const stat = {
    files: [{ path: "fees.py", old_path: null, status: "modified", insertions: 1, deletions: 1, binary: false }],
    files_changed: 1,
    insertions: 1,
    deletions: 1,
  };
  const server = new FakeServer()
    .on("GET /api/state", () => state)
    .on("GET /api/agents", () => ({ items: agents }))
    .on("GET /api/settings", () => settings)
    .on("GET /api/runner", () => runner)
    .on("GET /api/notifications", () => ({
      kinds: [],
      browser: true,
      desktop: false,
      desktop_status: { available: false, why_not: "", last: null },
      channels: [],
      quiet_from: null,
      quiet_until: null,
      batch_seconds: 5,
    }))
    .on("POST /api/runner/stop", () => ({ ...runner, state: "stopped" }))
    .on("GET /api/projects", () => ({ items: [project()] }))
    .on("GET /api/queues", () => ({ items: [queue] }))
    .on("GET /api/sessions", () => ({ items: [session()], next_cursor: null, counts: { needs_you: 2, running: 1 } }))
    .on("POST /api/sessions", () => ({ ...session(), task: tasks[0] ?? null }))
    .on("GET /api/sessions/p1/fix", () => session())
    .on("PATCH /api/sessions/p1/fix", () => session({ title: "New name" }))
    .on("GET /api/sessions/p1/fix/tasks", () => ({ items: tasks, next_cursor: null }))
    .on("POST /api/sessions/p1/fix/messages", () => task({ task_id: "t9" }))
    .on("POST /api/workspaces/w1/hold", () => ({ ...queue, held: true }));
  for (const each of tasks) {
    const at = `/api/tasks/${each.task_id}`;
    server
      .on(`GET ${at}`, () => each)
      .on(`GET ${at}/events`, () => ({ items: [], next_since: 0, more: false }))
      .on(`GET ${at}/steps`, () => ({
        items: [
          {
            number: 1,
            mode: "first",
            started_at: AT,
            finished_at: AT,
            outcome: "done",
            output_bytes: 12,
            steps: [STEP],
          },
        ],
      }))
      .on(`GET ${at}/diff`, () => ({ stat, patch: PATCH, truncated: false }))
      .on(`GET ${at}/output`, () => ({
        task_id: each.task_id,
        attempt: 1,
        offset: 0,
        text: "hello\nworld\n",
        next_offset: 12,
        total: 12,
        live: false,
      }))
      .on(`GET ${at}/rollback-preview`, () => ({
        ...stat,
        commits: ["abc"],
        branch_then: "main",
        branch_now: "main",
        lost: [],
        how: "restore",
        merge: null,
        merged: false,
        clashes: [],
        patch: "",
        truncated: false,
        moved: [],
      }))
      .on(`GET ${at}/resume-options`, () => resumeOptions)
      .on(`POST ${at}/cancel`, () => ({
        success: true,
        task_id: each.task_id,
        old_status: each.status,
        new_status: each.attempt === 0 ? null : "CANCELLED",
        prompt: each.prompt,
        constraints: each.constraints,
        non_goals: each.non_goals,
        boundaries: each.boundaries,
      }))
      .on(`POST ${at}/rollback`, () => ({
        success: true,
        rollback_id: "r1",
        took_away: stat,
        other_branches: [],
        lost: [],
      }))
      .on(`POST ${at}/undo-rollback`, () => ({
        success: true,
        rollback_id: "r1",
        took_away: stat,
        other_branches: [],
        lost: [],
      }));
  }
  return server
    .on("GET /api/projects/p1/status", () => ({
      branch: "main",
      files: [
        { path: "fees.py", old_path: null, status: "modified", staged: false, by_task: true },
        { path: "x.py", old_path: null, status: "untracked", staged: false, by_task: false },
      ],
      busy: null,
    }))
    .on("POST /api/projects/p1/commit", () => ({ success: true, commit: "abcdef0123456789", files: 1 }));
}
