"""What the guards keep: a session's breaker and budget, why a task is held, and what has been spent."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from pilothouse.domain.budgets import Spent
from pilothouse.domain.guards import SessionGuards
from pilothouse.domain.limits import Hold
from pilothouse.domain.tasks import Awaiting, StepKind, TaskStatus
from pilothouse.store.agent_tables import holds, session_guards, spending
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


def spawns_since(c: Connection, since: datetime) -> int:
    """Runs of an agent, in all sessions: verifications are none, nor is what a guard held back."""
    spawned = (steps.c.kind != StepKind.VERIFY) & func.coalesce(steps.c.outcome, "").is_distinct_from(HELD)
    return c.execute(select(func.count()).where(steps.c.started_at >= since, spawned)).scalar_one()


def spend_tokens(tx: Tx, task_id: str, session_id: str, tokens: int) -> None:
    more = update(spending).where(spending.c.task_id == task_id).values(tokens=spending.c.tokens + tokens)
    if tx.conn.execute(more).rowcount == 0:
        tx.conn.execute(insert(spending).values(task_id=task_id, session_id=session_id, tokens=tokens))


def spent_by_task(c: Connection, task_id: str) -> Spent:
    return _spent(c, tasks.c.id == task_id, spending.c.task_id == task_id)


def spent_by_session(c: Connection, session_id: str) -> Spent:
    return _spent(c, tasks.c.session_id == session_id, spending.c.session_id == session_id)


def _spent(c: Connection, which: ColumnElement[bool], whose: ColumnElement[bool]) -> Spent:
    usd = c.execute(select(func.coalesce(func.sum(tasks.c.cost_usd), 0.0)).where(which)).scalar_one()
    tokens = c.execute(select(func.coalesce(func.sum(spending.c.tokens), 0)).where(whose)).scalar_one()
    return Spent(float(usd), int(tokens), _minutes(c, which))


def _minutes(c: Connection, which: ColumnElement[bool]) -> float:
    """How long agents and checks worked. One that was interrupted ended at nobody knows when and is left out."""
    query = select(steps.c.started_at, steps.c.finished_at).join(tasks, tasks.c.id == steps.c.task_id)
    rows = c.execute(query.where(which, steps.c.finished_at.is_not(None), steps.c.outcome != "interrupted"))
    return sum(max(0.0, float((row.finished_at - row.started_at).total_seconds())) for row in rows) / 60
