"""What the guards keep: a session's breaker and budget, and why a task is held. Also sums up what was spent."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from pilothouse.domain.guard.budgets import Spent
from pilothouse.domain.guard.limits import Hold, SessionGuards
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import build_all, build_first, columns, values
from pilothouse.store.tables.agent import spawns
from pilothouse.store.tables.guard import holds, session_guards
from pilothouse.store.tables.task import steps, tasks
from pilothouse.store.writer import Tx

HELD = "held"
"""Outcome of a step whose spawn a guard stopped before it began."""
_HOLDS = select(*columns(holds, Hold))


def of_session(c: Connection, session_id: str) -> SessionGuards:
    query = select(*columns(session_guards, SessionGuards)).where(session_guards.c.session_id == session_id)
    return build_first(SessionGuards, c.execute(query)) or SessionGuards(session_id)


def save(tx: Tx, guards: SessionGuards) -> None:
    query = update(session_guards).where(session_guards.c.session_id == guards.session_id)
    if tx.conn.execute(query.values(values(guards))).rowcount == 0:
        tx.conn.execute(insert(session_guards).values(values(guards)))


def hold(tx: Tx, new: Hold) -> None:
    """Stores why a task is held, in place of an earlier hold."""
    tx.conn.execute(delete(holds).where(holds.c.task_id == new.task_id))
    tx.conn.execute(insert(holds).values(values(new)))


def of_task(c: Connection, task_id: str) -> Hold | None:
    """The newest hold. It counts only while the task awaits what the hold says."""
    return build_first(Hold, c.execute(_HOLDS.where(holds.c.task_id == task_id)))


def waiting(c: Connection, host: str) -> list[Hold]:
    """Holds of tasks on that host that continue automatically, the next one first."""
    still = (tasks.c.status == TaskStatus.AWAITING_RESPONSE) & (tasks.c.awaiting == Awaiting.USAGE_LIMIT)
    due = holds.c.waiting.is_(True) & holds.c.until.is_not(None) & still & tasks.c.workspace_id.in_(workspaces_on(host))
    query = _HOLDS.join(tasks, tasks.c.id == holds.c.task_id).where(due).order_by(holds.c.until)
    return build_all(Hold, c.execute(query))


def spent_by_task(c: Connection, task_id: str, but_attempt: int | None = None) -> Spent:
    """What the task's agents have used, also those that were cut off. `but_attempt` leaves one attempt out."""
    apart = _of_attempt(task_id, but_attempt) if but_attempt is not None else None
    return _spent(c, spawns.c.task_id == task_id, steps.c.task_id == task_id, apart)


def spent_by_session(c: Connection, session_id: str, but: Task | None = None) -> Spent:
    """The same for a session. `but` leaves out the present attempt of one task."""
    apart = _of_attempt(but.id, but.attempt) if but else None
    mine = steps.c.task_id.in_(select(tasks.c.id).where(tasks.c.session_id == session_id))
    return _spent(c, spawns.c.session_id == session_id, mine, apart)


def _of_attempt(task_id: str, number: int) -> ColumnElement[bool]:
    return (steps.c.task_id == task_id) & (steps.c.attempt == number)


def _spent(
    c: Connection, spawned: ColumnElement[bool], worked: ColumnElement[bool], apart: ColumnElement[bool] | None
) -> Spent:
    """Sums up money and tokens of these spawns, and the time of these steps. Steps `apart` are left out."""
    t = spawns.c
    used = select(func.sum(t.cost_usd), func.sum(t.input_tokens + t.output_tokens + t.cache_write_tokens))
    # A step that was interrupted ended at nobody knows when and is left out.
    over = steps.c.finished_at.is_not(None) & (steps.c.outcome != "interrupted")
    times = select(steps.c.started_at, steps.c.finished_at).where(worked, over)
    if apart is not None:
        used, times = used.where(t.step_id.not_in(select(steps.c.id).where(apart))), times.where(~apart)
    usd, tokens = c.execute(used.where(spawned)).one()
    seconds = sum(max(0.0, (finished - started).total_seconds()) for started, finished in c.execute(times))
    return Spent(float(usd or 0), int(tokens or 0), seconds / 60)
