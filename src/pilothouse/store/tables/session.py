"""The tables of sessions, and of the projects and workspaces they belong to."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
)

from pilothouse.domain.session.session import SessionKind, SessionStatus, WorkspaceKind
from pilothouse.domain.task.checks import Check
from pilothouse.domain.task.pins import PinnedFile
from pilothouse.domain.task.task import (
    Awaiting,
    TaskStatus,
    Verdict,
)
from pilothouse.store.tables.columns import Document, Id, Instant, Prose, Sentence, Word, metadata

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
    Column("programs", Document(tuple[str, ...])),
)

pins = Table(
    "pins",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id"), primary_key=True),
    Column("at", Instant, nullable=False),
    Column("reason", Prose, nullable=False),
    Column("checks", Document(tuple[Check, ...]), nullable=False),
    Column("package", Prose),
    Column("files", Document(tuple[PinnedFile, ...]), nullable=False),
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
    Column("places", BigInteger, nullable=False, server_default="0"),  # the last one given away
    Column("kind", Word(WorkspaceKind), nullable=False, server_default="directory"),
    Column("host", Id, nullable=False, server_default=""),  # empty until `hosts.take_over`: of a version without hosts
    Column("branch", Prose),
    Index("uq_workspaces_path", "host", "path", unique=True),  # two over one tree would have two queues
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
    Column("doubts", Integer, nullable=False, server_default="0"),
    Column("doing", Sentence, nullable=False, server_default=""),
    Column("tasks", Integer, nullable=False, server_default="0"),
    Column("cost_usd", Float, nullable=False, server_default="0"),
    Index("uq_sessions_slug", "project_id", "slug", unique=True),
    # With `search`, so that a search reads this index and not the rows.
    Index("ix_sessions_activity", "deleted", "archived", "rank", "updated_at", "id", "search"),
    Index("ix_sessions_created", "deleted", "archived", "rank", "created_at", "id"),
    Index("ix_sessions_workspace_id", "workspace_id"),
)
