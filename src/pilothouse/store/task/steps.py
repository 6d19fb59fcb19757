"""The steps of an attempt. Each is written before it runs and again after it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from pilothouse.domain.task.task import Step
from pilothouse.errors import NotFound
from pilothouse.store.rows import allow, build_all, build_first, columns, values
from pilothouse.store.tables.task import steps
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(steps, Step)
_ROWS = select(*_COLUMNS)
_THIS = steps.c.id == bindparam("of_step")
_BY_ID = _ROWS.where(_THIS)
_INSERT = insert(steps)
_UPDATE = update(steps).where(_THIS).returning(*_COLUMNS)
_FIXED = frozenset({"id", "task_id", "attempt", "number"})


def start(tx: Tx, step: Step) -> Step:
    tx.conn.execute(_INSERT, values(step))
    return step


def finish(tx: Tx, step_id: str, **changes: Any) -> Step:
    allow(Step, changes, _FIXED)
    written = {"of_step": step_id, "finished_at": tx.now, **changes}
    if (finished := build_first(Step, tx.conn.execute(_UPDATE, written))) is None:
        raise NotFound(say("step.unknown"))
    return finished


def amend(tx: Tx, step_id: str, **changes: Any) -> None:
    """Changes a step that goes on."""
    allow(Step, changes, _FIXED)
    tx.conn.execute(_UPDATE, {"of_step": step_id, **changes})


def get(c: Connection, step_id: str) -> Step | None:
    return build_first(Step, c.execute(_BY_ID, {"of_step": step_id}))


def of_task(c: Connection, task_id: str, attempt: int | None = None) -> list[Step]:
    query = _ROWS.where(steps.c.task_id == task_id).order_by(steps.c.attempt, steps.c.number)
    if attempt is not None:
        query = query.where(steps.c.attempt == attempt)
    return build_all(Step, c.execute(query))
