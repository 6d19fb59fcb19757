"""What the guards keep: a session's breaker and budget, why a task is held, and what has been spent."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from pilothouse.domain.budgets import Spent
from pilothouse.domain.guards import SessionGuards
from pilothouse.domain.limits import Hold
from pilothouse.domain.tasks import Awaiting, Task, TaskStatus
from pilothouse.store.agent_tables import holds, session_guards, spawns
from pilothouse.store.rows import build, build_all, columns, values
from pilothouse.store.tables import steps, tasks
from pilothouse.store.writer import Tx

HELD = "held"
"""Outcome of a step whose spawn a guard did not let begin."""
_GUARDS = columns(session_guards, SessionGuards)
_HOLD = columns(holds, Hold)


def of_session(c: Connection, session_id: str) -> SessionGuards:
    row = c.execute(select(*_GUARDS).where(session_guards.c.session_id == session_id)).first()
    return build(SessionGuards, row) if row else SessionGuards(session_id)


def save(tx: Tx, guards: SessionGuards) -> None:
    written = values(guards)
    query = update(session_guards).where(session_guards.c.session_id == guards.session_id).values(written)
    if tx.conn.execute(query).rowcount == 0:
        tx.conn.execute(insert(session_guards).values(written))


def hold(tx: Tx, held: Hold) -> None:
    """Replaces what the task was held for before."""
    tx.conn.execute(delete(holds).where(holds.c.task_id == held.task_id))
    tx.conn.execute(insert(holds).values(values(held)))


def held(c: Connection, task_id: str) -> Hold | None:
    """The newest hold of a task; whether it still stands is told by what the task awaits."""
    row = c.execute(select(*_HOLD).where(holds.c.task_id == task_id)).first()
    return build(Hold, row) if row else None


def waiting(c: Connection) -> list[Hold]:
    """Tasks that go on by themselves, the next one first."""
    still = (tasks.c.status == TaskStatus.AWAITING_RESPONSE) & (tasks.c.awaiting == Awaiting.USAGE_LIMIT)
    due = holds.c.waiting.is_(True) & holds.c.until.is_not(None) & still
    query = select(*_HOLD).join(tasks, tasks.c.id == holds.c.task_id).where(due).order_by(holds.c.until)
    return build_all(Hold, c.execute(query))


def spent_by_task(c: Connection, task_id: str, but_attempt: int | None = None) -> Spent:
    """All that its agents told of, also those that were cut off; without one attempt where that is counted apart."""
    return _spent(c, spawns.c.task_id == task_id, steps.c.task_id == task_id, (task_id, but_attempt))


def spent_by_session(c: Connection, session_id: str, but: Task | None = None) -> Spent:
    """Likewise; without what this task's present attempt spends."""
    inside = steps.c.task_id.in_(select(tasks.c.id).where(tasks.c.session_id == session_id))
    return _spent(c, spawns.c.session_id == session_id, inside, (but.id, but.attempt) if but else None)


def _spent(
    c: Connection, which: ColumnElement[bool], worked: ColumnElement[bool], but: tuple[str, int | None] | None
) -> Spent:
    if but and but[1] is not None:
        apart = (steps.c.task_id == but[0]) & (steps.c.attempt == but[1])
        which &= spawns.c.step_id.not_in(select(steps.c.id).where(apart))
        worked &= ~apart
    counted = spawns.c.input_tokens + spawns.c.output_tokens + spawns.c.cache_write_tokens
    usd, tokens = c.execute(select(func.sum(spawns.c.cost_usd), func.sum(counted)).where(which)).one()
    return Spent(float(usd or 0), int(tokens or 0), _minutes(c, worked))


def _minutes(c: Connection, which: ColumnElement[bool]) -> float:
    """How long agents and checks worked. One that was interrupted ended at nobody knows when and is left out."""
    query = select(steps.c.started_at, steps.c.finished_at)
    rows = c.execute(query.where(which, steps.c.finished_at.is_not(None), steps.c.outcome != "interrupted"))
    return sum(max(0.0, float((row.finished_at - row.started_at).total_seconds())) for row in rows) / 60
