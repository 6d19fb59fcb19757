"""Messages sent to tasks while they run."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam, func, insert, select

from pilothouse.domain.talk.steering import SteerMessage, SteerState
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build, build_all, columns, values
from pilothouse.store.tables.talk import steering
from pilothouse.store.tables.task import tasks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(steering, SteerMessage)
_ROWS = select(*_COLUMNS)
_OF_TASK = _ROWS.where(steering.c.task_id == bindparam("of_task")).order_by(steering.c.number)
_IN_STATE = _OF_TASK.where(steering.c.state.in_(bindparam("states", expanding=True)))
_SETTLED = (SteerState.DELIVERED, SteerState.TAKEN_BACK, SteerState.RETURNED)


def add(tx: Tx, message: SteerMessage) -> SteerMessage:
    """Gives `number`; whatever the caller put there is overwritten."""
    last = select(func.coalesce(func.max(steering.c.number), 0)).where(steering.c.task_id == message.task_id)
    number = tx.conn.execute(last).scalar_one() + 1
    written = {**values(message), "number": number}
    row = tx.conn.execute(insert(steering).values(written).returning(*_COLUMNS)).one()
    return build(SteerMessage, row)


def require(c: Connection, task_id: str, message_id: str) -> SteerMessage:
    query = _ROWS.where(steering.c.id == message_id, steering.c.task_id == task_id)
    row = c.execute(query).first()
    if row is None:
        raise NotFound(say("steering.unknown"))
    return build(SteerMessage, row)


def of_task(c: Connection, task_id: str, *states: SteerState) -> list[SteerMessage]:
    """In the order they were sent; all of them without `states`."""
    if not states:
        return build_all(SteerMessage, c.execute(_OF_TASK, {"of_task": task_id}))
    return build_all(SteerMessage, c.execute(_IN_STATE, {"of_task": task_id, "states": states}))


def handed(c: Connection, host: str) -> list[SteerMessage]:
    """Given to the run of a task on that host, which has not said that it has them."""
    query = _ROWS.join(tasks, tasks.c.id == steering.c.task_id)
    query = query.where(steering.c.state == SteerState.HANDED, tasks.c.workspace_id.in_(workspaces_on(host)))
    return build_all(SteerMessage, c.execute(query.order_by(steering.c.task_id, steering.c.number)))


def move(
    tx: Tx, message_id: str, sources: Collection[SteerState], target: SteerState, **changes: Any
) -> SteerMessage | None:
    """The message in its new state; None where it is in none of `sources` any more."""
    settled = tx.now if target in _SETTLED else None
    query = sa.update(steering).where(steering.c.id == message_id, steering.c.state.in_(list(sources)))
    row = tx.conn.execute(
        query.values(**{"state": target, "settled_at": settled, **changes}).returning(*_COLUMNS)
    ).first()
    return build(SteerMessage, row) if row else None


def require_move(tx: Tx, message_id: str, sources: Collection[SteerState], target: SteerState) -> SteerMessage:
    moved = move(tx, message_id, sources, target)
    if moved is None:
        raise Conflict(say("steering.settled"))
    return moved
