"""What the guards keep: a session's breaker and budget, why a task is held, and what has been spent."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, func, insert, select, update

from pilothouse.domain.guard.budgets import Spent
from pilothouse.domain.guard.limits import Hold
from pilothouse.domain.guard.session_guards import SessionGuards
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build, build_all, columns, values
from pilothouse.store.tables.agent import spawns
from pilothouse.store.tables.guard import holds, session_guards
from pilothouse.store.tables.task import steps, tasks
from pilothouse.store.writer import Tx

HELD = "held"
"""Outcome of a step whose spawn a guard did not let begin."""
_OF_SESSION = session_guards.c.session_id == bindparam("of_session")
_GUARDS = select(*columns(session_guards, SessionGuards)).where(_OF_SESSION)
_SAVE_GUARDS = update(session_guards).where(_OF_SESSION)
_ADD_GUARDS = insert(session_guards)
_HOLDS = select(*columns(holds, Hold))
_HOLD = _HOLDS.where(holds.c.task_id == bindparam("of_task"))


def of_session(c: Connection, session_id: str) -> SessionGuards:
    row = c.execute(_GUARDS, {"of_session": session_id}).first()
    return build(SessionGuards, row) if row else SessionGuards(session_id)


def save(tx: Tx, guards: SessionGuards) -> None:
    written = values(guards)
    if tx.conn.execute(_SAVE_GUARDS, {"of_session": guards.session_id, **written}).rowcount == 0:
        tx.conn.execute(_ADD_GUARDS, written)


def hold(tx: Tx, held: Hold) -> None:
    """Replaces what the task was held for before."""
    tx.conn.execute(delete(holds).where(holds.c.task_id == held.task_id))
    tx.conn.execute(insert(holds).values(values(held)))


def held(c: Connection, task_id: str) -> Hold | None:
    """The newest hold of a task; whether it still stands is told by what the task awaits."""
    row = c.execute(_HOLD, {"of_task": task_id}).first()
    return build(Hold, row) if row else None


def waiting(c: Connection, host: str) -> list[Hold]:
    """Tasks on that host that go on by themselves, the next one first."""
    still = (tasks.c.status == TaskStatus.AWAITING_RESPONSE) & (tasks.c.awaiting == Awaiting.USAGE_LIMIT)
    due = holds.c.waiting.is_(True) & holds.c.until.is_not(None) & still & tasks.c.workspace_id.in_(workspaces_on(host))
    query = _HOLDS.join(tasks, tasks.c.id == holds.c.task_id).where(due).order_by(holds.c.until)
    return build_all(Hold, c.execute(query))


def spent_by_task(c: Connection, task_id: str, but_attempt: int | None = None) -> Spent:
    """All that its agents told of, also those that were cut off; without one attempt where that is counted apart."""
    if but_attempt is None:
        return _spent(c, _BY_TASK, of_task=task_id)
    return _spent(c, _BY_TASK_BUT, of_task=task_id, but_task=task_id, but_attempt=but_attempt)


def spent_by_session(c: Connection, session_id: str, but: Task | None = None) -> Spent:
    """Likewise; without what this task's present attempt spends."""
    if but is None:
        return _spent(c, _BY_SESSION, of_session=session_id)
    return _spent(c, _BY_SESSION_BUT, of_session=session_id, but_task=but.id, but_attempt=but.attempt)


class _Spending(NamedTuple):
    """The queries that tell what was spent: money and tokens, and when agents and checks worked."""

    used: Select[Any]
    worked: Select[Any]

    @classmethod
    def of(cls, spawned: ColumnElement[bool], worked: ColumnElement[bool]) -> Self:
        counted = spawns.c.input_tokens + spawns.c.output_tokens + spawns.c.cache_write_tokens
        # One that was interrupted ended at nobody knows when and is left out.
        over = steps.c.finished_at.is_not(None) & (steps.c.outcome != "interrupted")
        return cls(
            select(func.sum(spawns.c.cost_usd), func.sum(counted)).where(spawned),
            select(steps.c.started_at, steps.c.finished_at).where(worked, over),
        )

    def but(self, apart: ColumnElement[bool]) -> Self:
        kept = spawns.c.step_id.not_in(select(steps.c.id).where(apart))
        return type(self)(self.used.where(kept), self.worked.where(~apart))


_APART = (steps.c.task_id == bindparam("but_task")) & (steps.c.attempt == bindparam("but_attempt"))
_TASKS = select(tasks.c.id).where(tasks.c.session_id == bindparam("of_session"))
_BY_TASK = _Spending.of(spawns.c.task_id == bindparam("of_task"), steps.c.task_id == bindparam("of_task"))
_BY_TASK_BUT = _BY_TASK.but(_APART)
_BY_SESSION = _Spending.of(spawns.c.session_id == bindparam("of_session"), steps.c.task_id.in_(_TASKS))
_BY_SESSION_BUT = _BY_SESSION.but(_APART)


def _spent(c: Connection, spending: _Spending, **given: Any) -> Spent:
    usd, tokens = c.execute(spending.used, given).one()
    worked = c.execute(spending.worked, given)
    seconds = sum(max(0.0, float((row.finished_at - row.started_at).total_seconds())) for row in worked)
    return Spent(float(usd or 0), int(tokens or 0), seconds / 60)
