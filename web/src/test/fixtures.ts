import type { Agent, Project, Queue, ResumeOptions, Runner, Session, Settings, State, Task } from "@/api/types";

export const AT = "2026-01-02T10:00:00Z";

export const later = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1000).toISOString();

export const NO_USAGE: Task["usage"] = {
  spawns: 0,
  cost_usd: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_share: null,
  warnings: [],
  models: [],
  context: null,
};

export function task(changes: Partial<Task> = {}): Task {
  return {
    task_id: "t1",
    session_id: "s1",
    project_id: "p1",
    session_slug: "fix",
    workspace_id: "w1",
    status: "RUNNING",
    awaiting: null,
    verdict: null,
    error_kind: null,
    error_message: null,
    prompt: "Fix the fee",
    constraints: ["no new packages"],
    non_goals: [],
    boundaries: [],
    agent: "rehearsal",
    model: null,
    effort: null,
    timeout_profile: "standard",
    dry_run: false,
    auto_fix: false,
    scouts: null,
    from_stuck: null,
    package: null,
    loop: { total: 0, of: 12, replans: 0 },
    run_id: null,
    checklist: [],
    doubts: [],
    output: "",
    summary: "",
    offer: "",
    question: null,
    options: [],
    form: [],
    plan: null,
    permission: null,
    permission_mode: "edits",
    decisions: [],
    steering: [],
    notes: [],
    milestone: "",
    attempt: 1,
    reply_history: [],
    position: null,
    waits_for: null,
    holds_workspace: false,
    actions: ["cancel"],
    newest_of_workspace: true,
    rollback_id: null,
    rolled_back: false,
    limit: null,
    budget: null,
    breaker: null,
    choices: [],
    budgets: { usd: null, tokens: null, minutes: null },
    files_changed: 0,
    insertions: 0,
    deletions: 0,
    cost_usd: 0,
    usage: NO_USAGE,
    committed: null,
    worked_ms: 0,
    working_since: AT,
    submitted_at: AT,
    started_at: AT,
    finished_at: null,
    updated_at: AT,
    ...changes,
  };
}

export function session(changes: Partial<Session> = {}): Session {
  return {
    id: "s1",
    project_id: "p1",
    project_path: "/code/harbour",
    project_name: "harbour",
    workspace_id: "w1",
    slug: "fix",
    kind: "chat",
    title: "Fix the fee",
    status: "active",
    agent: null,
    archived: false,
    deleted: false,
    created_at: AT,
    updated_at: AT,
    group: "running",
    current_task_id: "t1",
    task_status: "RUNNING",
    awaiting: null,
    verdict: null,
    doubts: 0,
    doing: "Making changes",
    tasks: 1,
    cost_usd: 0.02,
    usage: null,
    budgets: null,
    spent: null,
    ...changes,
  };
}

export function project(changes: Partial<Project> = {}): Project {
  return {
    id: "p1",
    path: "/code/harbour",
    name: "harbour",
    agent: "rehearsal",
    sample: true,
    added_at: AT,
    workspace: { id: "w1", path: "/code/harbour", held: false, held_reason: "" },
    sessions: 1,
    branch: "main",
    problem: null,
    suggestions: [{ title: "Fix a failing test", prompt: "Please fix it" }],
    ...changes,
  };
}

export const runner: Runner = {
  state: "running",
  boot_id: "b1",
  version: "0.1.0",
  started_at: AT,
  uptime_seconds: 5,
  running: 1,
  queued: 0,
  pid: 4711,
  since: AT,
  stop_wait_seconds: 30,
  tasks: [
    {
      task_id: "t1",
      session_slug: "fix",
      session_title: "Fix the fee",
      project_id: "p1",
      milestone: "Making changes",
      started_at: AT,
    },
  ],
  operation: null,
  awake: { state: "idle", method: "", why_not: "" },
  build_problem: null,
};

const NO_WISH = { agent: null, model: null, effort: null };

export function agent(changes: Partial<Agent> = {}): Agent {
  return {
    name: "rehearsal",
    label: "Rehearsal",
    installed: true,
    ready: true,
    version: "1",
    problem: "",
    fix: "",
    program: "",
    credentials: null,
    models: [],
    efforts: [],
    capabilities: [],
    custom: false,
    checked_at: AT,
    last_error: null,
    ...changes,
  };
}

export const agents: Agent[] = [
  agent(),
  agent({
    name: "claude",
    label: "Claude Code",
    installed: false,
    ready: false,
    version: null,
    problem: "It is not installed.",
    fix: "npm install -g it",
    credentials: false,
  }),
];

export const settings: Settings = {
  preferences: {
    agents: {
      default: null,
      roles: { editor: NO_WISH, scout: NO_WISH, small: NO_WISH },
      custom: [],
      env: [],
      tools: [],
    },
    confinement: { mode: "off", writable: [] },
    warm: { processes: 1, idle_minutes: 10 },
    budgets: {
      task_usd: null,
      session_usd: null,
      task_minutes: null,
      session_minutes: null,
      task_tokens: null,
      session_tokens: null,
    },
  },
  unreadable: [],
  confinement: { mode: "off", active: false, fixed_by: null, available: true, problem: "", fix: "" },
  environment: [{ name: "PORT", description: "Port of the web server.", value: "3333", default: "3333", given: false }],
};

export const state: State = { version: "0.1.0", seq: 10, runner, agents, notices: [], lan: false };

export const resumeOptions: ResumeOptions = {
  happened: "The server stopped while it ran.",
  default: "rollback",
  why: "the tree is half changed",
  soft_available: false,
  soft_problem: "the step log is missing",
  replies: 1,
  saved: [
    { name: "patch", saved: true, detail: "2 files" },
    { name: "step_log", saved: false, detail: "" },
  ],
  takes_away: {
    files: [{ path: "fees.py", old_path: null, status: "modified", insertions: 4, deletions: 2, binary: false }],
    files_changed: 1,
    insertions: 4,
    deletions: 2,
    commits: [],
    branch_then: "main",
    branch_now: "main",
  },
};

export const queue: Queue = {
  workspace_id: "w1",
  project_id: "p1",
  path: "/code/harbour",
  held: false,
  held_reason: "",
  ways_out: [],
  holder: null,
  running: {
    task_id: "t1",
    session_id: "s1",
    session_slug: "fix",
    session_title: "Fix the fee",
    prompt: "Fix the fee",
    agent: "rehearsal",
    status: "RUNNING",
    awaiting: null,
    position: 0,
    waits_for: "",
    submitted_at: AT,
  },
  items: [
    {
      task_id: "t2",
      session_id: "s1",
      session_slug: "fix",
      session_title: "Fix the fee",
      prompt: "Then this",
      agent: "rehearsal",
      status: "QUEUED",
      awaiting: null,
      position: 1,
      waits_for: "the task that runs",
      submitted_at: AT,
    },
  ],
};
