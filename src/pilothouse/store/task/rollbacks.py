"""Rollbacks, and whether they were finished or undone."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import allow, build_all, build_first, columns, values
from pilothouse.store.session.workspaces import next_place
from pilothouse.store.tables.task import rollbacks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(rollbacks, Rollback)
_FIXED = frozenset({"id", "task_id", "workspace_id", "checkpoint", "undo", "turn", "finished_at"})
_ROWS = select(*_COLUMNS)
_IN_ORDER = _ROWS.order_by(rollbacks.c.turn)
_UNFINISHED = _IN_ORDER.where(rollbacks.c.finished_at.is_(None), rollbacks.c.undone_at.is_(None))


def add(tx: Tx, rollback: Rollback) -> Rollback:
    """Gives the row its turn. A request that is repeated after a crash finds it by its key."""
    rollback = replace(rollback, turn=next_place(tx, rollback.workspace_id))
    tx.conn.execute(insert(rollbacks).values(values(rollback)))
    tx.begin(rollback.id)
    return rollback


def get(c: Connection, id: str) -> Rollback | None:
    return build_first(Rollback, c.execute(_ROWS.where(rollbacks.c.id == id)))


def newest_undoable(c: Connection, task_id: str) -> Rollback | None:
    """The rollback that Undo would undo. What an undo itself set aside is found by its id only."""
    t = rollbacks.c
    query = _ROWS.where(t.task_id == task_id, t.kind == "rollback", t.undone_at.is_(None))
    return build_first(Rollback, c.execute(query.order_by(t.turn.desc()).limit(1)))


def last_of_workspace(c: Connection, workspace_id: str, limit: int) -> list[Rollback]:
    """What was taken away there, newest first; not what a killed server never came to take away."""
    t = rollbacks.c
    query = _ROWS.where(t.workspace_id == workspace_id, t.kind == "rollback", t.finished_at.is_not(None))
    return build_all(Rollback, c.execute(query.order_by(t.turn.desc()).limit(limit)))


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


def finish(tx: Tx, id: str, **found: object) -> None:
    """`found`: what it turned out to take away, and what it left."""
    allow(Rollback, found, _FIXED)
    tx.conn.execute(update(rollbacks).where(rollbacks.c.id == id).values(finished_at=tx.now, **found))


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
