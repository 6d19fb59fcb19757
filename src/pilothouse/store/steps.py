"""Steps: the step log of an attempt, written before and after each step runs."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.tasks import Step
from pilothouse.errors import NotFound
from pilothouse.store.rows import allow, build, build_all, columns, values
from pilothouse.store.tables import steps
from pilothouse.store.writer import Tx

_COLUMNS = columns(steps, Step)
_ROWS = select(*_COLUMNS)
_FIXED = frozenset({"id", "task_id", "attempt", "number"})


def start(tx: Tx, step: Step) -> Step:
    tx.conn.execute(insert(steps).values(values(step)))
    return step


def finish(tx: Tx, step_id: str, **changes: Any) -> Step:
    allow(Step, changes, _FIXED)
    changes = {"finished_at": tx.now, **changes}
    row = tx.conn.execute(update(steps).where(steps.c.id == step_id).values(**changes).returning(*_COLUMNS)).first()
    if row is None:
        raise NotFound("There is no such step.")
    return build(Step, row)


def get(c: Connection, step_id: str) -> Step | None:
    row = c.execute(_ROWS.where(steps.c.id == step_id)).first()
    return build(Step, row) if row else None


def of_task(c: Connection, task_id: str, attempt: int | None = None) -> list[Step]:
    query = _ROWS.where(steps.c.task_id == task_id).order_by(steps.c.attempt, steps.c.number)
    if attempt is not None:
        query = query.where(steps.c.attempt == attempt)
    return build_all(Step, c.execute(query))
