"""Messages about the installation itself, each shown until the person dismisses it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, insert, select, update

from pilothouse.errors import NotFound
from pilothouse.store.rows import build_all, columns, values
from pilothouse.store.tables.notice import notices
from pilothouse.store.writer import Tx
from pilothouse.words import say


@dataclass(frozen=True, slots=True)
class Notice:
    id: str
    code: str
    message: str
    details: tuple[str, ...]
    at: datetime
    dismissed_at: datetime | None = None


def add(tx: Tx, code: str, message: str, details: Iterable[str]) -> Notice:
    """Returns the one that is already open, if it says the same."""
    for notice in open(tx.conn):
        if (notice.code, notice.message) == (code, message):
            return notice
    notice = Notice(uuid4().hex, code, message, tuple(details), tx.now)
    tx.conn.execute(insert(notices).values(values(notice)))
    return notice


def open(c: Connection) -> list[Notice]:
    query = select(*columns(notices, Notice)).where(notices.c.dismissed_at.is_(None))
    return build_all(Notice, c.execute(query.order_by(notices.c.at, notices.c.id)))


def dismiss(tx: Tx, id: str) -> None:
    done = tx.conn.execute(update(notices).where(notices.c.id == id).values(dismissed_at=tx.now))
    if not done.rowcount:
        raise NotFound(say("notice.unknown"))
