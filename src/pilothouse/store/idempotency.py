"""Answers remembered by `Idempotency-Key`, so that a repeated request is answered and not done again.

A key is placed in the very transaction that does what was asked. A crash before the answer could be recorded then
leaves a key without an answer: the repeated request is told that it was done, and is not done again. What is done
after the commit that announced it (`Tx.begin`) is named beside the key: the repeated request finishes or reports that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from pilothouse.store.rows import build_first, columns, values
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
    """The answer; before that, what was begun, if that goes on after its commit."""
    at: datetime


@dataclass(slots=True)
class Mark:
    """The key of the request under way."""

    key: str
    scope: str
    body_hash: str
    placed: bool = False
    acting: bool = False
    begun: str = ""
    """What an earlier life of the server began for this very request, and did not answer."""

    def around(self, job: Callable[[Tx], T]) -> Callable[[Tx], T]:
        """Wraps `job`: if it does something that must not be done twice, the key is stored in the same transaction."""

        def marked(tx: Tx) -> T:
            result = job(tx)
            self.acting = tx.acted
            if self.acting and self.begun:
                answer(tx, self, UNANSWERED, tx.begun)
            elif self.acting:
                remember(tx, self.key, self.scope, self.body_hash, UNANSWERED, tx.begun)
            return result

        return marked


current: ContextVar[Mark | None] = ContextVar("idempotency", default=None)


def begun() -> str:
    """What an earlier life of the server began for the present request; empty for one that is new."""
    mark = current.get()
    return mark.begun if mark else ""


def find(c: Connection, key: str, scope: str) -> Remembered | None:
    """Any that was not cleared away, which happens when the next one is remembered."""
    return build_first(Remembered, c.execute(select(*columns(idempotency, Remembered)).where(_is(key, scope))))


def remember(tx: Tx, key: str, scope: str, body_hash: str, status: int, response: str) -> None:
    """Of two at once the second raises `IntegrityError`, and its job is undone."""
    tx.conn.execute(delete(idempotency).where(idempotency.c.at < tx.now - KEPT))
    remembered = Remembered(key, scope, body_hash, status, response, tx.now)
    tx.conn.execute(insert(idempotency).values(values(remembered)))


def answer(tx: Tx, mark: Mark, status: int, response: str) -> None:
    """Stores the answer of a request, whether or not its key was stored before."""
    query = update(idempotency).where(_is(mark.key, mark.scope)).values(status=status, response=response)
    if tx.conn.execute(query).rowcount == 0:
        remember(tx, mark.key, mark.scope, mark.body_hash, status, response)


def _is(key: str, scope: str) -> ColumnElement[bool]:
    return (idempotency.c.key == key) & (idempotency.c.scope == scope)
