"""The tables of the runner itself: its operations, the preferences, and the answers it remembers."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
)

from pilothouse.domain.operations import OperationKind, OperationOutcome, PhaseRun
from pilothouse.store.tables.columns import Document, Id, Instant, Sentence, Word, metadata

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

preferences = Table(
    "preferences",
    metadata,
    Column("section", String(60), primary_key=True),
    Column("body", Text, nullable=False),
    Column("updated_at", Instant, nullable=False),
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
