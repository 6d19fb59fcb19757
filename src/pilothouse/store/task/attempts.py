"""Attempts: one row for each time a task was run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, insert, select

from pilothouse.domain.task.task import Attempt, AttemptMode, Purpose, Task
from pilothouse.errors import NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import allow, build_all, build_first, columns, values
from pilothouse.store.tables.task import attempts, tasks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(attempts, Attempt)
_ROWS = select(*_COLUMNS)
_FIXED = frozenset({"task_id", "number"})


def start(tx: Tx, attempt: Attempt) -> Attempt:
    """It has the turn of its task's claim."""
    claimed = tx.conn.execute(select(tasks.c.turn).where(tasks.c.id == attempt.task_id)).scalar()
    attempt = replace(attempt, turn=claimed or 0)
    tx.conn.execute(insert(attempts).values(values(attempt)))
    return attempt


def finish(tx: Tx, task_id: str, number: int, *, outcome: str, **changes: Any) -> Attempt:
    return update(tx, task_id, number, **{"finished_at": tx.now, "outcome": outcome, **changes})


def update(tx: Tx, task_id: str, number: int, **changes: Any) -> Attempt:
    allow(Attempt, changes, _FIXED)
    query = sa.update(attempts).where(_is(task_id, number)).values(changes).returning(*_COLUMNS)
    if (changed := build_first(Attempt, tx.conn.execute(query))) is None:
        raise NotFound(say("attempt.unknown", number=str(number)))
    return changed


def get(c: Connection, task_id: str, number: int) -> Attempt | None:
    return build_first(Attempt, c.execute(_ROWS.where(_is(task_id, number))))


def of_task(c: Connection, task_id: str) -> list[Attempt]:
    return build_all(Attempt, c.execute(_ROWS.where(attempts.c.task_id == task_id).order_by(attempts.c.number)))


def last_begun(c: Connection, task_id: str) -> Attempt | None:
    """The newest attempt that says something about the tree.

    An attempt that was to go on with the tree and failed before its checkpoint says nothing: what was saved of the
    attempt before it still holds. One that was cut off counts once its state was saved.
    """
    keeping = (AttemptMode.SOFT, AttemptMode.REPLY)
    found = (a for a in reversed(of_task(c, task_id)) if a.checkpoint or a.patch_sha256 or a.mode not in keeping)
    return next(found, None)


def in_workspace(c: Connection, task: Task) -> list[Attempt]:
    """The attempts that worked in the workspace itself. A proposal is made in a scratch, until it is applied."""
    if task.purpose is Purpose.PROPOSE:
        return []
    done = of_task(c, task.id)
    applied = min((attempt.number for attempt in done if attempt.mode is AttemptMode.APPLY), default=1)
    return [attempt for attempt in done if attempt.number >= applied]


def newest_in(c: Connection, task_id: str, modes: Collection[AttemptMode]) -> int:
    """Number of the newest attempt in one of these modes; 1 if there is none."""
    return max((attempt.number for attempt in of_task(c, task_id) if attempt.mode in modes), default=1)


def unfinished(c: Connection, host: str) -> list[str]:
    """Tasks on that host with an attempt that has not ended, in the order they began."""
    query = select(attempts.c.task_id).join(tasks, tasks.c.id == attempts.c.task_id)
    query = query.where(attempts.c.finished_at.is_(None), tasks.c.workspace_id.in_(workspaces_on(host)))
    return list(c.execute(query.order_by(attempts.c.started_at)).scalars())


def others_since(c: Connection, task: Task) -> list[str]:
    """Ids of other tasks that had the workspace since this one last worked there, newest first.

    An attempt without a base ended before it did anything there, or is about to begin.
    """
    before = select(attempts.c.turn).where(attempts.c.task_id == task.id, attempts.c.base.is_not(None))
    last = c.execute(before.order_by(attempts.c.number.desc()).limit(1)).scalar()
    if last is None:
        return []
    others = select(attempts.c.task_id).join(tasks, tasks.c.id == attempts.c.task_id)
    others = others.where(
        tasks.c.workspace_id == task.workspace_id,
        tasks.c.id != task.id,
        tasks.c.purpose == Purpose.CHANGE,
        attempts.c.turn > last,
    )
    return list(c.execute(others.order_by(attempts.c.turn.desc())).scalars())


def _is(task_id: str, number: int) -> ColumnElement[bool]:
    return (attempts.c.task_id == task_id) & (attempts.c.number == number)
