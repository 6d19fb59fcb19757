"""The tables of what the guards remember, and of the tasks they hold."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    String,
    Table,
)

from pilothouse.domain.guard.breaker import Breaker
from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.guard.exit_signals import ExitSignals
from pilothouse.store.tables.columns import Document, Id, Instant, Sentence, metadata

session_guards = Table(
    "session_guards",
    metadata,
    Column("session_id", Id, ForeignKey("sessions.id"), primary_key=True),
    Column("breaker", Document(Breaker), nullable=False),
    Column("signals", Document(ExitSignals), nullable=False),
    Column("unlimited", Boolean, nullable=False),
    Column("budget", Document(Budget), nullable=False),
)

holds = Table(
    "holds",
    metadata,
    Column("task_id", Id, ForeignKey("tasks.id"), primary_key=True),
    Column("session_id", Id, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("message", Sentence, nullable=False),
    Column("at", Instant, nullable=False),
    Column("until", Instant),
    Column("waiting", Boolean, nullable=False),
    Column("scope", String(40), nullable=False),
    Column("spent", Float),
    Column("limit", Float),
    Index("ix_holds_waiting_until", "waiting", "until"),
)
