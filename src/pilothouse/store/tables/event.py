"""The tables of the log."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from pilothouse.store.tables.columns import Id, metadata

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
