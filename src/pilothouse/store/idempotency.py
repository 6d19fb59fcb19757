"""Answers remembered by `Idempotency-Key`, so that a repeated request is answered and not done again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from pilothouse.store.rows import build, columns, values
from pilothouse.store.tables import idempotency
from pilothouse.store.writer import Tx

KEPT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Remembered:
    key: str
    scope: str
    body_hash: str
    status: int
    response: str
    at: datetime


def find(c: Connection, key: str, scope: str, now: datetime | None = None) -> Remembered | None:
    """With `now`, one that is over its time is not found; without, it stays until a `remember` clears it away."""
    query = select(*columns(idempotency, Remembered)).where(idempotency.c.key == key, idempotency.c.scope == scope)
    row = c.execute(query).first()
    found = build(Remembered, row) if row else None
    return None if found and now and now - found.at > KEPT else found


def remember(tx: Tx, key: str, scope: str, body_hash: str, status: int, response: str) -> None:
    """Two at once: the second raises `IntegrityError` and its job is undone."""
    tx.conn.execute(delete(idempotency).where(idempotency.c.at < tx.now - KEPT))
    tx.conn.execute(insert(idempotency).values(values(Remembered(key, scope, body_hash, status, response, tx.now))))
