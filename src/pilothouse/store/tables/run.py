"""The tables of verification runs, and of the reports written when none of them passed."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
)

from pilothouse.domain.task.checks import CheckOutcome, RunPurpose, RunResult
from pilothouse.domain.task.scope import Scope
from pilothouse.domain.task.stuck import StuckRun
from pilothouse.store.tables.columns import Document, Id, Instant, Prose, Sentence, Word, metadata

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
    Column("scope", Document(Scope), nullable=False, server_default="{}"),
    Column("reason", Sentence, nullable=False, server_default=""),
)
