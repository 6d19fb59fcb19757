"""The tables of what an agent and a person say to each other while a task is under way."""

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

from pilothouse.domain.event.talk import Option
from pilothouse.domain.talk.steering import SteerState
from pilothouse.store.tables.columns import Document, Id, Instant, Prose, Word, metadata

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

grants = Table(
    "grants",
    metadata,
    Column("id", Id, primary_key=True),
    Column("session_id", Id, ForeignKey("sessions.id"), nullable=False, index=True),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False),
    Column("name", Prose, nullable=False),
    Column("tool", Prose, nullable=False),
    Column("detail", Prose, nullable=False),
    Column("granted_at", Instant, nullable=False),
    Column("revoked_at", Instant),
)

steering = Table(
    "steering",
    metadata,
    Column("id", Id, primary_key=True),
    Column("session_id", Id, ForeignKey("sessions.id"), nullable=False),
    Column("task_id", Id, ForeignKey("tasks.id"), nullable=False),
    Column("text", Prose, nullable=False),
    Column("sent_at", Instant, nullable=False),
    Column("state", Word(SteerState), nullable=False, index=True),
    Column("number", Integer, nullable=False),
    Column("step_id", Id),
    Column("in_prompt", Boolean, nullable=False),
    Column("settled_at", Instant),
    Index("uq_steering_number", "task_id", "number", unique=True),
)
