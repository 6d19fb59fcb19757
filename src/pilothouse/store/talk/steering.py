"""Messages that a person sends to a task while it runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, func, insert, select

from pilothouse.domain.talk.steering import SteerMessage, SteerState
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build, build_all, build_first, columns, values
from pilothouse.store.tables.talk import steering
from pilothouse.store.tables.task import tasks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(steering, SteerMessage)
_ROWS = select(*_COLUMNS)
_SETTLED = (SteerState.DELIVERED, SteerState.TAKEN_BACK, SteerState.RETURNED)


def add(tx: Tx, message: SteerMessage) -> SteerMessage:
    """Numbers the message itself; the caller's `number` does not count."""
    last = select(func.max(steering.c.number)).where(steering.c.task_id == message.task_id)
    numbered = replace(message, number=(tx.conn.execute(last).scalar() or 0) + 1)
    row = tx.conn.execute(insert(steering).values(values(numbered)).returning(*_COLUMNS)).one()
    return build(SteerMessage, row)


def require(c: Connection, task_id: str, message_id: str) -> SteerMessage:
    query = _ROWS.where(steering.c.id == message_id, steering.c.task_id == task_id)
    if (found := build_first(SteerMessage, c.execute(query))) is None:
        raise NotFound(say("steering.unknown"))
    return found


def of_task(c: Connection, task_id: str, *states: SteerState) -> list[SteerMessage]:
    """In the order they were sent. Without `states`, all of them."""
    query = _ROWS.where(steering.c.task_id == task_id).order_by(steering.c.number)
    return build_all(SteerMessage, c.execute(query.where(steering.c.state.in_(states)) if states else query))


def handed(c: Connection, host: str) -> list[SteerMessage]:
    """Messages handed to a run on this host and not acknowledged."""
    query = _ROWS.join(tasks, tasks.c.id == steering.c.task_id)
    query = query.where(steering.c.state == SteerState.HANDED, tasks.c.workspace_id.in_(workspaces_on(host)))
    return build_all(SteerMessage, c.execute(query.order_by(steering.c.task_id, steering.c.number)))


def move(
    tx: Tx, message_id: str, sources: Collection[SteerState], target: SteerState, **changes: Any
) -> SteerMessage | None:
    """Returns the message in its new state; None if it is no longer in one of `sources`."""
    settled = tx.now if target in _SETTLED else None
    query = sa.update(steering).where(steering.c.id == message_id, steering.c.state.in_(list(sources)))
    query = query.values({"state": target, "settled_at": settled, **changes})
    return build_first(SteerMessage, tx.conn.execute(query.returning(*_COLUMNS)))


def require_move(tx: Tx, message_id: str, sources: Collection[SteerState], target: SteerState) -> SteerMessage:
    moved = move(tx, message_id, sources, target)
    if moved is None:
        raise Conflict(say("steering.settled"))
    return moved
