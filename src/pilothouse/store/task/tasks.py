"""Tasks: the queue of each workspace, and the one function that changes a status."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Executable, ScalarSelect, and_, bindparam, delete, func, insert, or_, select

from pilothouse.domain.talk.answers import require_schema
from pilothouse.domain.task import moves
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import ENDED, Purpose, Task, TaskStatus, state_words
from pilothouse.errors import Conflict, IllegalTransition, NotFound
from pilothouse.store.hosts import workspaces_on
from pilothouse.store.rows import allow, build_all, build_first, columns, values
from pilothouse.store.session.overview import refresh
from pilothouse.store.session.workspaces import next_place
from pilothouse.store.tables.session import workspaces
from pilothouse.store.tables.task import tasks
from pilothouse.store.task.rollbacks import unfinished_of_workspace
from pilothouse.store.writer import Tx
from pilothouse.words import say

_COLUMNS = columns(tasks, Task)
_ROWS = select(*_COLUMNS)
# Those of the busiest moments are made once: putting one together takes five times as long as running it.
_OF_TASK = tasks.c.id == bindparam("of_task")
_BY_ID = _ROWS.where(_OF_TASK)
_INSERT = insert(tasks)
_UPDATE = sa.update(tasks).where(_OF_TASK).returning(*_COLUMNS)
_MOVE = _UPDATE.where(
    tasks.c.status == bindparam("seen_status", type_=tasks.c.status.type),
    tasks.c.attempt == bindparam("seen_attempt"),
    tasks.c.awaiting.is_not_distinct_from(bindparam("seen_awaiting", type_=tasks.c.awaiting.type)),
)
_HOLDS = (tasks.c.status == TaskStatus.AWAITING_RESPONSE) & (tasks.c.holds_workspace == sa.true())
_IS_BUSY = sa.exists().where(
    tasks.c.workspace_id == workspaces.c.id,
    tasks.c.status.in_([TaskStatus.RUNNING, TaskStatus.AWAITING_RESPONSE]),
    or_(tasks.c.status == TaskStatus.RUNNING, _HOLDS),
)
_WORKSPACE = select(workspaces.c.id).where(workspaces.c.id == bindparam("of_workspace"))
_LOCKED = _WORKSPACE.with_for_update()
_FREE = _WORKSPACE.where(workspaces.c.held == sa.false(), ~_IS_BUSY)
_IS_QUEUED = and_(tasks.c.workspace_id == bindparam("of_workspace"), tasks.c.status == TaskStatus.QUEUED)


def _first_queued(*, holding: bool) -> ScalarSelect[str]:
    same = tasks.alias()
    queued = (same.c.workspace_id == bindparam("of_workspace")) & (same.c.status == TaskStatus.QUEUED)
    query = select(same.c.id).where(queued, same.c.holds_workspace == (sa.true() if holding else sa.false()))
    return query.order_by(same.c.place).limit(1).scalar_subquery()


# By id, so that each is the first entry of an index: to sort by both would read the whole queue.
_NEXT = _ROWS.where(tasks.c.id == func.coalesce(_first_queued(holding=True), _first_queued(holding=False)))
_IS_HOLDING = tasks.c.holds_workspace.is_(True)
_IS_AHEAD = tasks.c.place < bindparam("place")
_OTHERS_QUEUED = select(func.count()).where(_IS_QUEUED, tasks.c.id != bindparam("of_task"))
_AHEAD_OF_HOLDING = _OTHERS_QUEUED.where(_IS_HOLDING, _IS_AHEAD)
_AHEAD = _OTHERS_QUEUED.where(or_(_IS_HOLDING, _IS_AHEAD))
_FIXED = frozenset({"id", "session_id", "project_id", "workspace_id", "place", "submitted_at", "status"})


def add(tx: Tx, task: Task) -> Task:
    """Gives the task its `place` in the queue; the caller's `place` does not count."""
    if task.answer_schema is not None:
        require_schema(task.answer_schema)
    task = replace(task, place=next_place(tx, task.workspace_id))
    tx.conn.execute(_INSERT, values(task))
    tx.acted = True
    refresh(tx, task.session_id, tasks_more=1, cost_more=task.cost_usd)
    return task


def get(c: Connection, id: str) -> Task | None:
    return _one(c, _BY_ID, of_task=id)


def require(c: Connection, id: str, seen: int | None = None) -> Task:
    """`seen` is the attempt a person looked at. Raises `Conflict` when the task is at a later one by now."""
    if (found := get(c, id)) is None:
        raise NotFound(say("task.gone"))
    if seen is not None and seen != found.attempt:
        raise Conflict(
            say("task.gone_on", seen=str(seen), now=str(found.attempt)),
            {"attempt": found.attempt},
        )
    return found


def of_session(c: Connection, session_id: str, after: int = 0, limit: int = 100) -> list[Task]:
    """In the order they were submitted. `after` is the `place` of the last task of the page before."""
    query = _ROWS.where(tasks.c.session_id == session_id, tasks.c.place > after)
    return build_all(Task, c.execute(query.order_by(tasks.c.place).limit(limit)))


def earlier_in_session(c: Connection, task: Task, most: int = 50) -> list[Task]:
    """The tasks of the same session that were sent before this one and begun, the newest last.

    An ask has a conversation of its own, and is passed over.
    """
    t = tasks.c
    query = _ROWS.where(t.session_id == task.session_id, t.place < task.place, t.purpose != Purpose.ASK, t.attempt > 0)
    return build_all(Task, c.execute(query.order_by(t.place.desc()).limit(most)))[::-1]


def queue(c: Connection, workspace_id: str) -> list[Task]:
    """The tasks that wait, in the order they will run."""
    t = tasks.c
    query = _ROWS.where(t.workspace_id == workspace_id, t.status == TaskStatus.QUEUED).order_by(t.place)
    return sorted(build_all(Task, c.execute(query)), key=lambda task: not task.holds_workspace)


def position(c: Connection, task: Task) -> int:
    """Where a waiting task stands in `queue`, counted from 1. The other tasks are not read."""
    query = _AHEAD_OF_HOLDING if task.holds_workspace else _AHEAD
    given = {"of_workspace": task.workspace_id, "of_task": task.id, "place": task.place}
    return 1 + (c.execute(query, given).scalar() or 0)


def upcoming(tx: Tx, workspace_id: str) -> Task | None:
    """The next task to run in a workspace; None if it is busy or held.

    Nobody else can take one there until the commit. A task whose changes are still in the tree goes before all others.
    """
    tx.conn.execute(_LOCKED, {"of_workspace": workspace_id})
    task = _one(tx.conn, _NEXT, of_workspace=workspace_id)
    return task if task and is_open(tx.conn, workspace_id, task.id) else None


def is_open(c: Connection, workspace_id: str, task_id: str | None = None) -> bool:
    """Whether a task could start now: nobody holds the workspace, and no other task's rollback is half done.

    Without `task_id` it is about a task that was not submitted yet.
    """
    if c.execute(_FREE, {"of_workspace": workspace_id}).first() is None:
        return False
    half_restored = unfinished_of_workspace(c, workspace_id)
    return half_restored is None or half_restored.task_id == task_id


def move(tx: Tx, task: Task, action: Action, **changes: Any) -> Task:
    """Changes the status by the table of moves, if the task is still as the caller saw it.

    Nothing else changes a status. A claim takes the task that is `upcoming`, and begins an attempt.

    Every move clears `awaiting`, what is asked and `runner` where they no longer apply, and the verdict and error of an
    earlier attempt. A task that ends gets `finished_at` and no longer holds its workspace.
    """
    allow(Task, changes, _FIXED)
    if action is not Action.CLAIM:
        return _write(tx, task, action, _with_reply(changes))
    begun = {"attempt": task.attempt + 1, "started_at": task.started_at or tx.now, "holds_workspace": False}
    return _write(tx, task, action, {**begun, **changes}, turn=next_place(tx, task.workspace_id))


def update(tx: Tx, task_id: str, **changes: Any) -> Task:
    """Changes anything but the status."""
    allow(Task, changes, _FIXED)
    spent = _spent(tx.conn, task_id) if "cost_usd" in changes else 0.0
    written = {"updated_at": tx.now, **_with_reply(changes)}
    task = _one(tx.conn, _UPDATE, of_task=task_id, **written)
    if task is None:
        raise NotFound(say("task.unknown"))
    refresh(tx, task.session_id, cost_more=task.cost_usd - spent if "cost_usd" in changes else 0.0)
    return task


def remove(tx: Tx, task_id: str) -> Task:
    """Deletes a task that never started, so that it leaves no trace."""
    never_started = (tasks.c.status == TaskStatus.QUEUED) & (tasks.c.attempt == 0)
    task = _one(tx.conn, delete(tasks).where(tasks.c.id == task_id, never_started).returning(*_COLUMNS))
    if task is None:
        present = get(tx.conn, task_id)
        if present is None:
            raise NotFound(say("task.unknown"))
        raise IllegalTransition(
            say("task.started", state=state_words(present.status, present.awaiting)),
            {"status": present.status, "awaiting": present.awaiting, "action": Action.CANCEL},
        )
    tx.acted = True
    refresh(tx, task.session_id, tasks_more=-1, cost_more=-task.cost_usd)
    return task


def any_open(c: Connection, session_id: str) -> bool:
    """Whether a task of the session has not ended."""
    query = select(tasks.c.id).where(tasks.c.session_id == session_id, tasks.c.status.not_in(ENDED)).limit(1)
    return c.execute(query).first() is not None


def running_on(c: Connection, host: str) -> list[Task]:
    query = _ROWS.where(tasks.c.status == TaskStatus.RUNNING, tasks.c.workspace_id.in_(workspaces_on(host)))
    return build_all(Task, c.execute(query.order_by(tasks.c.workspace_id)))


def running_of_workspace(c: Connection, workspace_id: str) -> Task | None:
    return _one(c, _ROWS.where(tasks.c.workspace_id == workspace_id, tasks.c.status == TaskStatus.RUNNING))


def holder(c: Connection, workspace_id: str) -> Task | None:
    """The task that waits for a person with its changes in the tree."""
    return _one(c, _ROWS.where(tasks.c.workspace_id == workspace_id, _HOLDS).order_by(tasks.c.place).limit(1))


def newest_of_workspace(c: Connection, workspace_id: str) -> Task | None:
    """The task that ran last: its changes are on top. An ask has none, nor has a proposal until it is applied."""
    t = tasks.c
    query = _ROWS.where(t.workspace_id == workspace_id, t.turn.is_not(None), t.purpose == Purpose.CHANGE)
    return _one(c, query.order_by(t.turn.desc()).limit(1))


def counts(c: Connection, host: str) -> dict[TaskStatus, int]:
    query = select(tasks.c.status, func.count().label("n")).where(tasks.c.workspace_id.in_(workspaces_on(host)))
    rows = c.execute(query.group_by(tasks.c.status))
    return dict.fromkeys(TaskStatus, 0) | {row.status: row.n for row in rows}


def _write(tx: Tx, task: Task, action: Action, changes: dict[str, Any], **further: Any) -> Task:
    target = moves.move(task.status, task.awaiting, action)
    written = {**_settled(tx, task, target), **changes, **further, "status": target}
    spent = _spent(tx.conn, task.id) if "cost_usd" in changes else 0.0
    seen = {"seen_status": task.status, "seen_attempt": task.attempt, "seen_awaiting": task.awaiting}
    after = _one(tx.conn, _MOVE, of_task=task.id, **seen, **written)
    if after is None:
        raise _moved_on(tx.conn, task, action)
    tx.acted = True
    refresh(tx, after.session_id, cost_more=after.cost_usd - spent if "cost_usd" in changes else 0.0)
    return after


def _with_reply(changes: dict[str, Any]) -> dict[str, Any]:
    """Clears the decision and the answers together with the reply that said the same in words."""
    used_up = "pending_reply" in changes and changes["pending_reply"] is None
    return {"pending_decision": None, "pending_answers": {}, **changes} if used_up else changes


def _settled(tx: Tx, task: Task, target: TaskStatus) -> dict[str, Any]:
    settled: dict[str, Any] = {"updated_at": tx.now, "verdict": None, "error_kind": None, "error_message": None}
    if target is not TaskStatus.AWAITING_RESPONSE:
        settled |= {"awaiting": None, "question": None, "permission": None, "plan": None}
    if target is not TaskStatus.RUNNING:
        settled["runner"] = None
    if target in ENDED:
        settled |= {"finished_at": tx.now, "holds_workspace": False}
    else:
        settled["finished_at"] = None
    return settled


def _moved_on(c: Connection, seen: Task, action: Action) -> NotFound | IllegalTransition:
    present = get(c, seen.id)
    if present is None:
        return NotFound(say("task.unknown"))
    state = state_words(present.status, present.awaiting)
    return IllegalTransition(
        say("task.moved_on", state=state, attempt=str(present.attempt)),
        {"status": present.status, "awaiting": present.awaiting, "action": action},
    )


def _spent(c: Connection, task_id: str) -> float:
    return c.execute(select(tasks.c.cost_usd).where(tasks.c.id == task_id)).scalar() or 0.0


def _one(c: Connection, query: Executable, **given: Any) -> Task | None:
    return build_first(Task, c.execute(query, given))
