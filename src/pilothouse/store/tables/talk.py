"""The tables of a conversation while a task is at it: what was allowed, and what was said meanwhile."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table

from pilothouse.domain.talk.steering import SteerState
from pilothouse.store.tables.columns import Instant, Prose, Word
from pilothouse.store.tables.task import Id, metadata

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
