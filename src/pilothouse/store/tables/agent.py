"""The tables of what agents used, and how they failed last."""

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

from pilothouse.domain.agent.instructions import InstructionsFile
from pilothouse.domain.task.task import (
    ErrorKind,
)
from pilothouse.store.tables.columns import Document, Id, Instant, Prose, Sentence, Word, metadata

spawns = Table(
    "spawns",
    metadata,
    Column("step_id", Id, ForeignKey("steps.id"), primary_key=True),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False),
    Column("session_id", Id, ForeignKey("sessions.id"), nullable=False),
    Column("project_id", Id, ForeignKey("projects.id"), nullable=False),
    Column("agent", String(100), nullable=False),
    Column("role", String(100), nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("slot", Integer, nullable=False),  # which quarter of an hour it began in, for sums by day
    Column("requested_model", Prose),
    Column("model", Prose, nullable=False),
    Column("models", Document(tuple[str, ...]), nullable=False),
    Column("model_differs", Boolean, nullable=False),
    Column("cost_usd", Float, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cache_read_tokens", BigInteger, nullable=False),
    Column("cache_write_tokens", BigInteger, nullable=False),
    Column("context_tokens", BigInteger, nullable=False),
    Column("context_window", BigInteger, nullable=False),
    Column("agent_session", Prose),
    Column("ended_at", Instant),
    Column("outcome", String(40)),
    Column("instructions", Document(tuple[InstructionsFile, ...]), nullable=False),
    Index("ix_spawns_task", "task_id", "started_at"),
    Index("ix_spawns_session", "session_id", "started_at"),
    # With everything that is summed up or by, so that sums read this index and not the rows.
    Index(
        *("ix_spawns_sums", "slot", "project_id", "agent", "model", "cost_usd", "input_tokens", "output_tokens"),
        *("cache_read_tokens", "cache_write_tokens", "session_id", "task_id"),
    ),
)

agent_errors = Table(
    "agent_errors",
    metadata,
    Column("agent", String(100), primary_key=True),
    Column("at", Instant, nullable=False),
    Column("message", Sentence, nullable=False),
    Column("kind", Word(ErrorKind)),
)
