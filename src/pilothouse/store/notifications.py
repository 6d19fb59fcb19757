"""Notifications outside the page: which were sent, so that none is sent twice, and the person's settings for them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import Connection, delete, insert, select, update

from pilothouse.domain.event.log import Event
from pilothouse.domain.notifications import WATCHED, Notification, NotificationSettings
from pilothouse.store import events as log
from pilothouse.store.rows import build_all, columns, values
from pilothouse.store.tables.notice import notification_state, notifications
from pilothouse.store.writer import Tx

_SHAPE = TypeAdapter(NotificationSettings)
_ROW = 1


def settings(c: Connection) -> NotificationSettings:
    kept = c.execute(select(notification_state.c.settings).where(notification_state.c.id == _ROW)).scalar()
    return _SHAPE.validate_json(kept) if kept else NotificationSettings()


def save(tx: Tx, chosen: NotificationSettings) -> None:
    begin(tx)
    text = _SHAPE.dump_json(chosen).decode()
    tx.conn.execute(update(notification_state).where(notification_state.c.id == _ROW).values(settings=text))


def begin(tx: Tx) -> None:
    """Makes a first start skip the events before it."""
    if _seq(tx.conn) is None:
        text = _SHAPE.dump_json(NotificationSettings()).decode()
        row = {"id": _ROW, "settings": text, "seq": log.head(tx.conn)[0]}
        tx.conn.execute(insert(notification_state).values(row))


def unseen(c: Connection) -> tuple[list[Event], int]:
    """Events of interest since the last look, and the number of the newest event."""
    seq, head = _seq(c) or 0, log.head(c)[0]
    # A restored backup ends earlier than what was looked at.
    return log.of_types(c, WATCHED, min(seq, head)), head


def seen(tx: Tx, seq: int) -> None:
    tx.conn.execute(update(notification_state).where(notification_state.c.id == _ROW).values(seq=seq))


def add(tx: Tx, notification: Notification) -> bool:
    """Returns False if it is known already."""
    if tx.conn.execute(select(notifications.c.key).where(notifications.c.key == notification.key)).first():
        return False
    tx.conn.execute(insert(notifications).values(values(notification)))
    return True


def due(c: Connection) -> list[Notification]:
    query = select(*columns(notifications, Notification)).where(notifications.c.sent_at.is_(None))
    return build_all(Notification, c.execute(query.order_by(notifications.c.at, notifications.c.key)))


def sent(tx: Tx, keys: Iterable[str]) -> None:
    tx.conn.execute(update(notifications).where(notifications.c.key.in_(list(keys))).values(sent_at=tx.now))


def forget(tx: Tx, before: datetime) -> None:
    tx.conn.execute(delete(notifications).where(notifications.c.at < before))


def _seq(c: Connection) -> int | None:
    return c.execute(select(notification_state.c.seq).where(notification_state.c.id == _ROW)).scalar()
