import type { Event } from "@/api/types";
import { later } from "./fixtures";

const about = (seq: number) => ({ seq, at: later(seq), session_id: "s1", task_id: "t1" });

/** Of an event that is about no session. */
export const ofTheServer = (seq: number) => ({ seq, at: later(seq), session_id: null, task_id: null });

export const events = {
  milestone: (seq: number, text: string): Event => ({
    ...about(seq),
    type: "task.milestone",
    data: { attempt: 1, code: "edit", text, current: 3, total: 12 },
  }),
  awaiting: (seq: number, attempt = 1): Event => ({
    ...about(seq),
    type: "task.awaiting",
    data: { attempt, awaiting: "question", reason: "It asks", holds_workspace: false },
  }),
  asked: (seq: number, text: string): Event => ({
    ...about(seq),
    type: "question.asked",
    data: {
      sessionId: "s1",
      questionId: "q1",
      kind: "single_choice",
      text,
      options: [{ value: "A", label: "Flat", recommended: true }],
      required: true,
      header: "",
    },
  }),
  attemptFinished: (seq: number, outcome: string): Event => ({
    ...about(seq),
    type: "attempt.finished",
    data: { attempt: 1, outcome, duration_ms: 1 },
  }),
  completed: (seq: number): Event => ({
    ...about(seq),
    type: "task.completed",
    data: { attempt: 1, verdict: "PASS", summary: "Done", files_changed: 2, insertions: 5, deletions: 1, doubts: 0 },
  }),
  failed: (seq: number): Event => ({
    ...about(seq),
    type: "task.failed",
    data: { attempt: 1, error_kind: "agent", message: "It broke" },
  }),
  cancelled: (seq: number): Event => ({
    ...about(seq),
    type: "task.cancelled",
    data: { attempt: 1, old_status: "RUNNING", holds: false },
  }),
  replied: (seq: number, replayed = false): Event => ({
    ...about(seq),
    type: "task.replied",
    data: { attempt: 1, reply: "A", question: "Which?", replayed },
  }),
  resumed: (seq: number): Event => ({ ...about(seq), type: "task.resumed", data: { attempt: 1, mode: "rollback" } }),
  toolStarted: (seq: number, id = "x"): Event => ({
    ...about(seq),
    type: "step.tool_started",
    data: { step_id: "st", attempt: 1, tool_id: id, name: "run", detail: "pytest" },
  }),
  toolFinished: (seq: number, ok = true): Event => ({
    ...about(seq),
    type: "step.tool_finished",
    data: {
      step_id: "st",
      attempt: 1,
      tool_id: "x",
      name: "run",
      detail: "pytest",
      ok,
      exit_code: ok ? 0 : 1,
      duration_ms: 5,
    },
  }),
  rolledBack: (seq: number): Event => ({
    ...about(seq),
    type: "task.rolled_back",
    data: {
      rollback_id: "r1",
      checkpoint: "c",
      undo: "u",
      files: 1,
      insertions: 1,
      deletions: 0,
      replay: false,
      other_branches: [],
    },
  }),
  undone: (seq: number): Event => ({
    ...about(seq),
    type: "task.rollback_undone",
    data: { rollback_id: "r1", checkpoint: "c" },
  }),
  held: (seq: number): Event => ({
    ...about(seq),
    task_id: null,
    type: "workspace.held",
    data: { workspace_id: "w1", reason: "wait" },
  }),
  released: (seq: number): Event => ({
    ...about(seq),
    task_id: null,
    type: "workspace.released",
    data: { workspace_id: "w1" },
  }),
  renamed: (seq: number): Event => ({
    ...about(seq),
    task_id: null,
    type: "session.changed",
    data: { title: "Better", status: null, archived: null, deleted: null, budget: null },
  }),
  attemptStarted: (seq: number): Event => ({
    ...about(seq),
    type: "attempt.started",
    data: { attempt: 2, mode: "reply", checkpoint: null },
  }),
  stepStarted: (seq: number): Event => ({
    ...about(seq),
    type: "step.started",
    data: { step_id: "st", attempt: 1, number: 1, kind: "edit", name: "" },
  }),
  stepFinished: (seq: number, outcome: string): Event => ({
    ...about(seq),
    type: "step.finished",
    data: {
      step_id: "st",
      attempt: 1,
      number: 1,
      kind: "edit",
      outcome,
      name: "",
      detail: "",
      run_id: null,
      duration_ms: 5,
      files_changed: 0,
      insertions: 0,
      deletions: 0,
      cost_usd: 0,
    },
  }),
};
