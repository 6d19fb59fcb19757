"""Continues tasks that a guard held: when the person decides, or when a limit is over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from pilothouse.domain.event.guard import GuardDecided
from pilothouse.domain.event.task import TaskResumed
from pilothouse.domain.guard.budgets import BudgetKind
from pilothouse.domain.guard.limits import RETRY_AFTER, Hold
from pilothouse.domain.session.session import SessionAction, SessionStatus
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.moves import move as require_move
from pilothouse.domain.task.task import Awaiting, Reply, ResumeMode, Task
from pilothouse.engine.guard.spawn_guard import session_default, task_default, tell_breaker
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import Move, cancel, emit, move_session
from pilothouse.engine.workspace import artifacts, occupancy, rollback
from pilothouse.errors import IllegalTransition, NotFound, ResumeUnavailable
from pilothouse.settings import Settings
from pilothouse.store import preferences
from pilothouse.store.database import Tx
from pilothouse.store.guard import holds
from pilothouse.store.session import sessions
from pilothouse.store.task import attempts, tasks
from pilothouse.words import listed, say, sentences

log = logging.getLogger(__name__)
LOOK_EVERY = 60.0
"""A machine that slept wakes up late; no more than this."""
CHEAPLY = (
    "The budget for this task was used up before it was finished. Think the plan over: what is left that the task "
    "really needs, and what is the cheapest way to it? Drop everything else, then finish."
)
Changes = Mapping[str, object]
"""What a decision changes of the task's row."""
Choice = Literal["wait", "retry", "pause", "close", "override", "more", "replan", "stop", "reset"]
CHOICES: dict[Awaiting, tuple[Choice, ...]] = {
    Awaiting.USAGE_LIMIT: ("wait", "retry", "pause", "close", "override"),
    Awaiting.BUDGET: ("more", "replan", "stop"),
    Awaiting.BREAKER: ("reset",),
}


def choices(task: Task, hold: Hold | None) -> tuple[Choice, ...]:
    """What the person may decide now."""
    offered = CHOICES.get(task.awaiting, ()) if task.awaiting and hold else ()
    return tuple(choice for choice in offered if choice != "override" or (hold and hold.kind == "hourly"))


async def unsaved(runtime: Runtime, task_id: str) -> list[str]:
    """The parts a task needs to continue that are missing. They are on disk, so look before any transaction."""
    root = runtime.settings.data_dir
    parts = await runtime.store.read(lambda c: artifacts.inspect(root, attempts.last_begun(c, task_id)))
    return [part.name for part in parts if not part.saved]


def decide(
    tx: Tx, settings: Settings, task: Task, choice: Choice, amount: float | None, missing: Sequence[str]
) -> Move | None:
    """Turns the person's decision into a move; None if the task keeps waiting. `missing` is what is `unsaved`."""
    hold = require(task, holds.of_task(tx.conn, task.id), choice)
    told = GuardDecided(attempt=task.attempt, choice=choice, amount=amount)
    if choice in ("wait", "pause"):
        _wait(tx, task, hold, choice == "wait")
        emit(tx, task, told)
        return None
    if choice in ("close", "stop"):
        ended = cancel(task)
        if choice == "stop":
            return ended
        # Another task of the session may have closed it.
        if sessions.require(tx.conn, task.session_id).status is not SessionStatus.COMPLETED:
            move_session(tx, task.session_id, SessionAction.CLOSE)
    else:
        ended = go_on(tx, task, missing, _CARRIED_OUT[choice](tx, settings, task, hold, amount))
    return replace(ended, events=(*ended.events, told))


def require(task: Task, hold: Hold | None, choice: Choice) -> Hold:
    offered = choices(task, hold)
    if hold is None or choice not in offered:
        require_move(task.status, task.awaiting, Action.DECIDE)
        wanted = say(f"choice.{choice}")
        nothing = say("limit.nothing_offered", choice=wanted)
        raise IllegalTransition(
            say("limit.not_offered", choice=wanted, offered=_listed_choices(offered)) if offered else nothing,
            {"status": task.status, "awaiting": task.awaiting, "action": Action.DECIDE, "choices": list(offered)},
        )
    return hold


def _listed_choices(offered: Sequence[Choice]) -> str:
    return listed(say(f"choice.{choice}") for choice in offered)


def _wait(tx: Tx, task: Task, hold: Hold, waiting: bool) -> None:
    over = hold.until is None or hold.until <= tx.now
    until = tx.now + RETRY_AFTER if waiting and over else hold.until
    holds.hold(tx, replace(hold, waiting=waiting, until=until))
    tasks.update(tx, task.id)


def _retry(tx: Tx, settings: Settings, task: Task, hold: Hold, amount: float | None) -> Changes:
    return {}


def _override(tx: Tx, settings: Settings, task: Task, hold: Hold, amount: float | None) -> Changes:
    holds.save(tx, replace(holds.of_session(tx.conn, task.session_id), unlimited=True))
    return {}


def _replan(tx: Tx, settings: Settings, task: Task, hold: Hold, amount: float | None) -> Changes:
    """As much again, and the word to finish it the cheapest way."""
    raised = _more(tx, settings, task, hold, amount)
    told = Reply(CHEAPLY, tx.now, attempt=task.attempt)
    pending = f"{task.pending_reply}\n\n{CHEAPLY}" if task.pending_reply else CHEAPLY
    return {**raised, "pending_reply": pending, "replies": (*task.replies, told)}


def _more(tx: Tx, settings: Settings, task: Task, hold: Hold, amount: float | None) -> Changes:
    """From what is spent by now: a budget that was overdrawn gives the same room again."""
    kind, limit, spent = BudgetKind(hold.kind), hold.limit or 0.0, hold.spent or 0.0
    to = max(limit, spent) + (amount or limit or 1.0)
    stored = preferences.load(tx.conn).preferences.budgets
    if hold.scope == "session":
        guards = holds.of_session(tx.conn, task.session_id)
        budget = guards.budget.or_else(session_default(stored, settings)).raised(kind, to)
        holds.save(tx, replace(guards, budget=budget))
        return {}
    budget = task.options.budget.or_else(task_default(stored, settings)).raised(kind, to)
    return {"options": replace(task.options, budget=budget)}


def _reset(tx: Tx, settings: Settings, task: Task, hold: Hold, amount: float | None) -> Changes:
    guards = holds.of_session(tx.conn, task.session_id)
    closed = replace(guards, breaker=guards.breaker.reset(tx.now))
    holds.save(tx, closed)
    tell_breaker(tx, task.session_id, task.id, guards.breaker, closed.breaker)
    return {}


_CARRIED_OUT: dict[Choice, Callable[[Tx, Settings, Task, Hold, float | None], Changes]] = {
    "retry": _retry,
    "override": _override,
    "more": _more,
    "replan": _replan,
    "reset": _reset,
}


def go_on(tx: Tx, task: Task, missing: Sequence[str], changes: Changes) -> Move:
    """Back into the queue, from where it stopped; one that had not changed anything begins again."""
    problem = rollback.patch_problem(tx.conn, task)
    mode: ResumeMode | None = ResumeMode.SOFT
    if missing or problem:
        if occupancy.may_have_changed(tx.conn, task):
            why = problem or say("resume.not_all_there", parts=listed(say(f"saved_part.{name}") for name in missing))
            raise ResumeUnavailable(say("resume.no_going_on", why=why), {"missing": [*missing]})
        mode = None
    told = TaskResumed(attempt=task.attempt + 1, mode=mode or "first")
    return Move(action=Action.DECIDE, changes={"resume_mode": mode, **changes}, events=(told,))


class Retries:
    """Lets tasks go on when their limit is over. Asleep until the next is due, or until something changes."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Reads the rows: tasks that waited when the server ended keep waiting, and those now due continue."""
        self._loop = asyncio.create_task(self._run(), name="retry after limits")

    async def stop(self) -> None:
        if self._loop:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
            self._loop = None

    async def _run(self) -> None:
        changed = self._runtime.limits_changed
        while True:
            changed.clear()
            try:
                due = await self._next()
            except Exception:  # a full disk must not end the waiting of every task
                log.exception("cannot look at the limits that tasks wait for")
                due = LOOK_EVERY
            await self._sleep(due)

    async def _sleep(self, seconds: float | None) -> None:
        """Until then, but not for long at a time; without a time until something changes."""
        waits: list[asyncio.Task[Any]] = [asyncio.create_task(self._runtime.limits_changed.wait())]
        if seconds is not None:
            waits.append(asyncio.create_task(self._runtime.clock.sleep(min(max(seconds, 0.05), LOOK_EVERY))))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def _next(self) -> float | None:
        """Let go on what is due; seconds until the next is."""
        for hold in await self._runtime.store.read(lambda c: holds.waiting(c, self._runtime.host_id)):
            left = (hold.until - self._runtime.clock.now()).total_seconds() if hold.until else 0.0
            if left > 0:
                return left
            await self._retry(hold)
        return None

    async def _retry(self, hold: Hold) -> None:
        missing = await unsaved(self._runtime, hold.task_id)

        def again(tx: Tx, task: Task) -> Move | None:
            held = task.awaiting is Awaiting.USAGE_LIMIT and holds.of_task(tx.conn, task.id) == hold
            return go_on(tx, task, missing, {}) if held else None

        with suppress(IllegalTransition, NotFound):
            try:
                await self._runtime.move(hold.task_id, again)
            except ResumeUnavailable as error:
                paused = replace(hold, waiting=False, message=sentences(hold.message, error.message))
                await self._runtime.store.write(lambda tx: holds.hold(tx, paused))
