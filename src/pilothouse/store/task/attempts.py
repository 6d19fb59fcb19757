"""Attempts: each execution of a task."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam, insert, select

from pilothouse.domain.task.task import Attempt, AttemptMode, Purpose, Task
from pilothouse.errors import NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import allow, build, build_all, columns, values
from pilothouse.store.tables.task import attempts, tasks
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(attempts, Attempt)
_ROWS = select(*_COLUMNS)
_OF_TASK = attempts.c.task_id == bindparam("of_task")
_ALL_OF_TASK = _ROWS.where(_OF_TASK).order_by(attempts.c.number)
_THIS = _OF_TASK & (attempts.c.number == bindparam("this_number"))
_ONE = _ROWS.where(_THIS)
_INSERT = insert(attempts)
_UPDATE = sa.update(attempts).where(_THIS).returning(*_COLUMNS)
_FIXED = frozenset({"task_id", "number"})


def start(tx: Tx, attempt: Attempt) -> Attempt:
    tx.conn.execute(_INSERT, values(attempt))
    return attempt


def finish(tx: Tx, task_id: str, number: int, *, outcome: str, **changes: Any) -> Attempt:
    return update(tx, task_id, number, **{"finished_at": tx.now, "outcome": outcome, **changes})


def update(tx: Tx, task_id: str, number: int, **changes: Any) -> Attempt:
    allow(Attempt, changes, _FIXED)
    row = tx.conn.execute(_UPDATE, {"of_task": task_id, "this_number": number, **changes}).first()
    if row is None:
        raise NotFound(say("attempt.unknown", number=str(number)))
    return build(Attempt, row)


def get(c: Connection, task_id: str, number: int) -> Attempt | None:
    row = c.execute(_ONE, {"of_task": task_id, "this_number": number}).first()
    return build(Attempt, row) if row else None


def of_task(c: Connection, task_id: str) -> list[Attempt]:
    return build_all(Attempt, c.execute(_ALL_OF_TASK, {"of_task": task_id}))


def last_begun(c: Connection, task_id: str) -> Attempt | None:
    """The newest that tells of the tree: one that was to go on from it, and failed before its checkpoint, does not, so
    that what was saved of the one before still holds. One that was found cut off has a state saved, or does not count
    with those before it."""
    keeping = (AttemptMode.SOFT, AttemptMode.REPLY)
    found = (a for a in reversed(of_task(c, task_id)) if a.checkpoint or a.patch_sha256 or a.mode not in keeping)
    return next(found, None)


def in_workspace(c: Connection, task: Task) -> list[Attempt]:
    """Those that worked in the workspace itself: a dry run works in a scratch until it is applied."""
    done = of_task(c, task.id)
    if not task.options.dry_run:
        return done
    applied = [attempt.number for attempt in done if attempt.mode is AttemptMode.APPLY]
    return [attempt for attempt in done if applied and attempt.number >= applied[0]]


def newest_in(c: Connection, task_id: str, modes: Collection[AttemptMode]) -> int:
    """The newest attempt of one of these modes; the first where there is none."""
    return max((attempt.number for attempt in of_task(c, task_id) if attempt.mode in modes), default=1)


def unfinished(c: Connection, host: str) -> list[str]:
    """Tasks on that host with an attempt that has not ended, in the order they began."""
    query = select(attempts.c.task_id).join(tasks, tasks.c.id == attempts.c.task_id)
    query = query.where(attempts.c.finished_at.is_(None), tasks.c.workspace_id.in_(workspaces_on(host)))
    return list(c.execute(query.order_by(attempts.c.started_at)).scalars())


def others_since(c: Connection, task: Task) -> list[str]:
    """Tasks that have worked in the workspace since this one last did before the present attempt, newest first.

    An attempt that ended before it had a base did nothing there.
    """
    before = select(attempts.c.started_at).where(
        attempts.c.task_id == task.id, attempts.c.number < task.attempt, attempts.c.base.is_not(None)
    )
    last = c.execute(before.order_by(attempts.c.number.desc()).limit(1)).scalar()
    if last is None:
        return []
    others = select(attempts.c.task_id, tasks.c.options).join(tasks, tasks.c.id == attempts.c.task_id)
    others = others.where(
        tasks.c.workspace_id == task.workspace_id,
        tasks.c.id != task.id,
        tasks.c.purpose != Purpose.ASK,
        attempts.c.started_at > last,
    )
    rows = c.execute(others.order_by(attempts.c.started_at.desc())).all()
    return [row.task_id for row in rows if not row.options.dry_run or _is_applied(c, row.task_id)]


def _is_applied(c: Connection, task_id: str) -> bool:
    """Whether a dry run's proposal went into the workspace: before that it leaves nothing there."""
    return any(attempt.mode is AttemptMode.APPLY for attempt in of_task(c, task_id))
