"""The first tables. Columns carry the names of the dataclass fields; the rest is what queries need and says so."""

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
    MetaData,
    String,
    Table,
    Text,
    text,
)

from pilothouse.domain.event.talk import Option
from pilothouse.domain.operations import OperationKind, OperationOutcome, PhaseRun
from pilothouse.domain.session.session import SessionKind, SessionStatus, WorkspaceKind
from pilothouse.domain.talk.permissions import AgentNote, AskedPermission, Decided
from pilothouse.domain.task.checklist import ChecklistItem
from pilothouse.domain.task.checks import Check, CheckOutcome, RunPurpose, RunResult
from pilothouse.domain.task.contexts import ContextKind
from pilothouse.domain.task.doubts import Finding
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.stuck import StuckRun
from pilothouse.domain.task.task import (
    AttemptMode,
    Awaiting,
    ErrorKind,
    Proposal,
    Purpose,
    Reply,
    ResumeMode,
    RunnerMark,
    Scope,
    StepKind,
    TaskOptions,
    TaskStatus,
    Verdict,
)
from pilothouse.store.tables.columns import Document, Instant, Prose, Sentence, Word
from pilothouse.words.fields import Words

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
Id = String(64)

projects = Table(
    "projects",
    metadata,
    Column("id", Id, primary_key=True),
    Column("path", Prose, nullable=False),
    Column("name", Prose, nullable=False),
    Column("added_at", Instant, nullable=False),
    Column("agent", String(100)),
    Column("sample", Boolean, nullable=False),
    Column("checks", Document(tuple[Check, ...])),
)

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id"), nullable=False, index=True),
    Column("path", Prose, nullable=False),
    Column("held", Boolean, nullable=False),
    Column("held_reason", Sentence, nullable=False),
    Column("held_at", Instant),
    Column("places", BigInteger, nullable=False, server_default="0"),  # the last place in the queue given away
    Column("kind", Word(WorkspaceKind), nullable=False, server_default="directory"),
    Column("host", Id, nullable=False, server_default=""),  # empty until `hosts.take_over`: of a version without hosts
    Column("branch", Prose),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id"), nullable=False),
    Column("workspace_id", Id, ForeignKey("workspaces.id"), nullable=False),
    Column("slug", String(60), nullable=False),
    Column("kind", Word(SessionKind), nullable=False),
    Column("title", Prose, nullable=False),
    Column("agent", String(100)),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("status", Word(SessionStatus), nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("base_branch", Prose),
    Column("base_commit", String(64)),
    Column("checkpoint", String(64)),
    # What the list shows of the session's tasks, kept up to date with them in the same transaction.
    Column("search", Prose, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("current_task_id", Id),
    Column("task_status", Word(TaskStatus)),
    Column("awaiting", Word(Awaiting)),
    Column("verdict", Word(Verdict)),
    Column("doing", Sentence, nullable=False, server_default=""),
    Column("tasks", Integer, nullable=False, server_default="0"),
    Column("cost_usd", Float, nullable=False, server_default="0"),
    Index("uq_sessions_slug", "project_id", "slug", unique=True),
    # With `search`, so that a search reads this index and not the rows.
    Index("ix_sessions_activity", "deleted", "archived", "rank", "updated_at", "id", "search"),
    Index("ix_sessions_created", "deleted", "archived", "rank", "created_at", "id"),
    Index("ix_sessions_workspace_id", "workspace_id"),
)

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
    Column("findings", Document(tuple[Finding, ...]), nullable=False, server_default="[]"),
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
    Column("claimed_at", Instant),  # of the newest attempt: whose changes are on top in the workspace
    Index("ix_tasks_queue", "workspace_id", "status", "holds_workspace", "place"),
    Index("ix_tasks_session", "session_id", "place"),
    Index("ix_tasks_session_status", "session_id", "status", "place"),
    Index("ix_tasks_status", "status", "workspace_id"),
    Index("ix_tasks_newest", "workspace_id", "claimed_at"),
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
)

questions = Table(
    "questions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("session_id", Id, ForeignKey("sessions.id"), nullable=False, index=True),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False, index=True),
    Column("attempt", Integer, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("text", Prose, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("options", Document(tuple[Option, ...]), nullable=False),
    Column("answer", Prose),
    Column("answered_at", Instant),
    Column("replayed", Boolean, nullable=False),
    Column("header", Prose, nullable=False, server_default=""),
    Column("number", Integer, nullable=False, server_default="0"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("step_id", Id, nullable=False),
    Column("purpose", Word(RunPurpose), nullable=False),
    Column("loop", Integer, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("finished_at", Instant, nullable=False),
    Column("result", Word(RunResult), nullable=False),
    Column("commit", String(64)),
    Column("tree", String(64), nullable=False),
    Column("checks", Document(tuple[CheckOutcome, ...]), nullable=False),
    Column("first_failing_line", Sentence, nullable=False),
    Column("tail", Prose, nullable=False),
    Column("log_path", Prose, nullable=False),
    Column("kept", Boolean, nullable=False),
    Index("ix_runs_task", "task_id", "started_at"),
    Index("ix_runs_age", "kept", "started_at"),
)

stuck_reports = Table(
    "stuck_reports",
    metadata,
    Column("task_id", Id, ForeignKey("tasks.id"), primary_key=True),
    Column("attempt", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("request", Prose, nullable=False),
    Column("hypotheses", Document(tuple[str, ...]), nullable=False),
    Column("account", Prose, nullable=False),
    Column("runs", Document(tuple[StuckRun, ...]), nullable=False),
    Column("files", Document(tuple[str, ...]), nullable=False),
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

operations = Table(
    "operations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", Word(OperationKind), nullable=False),
    Column("boot_id", Id, nullable=False),
    Column("started_at", Instant, nullable=False, index=True),
    Column("project_id", Id, ForeignKey("projects.id")),
    Column("phases", Document(tuple[PhaseRun, ...]), nullable=False),
    Column("finished_at", Instant),
    Column("outcome", Word(OperationOutcome)),
    Column("cause", Sentence, nullable=False),
    Column("host", Id, nullable=False, server_default=""),
)

events = Table(
    "events",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("at", String(27), nullable=False),  # as hashed
    Column("session_id", Id),
    Column("task_id", Id),
    Column("type", String(60), nullable=False),
    Column("data", Text, nullable=False),  # as hashed
    Column("prev_hash", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Index("ix_events_session_id", "session_id", "seq"),
    Index("ix_events_task_id", "task_id", "seq"),
)

event_head = Table(
    "event_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("key", String(255), primary_key=True),
    Column("scope", String(255), primary_key=True),
    Column("body_hash", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("response", Text, nullable=False),
    Column("at", Instant, nullable=False, index=True),
)

notices = Table(
    "notices",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(60), nullable=False),
    Column("message", Sentence, nullable=False),
    Column("details", Document(tuple[Words, ...]), nullable=False),
    Column("at", Instant, nullable=False),
    Column("dismissed_at", Instant, index=True),
)
