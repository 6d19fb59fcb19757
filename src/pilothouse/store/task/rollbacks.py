"""Rollbacks, each of which can be undone."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, insert, select, update

from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build, build_all, columns, values
from pilothouse.store.tables.task import rollbacks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(rollbacks, Rollback)
_ROWS = select(*_COLUMNS)
_OF_TASK = rollbacks.c.task_id == bindparam("of_task")
_UNDOABLE = (
    _ROWS.where(_OF_TASK, rollbacks.c.kind == "rollback", rollbacks.c.undone_at.is_(None))
    .order_by(rollbacks.c.at.desc(), rollbacks.c.id.desc())
    .limit(1)
)
_UNFINISHED = _ROWS.where(rollbacks.c.finished_at.is_(None), rollbacks.c.undone_at.is_(None)).order_by(
    rollbacks.c.at, rollbacks.c.id
)
_UNFINISHED_OF_TASK = _UNFINISHED.where(_OF_TASK)
_UNFINISHED_OF_WORKSPACE = _UNFINISHED.where(rollbacks.c.workspace_id == bindparam("of_workspace")).limit(1)


def add(tx: Tx, rollback: Rollback) -> Rollback:
    tx.conn.execute(insert(rollbacks).values(values(rollback)))
    return rollback


def get(c: Connection, id: str) -> Rollback | None:
    row = c.execute(_ROWS.where(rollbacks.c.id == id)).first()
    return build(Rollback, row) if row else None


def newest_undoable(c: Connection, task_id: str) -> Rollback | None:
    """What Undo would bring back; what an undo itself set aside is reached by its id only."""
    row = c.execute(_UNDOABLE, {"of_task": task_id}).first()
    return build(Rollback, row) if row else None


def of_task(c: Connection, task_id: str) -> list[Rollback]:
    query = _ROWS.where(rollbacks.c.task_id == task_id)
    return build_all(Rollback, c.execute(query.order_by(rollbacks.c.at, rollbacks.c.id)))


def unfinished(c: Connection, host: str) -> list[Rollback]:
    """What a crash of that host cut short, oldest first."""
    query = _UNFINISHED.where(rollbacks.c.workspace_id.in_(workspaces_on(host)))
    return build_all(Rollback, c.execute(query))


def unfinished_of_task(c: Connection, task_id: str) -> list[Rollback]:
    return build_all(Rollback, c.execute(_UNFINISHED_OF_TASK, {"of_task": task_id}))


def unfinished_of_workspace(c: Connection, workspace_id: str) -> Rollback | None:
    """A restore that a crash cut short: until it is finished or undone, the tree is half of each."""
    row = c.execute(_UNFINISHED_OF_WORKSPACE, {"of_workspace": workspace_id}).first()
    return build(Rollback, row) if row else None


def finish(tx: Tx, id: str, files: int, insertions: int, deletions: int) -> None:
    figures = {"files": files, "insertions": insertions, "deletions": deletions}
    tx.conn.execute(update(rollbacks).where(rollbacks.c.id == id).values(finished_at=tx.now, **figures))


def mark_undone(tx: Tx, id: str) -> Rollback:
    query = update(rollbacks).where(rollbacks.c.id == id, rollbacks.c.undone_at.is_(None)).values(undone_at=tx.now)
    row = tx.conn.execute(query.returning(*_COLUMNS)).first()
    if row is not None:
        return build(Rollback, row)
    if get(tx.conn, id) is None:
        raise NotFound(say("rollback.unknown"))
    raise Conflict(say("rollback.undone"))
