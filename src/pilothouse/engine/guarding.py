"""The guards around a spawn: whether it may begin, whether it may go on, and what it came to.

A guard that says no stops the whole attempt: the task then waits for the person with what was done so far, as after
any other stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from pilothouse.domain.breaker import Breaker, BreakerChange, BreakerState, Observation
from pilothouse.domain.budgets import Budget, BudgetKind, Overspent, Spent, overspent
from pilothouse.domain.confidence import Level, confidence
from pilothouse.domain.error_filter import errors_in, signature
from pilothouse.domain.exit_signals import SpawnSigns, claims_completion
from pilothouse.domain.guard_events import GuardBreaker
from pilothouse.domain.guards import SessionGuards
from pilothouse.domain.limits import (
    Hold,
    HoldKind,
    hour_of,
    next_hour,
    provider_limit,
    retry_at,
    used,
)
from pilothouse.domain.marker_contents import StatusSaid, WorkType, contents
from pilothouse.domain.ports import Ended, Usage
from pilothouse.domain.sessions import SessionKind
from pilothouse.domain.tasks import ErrorKind, Step, StepKind
from pilothouse.engine.watch import Stop
from pilothouse.settings import Settings
from pilothouse.store import limits, preferences, sessions
from pilothouse.store.database import Tx
from pilothouse.verify.tamper.paths import is_test

if TYPE_CHECKING:
    from pilothouse.engine.outcome import Finished
    from pilothouse.engine.stepping import Steps, Turn

_TOLD = {
    BudgetKind.MONEY: "The budget of ${limit:,.2f} is used up",
    BudgetKind.TOKENS: "The budget of {limit:,.0f} tokens is used up",
    BudgetKind.TIME: "The budget of {limit:,g} minutes is used up",
}
_NOT_ITS_FAULT = (ErrorKind.CREDENTIALS, ErrorKind.CONFIGURATION, ErrorKind.INFRASTRUCTURE)
_BY_ITSELF = ("done", "asked", "permission")
_TIMED_OUT = (Stop.IDLE, Stop.HARD, Stop.ABSENT)


class Guard:
    """One attempt's: what it may still spend, and why it was held."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._runtime = steps.runtime
        self.hold: Hold | None = None
        self._budgets: tuple[tuple[Budget, Spent, bool], ...] | None = None
        """The task's and the session's, each with what was spent of it before."""
        self._began = self._runtime.clock.now()
        self._live = Spent()
        self._unsaved_tokens = 0

    async def before_spawn(self, turn: Turn, guided: bool = False) -> None:
        """Stop the attempt where a limit, a budget or the breaker says so; the spawn's step is a row already.

        `guided`: a person said something new that this turn tells.
        """
        if self._steps.stopped:
            return
        if self._budgets is None:
            self._began = self._runtime.clock.now()
            self._budgets = await self._runtime.store.read(self._read_budgets)
        if turn.kind is StepKind.EDIT:
            await self._ask_breaker(guided or turn.reply is not None)
        self._check_budgets()
        await self._check_hour()

    def use(self, usage: Usage) -> None:
        """What the agent tells of its cost while it runs."""
        spent = used(usage)
        self._live = self._live.plus(spent)
        self._unsaved_tokens += spent.tokens
        self._check_budgets()

    @asynccontextmanager
    async def timing(self) -> AsyncIterator[None]:
        """Stop what runs when the time of a budget is over."""
        left = self._seconds_left()
        if left is None:
            yield
            return
        timer = asyncio.create_task(self._at_end_of_time(left))
        try:
            yield
        finally:
            timer.cancel()
            await asyncio.gather(timer, return_exceptions=True)

    async def ended(self, ended: Ended, stop: Stop | None) -> Stop | None:
        """Why the run was stopped, or ended at the provider's limit; keeps the tokens it used."""
        task, tokens, now = self._steps.task, self._unsaved_tokens, self._runtime.clock.now()
        self._unsaved_tokens = 0
        if tokens:
            await self._runtime.store.write(lambda tx: limits.spend_tokens(tx, task.id, task.session_id, tokens))
        if stop is not None and self._steps.stopped and self._steps.stopped.outranks(stop):
            return self._steps.stopped
        if stop is Stop.BUDGET and ended.outcome in _BY_ITSELF:
            # The bill came with the end: what is done is done, and the next spawn is the one that asks.
            self._steps.stopped = self.hold = None
            return None
        found = None if stop or self._steps.stopped else provider_limit(ended, now, now.astimezone().tzinfo or UTC)
        if found is None:
            return stop
        self._held("provider", found.message or "The provider takes no more for now.", until=retry_at(found, now))
        self._steps.stop(Stop.LIMIT)
        return Stop.LIMIT

    async def after_spawn(self, finished: Finished, files: Sequence[str], committed: bool) -> None:
        """Tell the breaker what an editor spawn came to."""
        if finished.step.kind is not StepKind.EDIT or not _counts(finished):
            return
        seen = _observation(finished, files, committed, self._runtime.clock.now())
        session_id = self._steps.task.session_id

        def write(tx: Tx) -> None:
            before = limits.of_session(tx.conn, session_id)
            breaker = before.breaker.observe(seen)
            signs = SpawnSigns(
                spawn=breaker.spawns,
                test_only=seen.work_type is WorkType.TESTING,
                completion=finished.ended.outcome == "done" and claims_completion(finished.ended.text),
                no_progress=not (seen.progressed or seen.asked),
            )
            limits.save(tx, replace(before, breaker=breaker, signals=before.signals.after(signs)))
            tell_breaker(tx, session_id, self._steps.task.id, before.breaker, breaker)

        await self._runtime.store.write(write)

    def _read_budgets(self, c: Connection) -> tuple[tuple[Budget, Spent, bool], ...]:
        """Only what has a limit is added up."""
        task, settings = self._steps.task, self._runtime.settings
        of_task = task.options.budget.or_else(task_default(c, settings))
        of_session = limits.of_session(c, task.session_id).budget.or_else(session_default(c, settings))
        return (
            (of_task, limits.spent_by_task(c, task.id) if of_task else Spent(), False),
            (of_session, limits.spent_by_session(c, task.session_id) if of_session else Spent(), True),
        )

    def _spending(self) -> Spent:
        minutes = (self._runtime.clock.now() - self._began).total_seconds() / 60
        return replace(self._live, minutes=max(0.0, minutes))

    def _check_budgets(self) -> None:
        for budget, before, whole in self._budgets or ():
            over = overspent(budget, before.plus(self._spending()), "session" if whole else "task")
            if over:
                return self._over(over)
        return None

    def _over(self, over: Overspent) -> None:
        words = _TOLD[over.kind].format(limit=over.limit)
        whose = "this task" if over.scope == "task" else "the whole session"
        hold = self._held(over.kind.value, f"{words} for {whose}.")
        if hold:
            self.hold = replace(hold, scope=over.scope, spent=over.spent, limit=over.limit)
            self._steps.stop(Stop.BUDGET)

    def _seconds_left(self) -> float | None:
        spent = self._spending()
        limited = [(budget.minutes, before.minutes) for budget, before, _ in self._budgets or ()]
        left = [limit - before - spent.minutes for limit, before in limited if limit is not None]
        return max(0.0, min(left) * 60) if left else None

    async def _at_end_of_time(self, seconds: float) -> None:
        while True:
            await self._runtime.clock.sleep(seconds)
            self._check_budgets()
            # The clock that waits and the one that counts may differ by a hair.
            seconds = max(self._seconds_left() or 0.0, 0.05)

    async def _check_hour(self) -> None:
        task, now = self._steps.task, self._runtime.clock.now()
        most = self._runtime.settings.max_calls_per_hour

        def reached(c: Connection) -> bool:
            return limits.spawns_since(c, hour_of(now)) > most and not limits.of_session(c, task.session_id).unlimited

        if await self._runtime.store.read(reached) and self._held("hourly", _hourly(most), until=next_hour(now)):
            self._steps.stop(Stop.LIMIT)

    async def _ask_breaker(self, told: bool) -> None:
        """A person who says something new closes a half-open breaker; else one that is not closed asks first."""
        task, now = self._steps.task, self._runtime.clock.now()

        def read(c: Connection) -> tuple[SessionGuards, bool]:
            session = sessions.get(c, task.session_id)
            said = task.attempt == 1 and session is not None and session.kind is SessionKind.CHAT
            return limits.of_session(c, task.session_id), said or told

        def ease(tx: Tx) -> Breaker:
            before = limits.of_session(tx.conn, task.session_id)
            after = before.breaker.guided(now)
            limits.save(tx, replace(before, breaker=after))
            tell_breaker(tx, task.session_id, task.id, before.breaker, after)
            return after

        guards, guided = await self._runtime.store.read(read)
        breaker = guards.breaker
        if guided and breaker.guided(now) != breaker:
            breaker = await self._runtime.store.write(ease)
        if breaker.state is not BreakerState.CLOSED and self._held("breaker", breaker.reason):
            self._steps.stop(Stop.BREAKER)

    def _held(self, kind: HoldKind, message: str, until: datetime | None = None) -> Hold | None:
        """Note why, unless the attempt is stopped for another reason already."""
        if self.hold or self._steps.stopped:
            return None
        task, now = self._steps.task, self._runtime.clock.now()
        self.hold = Hold(task.id, task.session_id, kind, message, now, until, waiting=until is not None)
        return self.hold


def task_default(c: Connection, settings: Settings) -> Budget:
    """Of the environment, else what a person stored."""
    stored = preferences.load(c).preferences.budgets
    fixed = Budget(settings.budget_usd, settings.budget_tokens, settings.budget_minutes)
    return fixed.or_else(Budget(stored.task_usd, stored.task_tokens, stored.task_minutes))


def session_default(c: Connection, settings: Settings) -> Budget:
    stored = preferences.load(c).preferences.budgets
    fixed = Budget(settings.session_budget_usd, settings.session_budget_tokens, settings.session_budget_minutes)
    return fixed.or_else(Budget(stored.session_usd, stored.session_tokens, stored.session_minutes))


def _hourly(most: int) -> str:
    return f"{most:,} agent runs were started this hour, which is the limit (MAX_CALLS_PER_HOUR)."


def tell_breaker(tx: Tx, session_id: str, task_id: str, before: Breaker, after: Breaker) -> None:
    for change in _new(before, after):
        told = GuardBreaker(state=change.target.value, trigger=change.trigger, reason=change.context)
        tx.emit(told, session_id=session_id, task_id=task_id)


def _new(before: Breaker, after: Breaker) -> list[BreakerChange]:
    known = before.history[-1:] or ()
    return [change for change in after.history if change not in before.history] if after.history[-1:] != known else []


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


def held_step(step: Step) -> Step:
    return replace(step, outcome=limits.HELD)
