"""Answers remembered by `Idempotency-Key`, so that a repeated request is answered and not done again.

A key is placed in the very transaction that does what was asked. A crash before the answer could be recorded then
leaves a key without an answer: the repeated request is told that it was done, and is not done again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from pilothouse.store.rows import build, columns, values
from pilothouse.store.tables.runner import idempotency
from pilothouse.store.writer import Tx

T = TypeVar("T")
KEPT = timedelta(hours=24)
UNANSWERED = 0


@dataclass(frozen=True, slots=True)
class Remembered:
    key: str
    scope: str
    body_hash: str
    status: int
    """HTTP status of the answer, or UNANSWERED."""
    response: str
    at: datetime


@dataclass(slots=True)
class Mark:
    """The key of the request at hand, until it has been placed."""

    key: str
    scope: str
    body_hash: str
    placed: bool = False
    acting: bool = False

    def around(self, job: Callable[[Tx], T]) -> Callable[[Tx], T]:
        """`job`, with the key placed beside the first thing it does that must not be done twice."""

        def marked(tx: Tx) -> T:
            result = job(tx)
            self.acting = tx.acted
            if self.acting:
                remember(tx, self.key, self.scope, self.body_hash, UNANSWERED, "")
            return result

        return marked


current: ContextVar[Mark | None] = ContextVar("idempotency", default=None)
_THIS = (idempotency.c.key == bindparam("of_key")) & (idempotency.c.scope == bindparam("of_scope"))
_FIND = select(*columns(idempotency, Remembered)).where(_THIS)
_FORGET = delete(idempotency).where(idempotency.c.at < bindparam("before"))
_INSERT = insert(idempotency)
_ANSWER = update(idempotency).where(_THIS)


def find(c: Connection, key: str, scope: str, now: datetime | None = None) -> Remembered | None:
    """With `now`, one that is over its time is not found; without, it stays until a `remember` clears it away."""
    row = c.execute(_FIND, {"of_key": key, "of_scope": scope}).first()
    found = build(Remembered, row) if row else None
    return None if found and now and now - found.at > KEPT else found


def remember(tx: Tx, key: str, scope: str, body_hash: str, status: int, response: str) -> None:
    """Two at once: the second raises `IntegrityError` and its job is undone."""
    tx.conn.execute(_FORGET, {"before": tx.now - KEPT})
    tx.conn.execute(_INSERT, values(Remembered(key, scope, body_hash, status, response, tx.now)))


def answer(tx: Tx, mark: Mark, status: int, response: str) -> None:
    """Record the answer of a request, whether its key was placed before or not."""
    here = {"of_key": mark.key, "of_scope": mark.scope}
    if tx.conn.execute(_ANSWER, {**here, "status": status, "response": response}).rowcount == 0:
        remember(tx, mark.key, mark.scope, mark.body_hash, status, response)
