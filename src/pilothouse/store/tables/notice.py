"""The tables of what a person is told outside a conversation."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    String,
    Table,
    Text,
)

from pilothouse.store.tables.columns import Document, Id, Instant, Sentence, metadata
from pilothouse.words.fields import Words

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

notifications = Table(
    "notifications",
    metadata,
    Column("key", String(255), primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("session_id", Id),
    Column("task_id", Id),
    Column("title", Sentence, nullable=False),
    Column("body", Sentence, nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Column("sent_at", Instant),
)

notification_state = Table(
    "notification_state",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("settings", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),  # the last event that was looked at
)
