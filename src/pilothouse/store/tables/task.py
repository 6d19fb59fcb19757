"""The tables of tasks, their attempts and steps, and what these leave behind."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    text,
)

from pilothouse.domain.talk.permissions import AgentNote, AskedPermission, Decided
from pilothouse.domain.task.checks import Check
from pilothouse.domain.task.contexts import ContextKind
from pilothouse.domain.task.doubts import Doubt
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.scope import Scope
from pilothouse.domain.task.task import (
    AttemptMode,
    Awaiting,
    ChecklistItem,
    ErrorKind,
    Proposal,
    Purpose,
    Reply,
    ResumeMode,
    RunnerMark,
    StepKind,
    TaskOptions,
    TaskStatus,
    Verdict,
)
from pilothouse.store.tables.columns import Document, Id, Instant, Prose, Sentence, Word, metadata

tasks = Table(
    "tasks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("session_id", Id, ForeignKey("sessions.id"), nullable=False),
    Column("project_id", Id, ForeignKey("projects.id"), nullable=False),
    Column("workspace_id", Id, ForeignKey("workspaces.id"), nullable=False),
    Column("prompt", Prose, nullable=False),
    Column("agent", String(100), nullable=False),
    Column("submitted_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("place", BigInteger, nullable=False),
    Column("scope", Document(Scope), nullable=False),
    Column("options", Document(TaskOptions), nullable=False),
    Column("status", Word(TaskStatus), nullable=False),
    Column("awaiting", Word(Awaiting)),
    Column("verdict", Word(Verdict)),
    Column("error_kind", Word(ErrorKind)),
    Column("error_message", Sentence),
    Column("output", Prose, nullable=False),
    Column("summary", Sentence, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("resume_mode", Word(ResumeMode)),
    Column("pending_reply", Prose),
    Column("replies", Document(tuple[Reply, ...]), nullable=False),
    Column("question", Sentence),
    Column("agent_session", Prose),
    Column("runner", Document(RunnerMark)),
    Column("holds_workspace", Boolean, nullable=False),
    Column("milestone", Sentence, nullable=False),
    Column("files_changed", Integer, nullable=False),
    Column("insertions", Integer, nullable=False),
    Column("deletions", Integer, nullable=False),
    Column("cost_usd", Float, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Column("package", Prose),
    Column("checks", Document(tuple[Check, ...])),
    Column("loop", Document(LoopState), nullable=False, server_default="{}"),
    Column("run_id", Id),
    Column("findings", Document(tuple[Doubt, ...]), nullable=False, server_default="[]", key="doubts"),
    Column("proposal", Document(Proposal)),
    Column("checklist", Document(tuple[ChecklistItem, ...]), nullable=False, server_default="[]"),
    Column("permission", Document(AskedPermission)),
    Column("plan", Prose),
    Column("pending_decision", Document(Decided)),
    Column("pending_answers", Document(dict[str, str]), nullable=False, server_default="{}"),
    Column("decisions", Document(tuple[Decided, ...]), nullable=False, server_default="[]"),
    Column("notes", Document(tuple[AgentNote, ...]), nullable=False, server_default="[]"),
    Column("purpose", Word(Purpose), nullable=False, server_default="change"),
    Column("answer_schema", Document(dict[str, object])),
    Column("answer", Document(dict[str, object])),
    Column("repository", Sentence),
    Column("offer", Prose, nullable=False, server_default=""),
    Column("turn", BigInteger),  # of the newest attempt: whose changes are on top in the workspace
    Index("ix_tasks_queue", "workspace_id", "status", "holds_workspace", "place"),
    Index("ix_tasks_session", "session_id", "place"),
    Index("ix_tasks_session_status", "session_id", "status", "place"),
    Index("ix_tasks_status", "status", "workspace_id"),
    Index("ix_tasks_newest", "workspace_id", "turn"),
    # The schema itself keeps a second task from running in a workspace. The migration has the same condition for
    # PostgreSQL; said here, it would import that dialect at every start.
    Index("uq_tasks_one_running", "workspace_id", unique=True, sqlite_where=text("status = 'RUNNING'")),
)

attempts = Table(
    "attempts",
    metadata,
    Column("task_id", Id, ForeignKey("tasks.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("mode", Word(AttemptMode), nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("checkpoint", String(64)),
    Column("base", String(64)),
    Column("finished_at", Instant),
    Column("outcome", String(40)),
    Column("patch_sha256", String(64)),
    Column("step_log_sha256", String(64)),
    Column("failures_sha256", String(64)),
    Column("turn", BigInteger, nullable=False, server_default="0"),
)

steps = Table(
    "steps",
    metadata,
    Column("id", Id, primary_key=True),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", Word(StepKind), nullable=False),
    Column("prompt", Prose, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("outcome", String(40)),
    Column("detail", Sentence, nullable=False),
    Column("exit_code", Integer),
    Column("checkpoint", String(64)),
    Column("log_path", Prose),
    Column("output_from", BigInteger, nullable=False),
    Column("output_to", BigInteger, nullable=False),
    Column("files_changed", Integer, nullable=False),
    Column("insertions", Integer, nullable=False),
    Column("deletions", Integer, nullable=False),
    Column("cost_usd", Float, nullable=False),
    Column("name", String(100), nullable=False, server_default=""),
    Column("answer", Sentence, nullable=False, server_default=""),
    Column("run_id", Id),
    Index("uq_steps_number", "task_id", "attempt", "number", unique=True),
)

output = Table(
    "output",
    metadata,
    Column("task_id", Id, ForeignKey("tasks.id"), primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("start", BigInteger, primary_key=True, autoincrement=False),  # byte offset within the attempt's output
    Column("size", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),  # UTF-8; whole characters only
)

rollbacks = Table(
    "rollbacks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False, index=True),
    Column("workspace_id", Id, ForeignKey("workspaces.id"), nullable=False),
    Column("checkpoint", String(64), nullable=False),
    Column("undo", String(255), nullable=False),
    Column("at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("kind", String(16), nullable=False),
    Column("replay", Boolean, nullable=False),
    Column("files", Integer, nullable=False),
    Column("insertions", Integer, nullable=False),
    Column("deletions", Integer, nullable=False),
    Column("undone_at", Instant),
    Column("problem", Sentence),
    Column("turn", BigInteger, nullable=False, server_default="0"),
    Column("undoes", Id),
    Column("base", String(64)),
    Column("merge", String(64)),
    Column("left", String(64)),
    Column("branches", Document(tuple[str, ...]), nullable=False, server_default="[]"),
    Index("ix_rollbacks_turn", "workspace_id", "turn"),
)

contexts = Table(
    "contexts",
    metadata,
    Column("session_id", Id, ForeignKey("sessions.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("kind", Word(ContextKind), nullable=False),
    Column("at", Instant, nullable=False),
    Column("text", Prose, nullable=False),
)
