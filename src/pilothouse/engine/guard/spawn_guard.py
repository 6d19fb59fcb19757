"""The guards around a spawn: whether it may begin, whether it may go on, and what it came to.

A guard that says no stops the whole attempt: the task then waits for the person with what was done so far, as after
any other stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from pilothouse.domain.event.guard import GuardBreaker
from pilothouse.domain.guard.breaker import Breaker, BreakerChange, BreakerState, Observation
from pilothouse.domain.guard.budgets import Budget, BudgetKind, Spent, overspent
from pilothouse.domain.guard.confidence import Level, confidence
from pilothouse.domain.guard.error_filter import errors_in, signature
from pilothouse.domain.guard.exit_signals import SpawnSigns, claims_completion
from pilothouse.domain.guard.limits import (
    FREE_AGENTS,
    Hold,
    HoldKind,
    SessionGuards,
    hour_of,
    next_hour,
    provider_limit,
    retry_at,
    used,
)
from pilothouse.domain.ports import Ended, Usage
from pilothouse.domain.preferences import BudgetPreferences
from pilothouse.domain.talk.marker_contents import StatusSaid, WorkType, contents
from pilothouse.domain.task.task import ErrorKind, Step, StepKind, Task
from pilothouse.engine.attempt.watch import Stop
from pilothouse.settings import Settings
from pilothouse.store import preferences
from pilothouse.store.agent import usage
from pilothouse.store.database import Tx
from pilothouse.store.guard import holds
from pilothouse.store.session import sessions
from pilothouse.verify.tamper.paths import is_test
from pilothouse.words import say

if TYPE_CHECKING:
    from pilothouse.engine.attempt.context import Control, Turn
    from pilothouse.engine.attempt.finished import Finished
    from pilothouse.engine.runtime import Runtime

_NOT_ITS_FAULT = (ErrorKind.CREDENTIALS, ErrorKind.CONFIGURATION, ErrorKind.INFRASTRUCTURE)
_BY_ITSELF = ("done", "asked", "permission")
_TIMED_OUT = (Stop.IDLE, Stop.HARD, Stop.ABSENT)


Limited = tuple[Budget, Spent, bool]
"""A budget, what was spent of it before, and whether it is the session's."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the guards say to a spawn that is about to begin."""

    budgets: tuple[Limited, ...] = ()
    stop: Stop | None = None
    hold: Hold | None = None


class SpawnGuard:
    """One attempt's: counts what it spends, and stops it at a limit."""

    def __init__(self, runtime: Runtime, task: Task, control: Control) -> None:
        self._runtime = runtime
        self._task = task
        self._control = control
        self._budgets: tuple[Limited, ...] | None = None
        """The task's and the session's, as they were when the last spawn began."""
        self._began = self._runtime.clock.now()
        self._live = Spent()
        self._changed = asyncio.Event()
        """Set when a person changed a budget."""

    def before_spawn(self, turn: Turn, agent: str) -> Callable[[Tx, bool], Allowance]:
        """What asks the guards, within the transaction that makes the spawn's rows; `accept` what it says.

        It is told whether a person said something new that this turn tells.
        """
        if self._budgets is None:
            self._began = self._runtime.clock.now()
        spending = self._spending()

        def ask(tx: Tx, guided: bool) -> Allowance:
            guards = holds.of_session(tx.conn, self._task.session_id)
            if turn.kind is StepKind.EDIT:
                guards = self._eased(tx, guards, guided or turn.reply is not None)
                if guards.breaker.state is not BreakerState.CLOSED:
                    return Allowance((), Stop.BREAKER, self._hold("breaker", guards.breaker.reason, tx.now))
            budgets = self._limited(tx.conn, guards)
            if over := self._overspent(budgets, spending, tx.now):
                return Allowance(budgets, Stop.BUDGET, over)
            if self._is_hour_full(tx, guards, agent):
                said = say("limit.hourly", most=self._runtime.settings.max_calls_per_hour)
                return Allowance(budgets, Stop.LIMIT, self._hold("hourly", said, tx.now, next_hour(tx.now)))
            return Allowance(budgets)

        return ask

    def accept(self, allowance: Allowance) -> None:
        """Stop the attempt where the guards say so. What runs beside a spawn of one too many comes to its end."""
        self._budgets = allowance.budgets
        hold, control = allowance.hold, self._control
        if hold and allowance.stop and not control.stopped:
            control.stop(allowance.stop, begun=hold.kind != "hourly", hold=hold)

    def use(self, told: Usage) -> None:
        """What the agent tells of its cost while it runs."""
        self._live = self._live.plus(used(told))
        self._check_budgets()

    @asynccontextmanager
    async def timing(self) -> AsyncIterator[None]:
        """Stop what runs when the time of a budget is over."""
        timer = asyncio.create_task(self._keep_time())
        try:
            yield
        finally:
            timer.cancel()
            await asyncio.gather(timer, return_exceptions=True)

    def ended(self, ended: Ended, stop: Stop | None) -> Stop | None:
        """Why the run was stopped, or ended at the provider's limit."""
        now = self._runtime.clock.now()
        if stop is not None and self._control.stopped and self._control.stopped.outranks(stop):
            return self._control.stopped
        if stop is Stop.BUDGET and ended.outcome in _BY_ITSELF:
            # The bill came with the end: what is done is done, and the next spawn is the one that asks.
            self._control.go_on()
            return None
        found = None if stop or self._control.ending else provider_limit(ended, now, now.astimezone().tzinfo or UTC)
        if found is None:
            return stop
        said = found.message or say("provider_limit")
        self._control.stop(Stop.LIMIT, hold=self._hold("provider", said, now, retry_at(found, now)))
        return Stop.LIMIT

    def observed(self, finished: Finished, files: Sequence[str], committed: bool) -> Observation | None:
        """What an editor spawn came to, for the breaker."""
        if finished.step.kind is not StepKind.EDIT or not _counts(finished):
            return None
        return _observation(finished, files, committed, self._runtime.clock.now())

    async def look_again(self) -> None:
        """A person changed a budget while this runs."""
        if self._budgets is not None:
            task = self._task
            read = self._runtime.store.read
            self._budgets = await read(lambda c: self._limited(c, holds.of_session(c, task.session_id)))
            self._check_budgets()
            self._changed.set()

    def _limited(self, c: Connection, guards: SessionGuards) -> tuple[Limited, ...]:
        """The budgets as they stand now, and what was spent before this attempt where there is a limit."""
        task, settings = self._task, self._runtime.settings
        stored = preferences.load(c).preferences.budgets
        of_task = task.options.budget.or_else(task_default(stored, settings))
        of_session = guards.budget.or_else(session_default(stored, settings))
        known = {whole: spent for budget, spent, whole in self._budgets or () if budget}
        before_task = known.get(False) or (holds.spent_by_task(c, task.id, task.attempt) if of_task else Spent())
        before_all = known.get(True) or (holds.spent_by_session(c, task.session_id, task) if of_session else Spent())
        return (of_task, before_task, False), (of_session, before_all, True)

    def _spending(self) -> Spent:
        minutes = (self._runtime.clock.now() - self._began).total_seconds() / 60
        return replace(self._live, minutes=max(0.0, minutes))

    def _check_budgets(self) -> None:
        hold = self._overspent(self._budgets or (), self._spending(), self._runtime.clock.now())
        if hold and self._control.stopped and not self._control.ending:
            # What might come to its end beside a spawn of one too many may not overspend.
            self._control.stop(self._control.stopped)
        elif hold and not self._control.stopped:
            self._control.stop(Stop.BUDGET, hold=hold)

    def _overspent(self, budgets: tuple[Limited, ...], spending: Spent, now: datetime) -> Hold | None:
        for budget, before, whole in budgets:
            over = overspent(budget, before.plus(spending), "session" if whole else "task")
            if over:
                said = say(f"budget.{over.kind}.{over.scope}", limit=_amount(over.kind, over.limit))
                hold = self._hold(over.kind.value, said, now)
                return replace(hold, scope=over.scope, spent=over.spent, limit=over.limit)
        return None

    def _seconds_left(self) -> float | None:
        spent = self._spending()
        limited = [(budget.minutes, before.minutes) for budget, before, _ in self._budgets or ()]
        left = [limit - before - spent.minutes for limit, before in limited if limit is not None]
        return max(0.0, min(left) * 60) if left else None

    async def _keep_time(self) -> None:
        """Runs until cancelled, so a limit set later counts too."""
        while True:
            self._changed.clear()
            waiting: set[asyncio.Future[Any]] = {asyncio.ensure_future(self._changed.wait())}
            left = self._seconds_left()
            if left is not None:
                # The clock that waits and the one that counts may differ by a hair.
                waiting.add(asyncio.ensure_future(self._runtime.clock.sleep(max(left, 0.05))))
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in waiting:
                    one.cancel()
            self._check_budgets()

    def _eased(self, tx: Tx, guards: SessionGuards, told: bool) -> SessionGuards:
        """A person who says something new closes a half-open breaker, and what went before counts no longer."""
        task, after = self._task, guards.breaker.guided(tx.now)
        if after == guards.breaker or not (told or self._is_message(tx.conn)):
            return guards
        eased = replace(guards, breaker=after)
        holds.save(tx, eased)
        tell_breaker(tx, task.session_id, task.id, guards.breaker, after)
        return eased

    def _is_hour_full(self, tx: Tx, guards: SessionGuards, agent: str) -> bool:
        """Of agents that cost something, whoever's task they work on."""
        if agent in FREE_AGENTS or guards.unlimited:
            return False
        return usage.begun_since(tx.conn, hour_of(tx.now)) >= self._runtime.settings.max_calls_per_hour

    def _is_message(self, c: Connection) -> bool:
        """Whether this is the first the agent hears of what a person wrote."""
        session = sessions.get(c, self._task.session_id) if self._task.attempt == 1 else None
        return session is not None and self._runtime.is_conversation(session.kind)

    def _hold(self, kind: HoldKind, message: str, now: datetime, until: datetime | None = None) -> Hold:
        task = self._task
        return Hold(task.id, task.session_id, kind, message, now, until, waiting=until is not None)


def observe(tx: Tx, task: Task, finished: Finished) -> None:
    """Tell the breaker, together with the end of the step."""
    seen = finished.seen
    if seen is None:
        return
    before = holds.of_session(tx.conn, task.session_id)
    breaker = before.breaker.observe(seen)
    signs = SpawnSigns(
        spawn=breaker.spawns,
        test_only=seen.work_type is WorkType.TESTING,
        completion=finished.ended.outcome == "done" and claims_completion(finished.ended.text),
        no_progress=not (seen.progressed or seen.asked),
    )
    holds.save(tx, replace(before, breaker=breaker, signals=before.signals.after(signs)))
    tell_breaker(tx, task.session_id, task.id, before.breaker, breaker)


def task_default(stored: BudgetPreferences, settings: Settings) -> Budget:
    """Of the environment, else what a person stored."""
    fixed = Budget(settings.budget_usd, settings.budget_tokens, settings.budget_minutes)
    return fixed.or_else(Budget(stored.task_usd, stored.task_tokens, stored.task_minutes))


def session_default(stored: BudgetPreferences, settings: Settings) -> Budget:
    fixed = Budget(settings.session_budget_usd, settings.session_budget_tokens, settings.session_budget_minutes)
    return fixed.or_else(Budget(stored.session_usd, stored.session_tokens, stored.session_minutes))


def _amount(kind: BudgetKind, limit: float) -> str | int:
    match kind:
        case BudgetKind.MONEY:
            return f"{limit:,.2f}"
        case BudgetKind.TOKENS:
            return round(limit)
        case BudgetKind.TIME:
            return f"{limit:,g}"


def tell_breaker(tx: Tx, session_id: str, task_id: str, before: Breaker, after: Breaker) -> None:
    for change in _new(before, after):
        told = GuardBreaker(state=change.target.value, trigger=change.trigger, reason=change.context)
        tx.emit(told, session_id=session_id, task_id=task_id)


def _new(before: Breaker, after: Breaker) -> list[BreakerChange]:
    fresh = takewhile(lambda change: (change,) != before.history[-1:], reversed(after.history))
    return list(fresh)[::-1]


def _counts(finished: Finished) -> bool:
    """What a person, a guard or the machinery stopped says nothing about the agent."""
    ended = finished.ended
    stopped = finished.stop is not None and finished.stop not in _TIMED_OUT
    return not stopped and not (ended.outcome == "failed" and ended.error_kind in _NOT_ITS_FAULT)


def _observation(finished: Finished, files: Sequence[str], committed: bool, now: datetime) -> Observation:
    ended, step, progressed = finished.ended, finished.step, bool(files) or committed
    asked = ended.outcome in ("asked", "permission") or finished.question is not None or bool(ended.denied)
    said = ended.outcome == "done"
    return Observation(
        at=now,
        progressed=progressed,
        asked=asked,
        error=_error(finished, progressed or asked),
        work_type=_work_type(ended, files),
        output_length=step.output_to - step.output_from,
        low_confidence=said and confidence(ended.text, step.files_changed).level is Level.LOW,
    )


def _error(finished: Finished, fruitful: bool) -> str:
    """What it ended with. Errors it only talks about count where nothing came of the spawn."""
    ended = finished.ended
    if finished.stop:
        return f"stopped: {finished.stop}"
    if ended.outcome in ("failed", "crashed"):
        return signature(ended.message) or ended.outcome
    told = [] if fruitful else errors_in(ended.text)
    return signature(told[-1]) if told else ""


def _work_type(ended: Ended, files: Sequence[str]) -> WorkType | None:
    """What the agent says it works on, else what the changed files are."""
    said = [found.work_type for found in contents(ended.text) if isinstance(found, StatusSaid)]
    if said and said[-1]:
        return said[-1]
    return WorkType.TESTING if files and all(is_test(path) for path in files) else None


def withheld(step: Step) -> Step:
    return replace(step, outcome=holds.HELD)
