"""Rollbacks, and whether they were finished or undone."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.task import rollbacks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(rollbacks, Rollback)
_ROWS = select(*_COLUMNS)
_IN_ORDER = _ROWS.order_by(rollbacks.c.at, rollbacks.c.id)
_UNFINISHED = _IN_ORDER.where(rollbacks.c.finished_at.is_(None), rollbacks.c.undone_at.is_(None))


def add(tx: Tx, rollback: Rollback) -> Rollback:
    tx.conn.execute(insert(rollbacks).values(values(rollback)))
    return rollback


def get(c: Connection, id: str) -> Rollback | None:
    return build_first(Rollback, c.execute(_ROWS.where(rollbacks.c.id == id)))


def newest_undoable(c: Connection, task_id: str) -> Rollback | None:
    """The rollback that Undo would undo. What an undo itself set aside is found by its id only."""
    t = rollbacks.c
    query = _ROWS.where(t.task_id == task_id, t.kind == "rollback", t.undone_at.is_(None))
    return build_first(Rollback, c.execute(query.order_by(t.at.desc(), t.id.desc()).limit(1)))


def of_task(c: Connection, task_id: str) -> list[Rollback]:
    return build_all(Rollback, c.execute(_IN_ORDER.where(rollbacks.c.task_id == task_id)))


def unfinished(c: Connection, host: str) -> list[Rollback]:
    """Rollbacks that a crash of that host cut short, oldest first."""
    return build_all(Rollback, c.execute(_UNFINISHED.where(rollbacks.c.workspace_id.in_(workspaces_on(host)))))


def unfinished_of_task(c: Connection, task_id: str) -> list[Rollback]:
    return build_all(Rollback, c.execute(_UNFINISHED.where(rollbacks.c.task_id == task_id)))


def unfinished_of_workspace(c: Connection, workspace_id: str) -> Rollback | None:
    """The rollback here that a crash cut short. Until it is finished or undone, the tree is half old and half new."""
    query = _UNFINISHED.where(rollbacks.c.workspace_id == workspace_id).limit(1)
    return build_first(Rollback, c.execute(query))


def finish(tx: Tx, id: str, files: int, insertions: int, deletions: int) -> None:
    figures = {"files": files, "insertions": insertions, "deletions": deletions}
    tx.conn.execute(update(rollbacks).where(rollbacks.c.id == id).values(finished_at=tx.now, **figures))


def tell_problem(tx: Tx, id: str, problem: str) -> None:
    tx.conn.execute(update(rollbacks).where(rollbacks.c.id == id).values(problem=problem))


def mark_undone(tx: Tx, id: str) -> Rollback:
    query = update(rollbacks).where(rollbacks.c.id == id, rollbacks.c.undone_at.is_(None)).values(undone_at=tx.now)
    undone = build_first(Rollback, tx.conn.execute(query.returning(*_COLUMNS)))
    if undone:
        return undone
    if get(tx.conn, id) is None:
        raise NotFound(say("rollback.unknown"))
    raise Conflict(say("rollback.undone"))
