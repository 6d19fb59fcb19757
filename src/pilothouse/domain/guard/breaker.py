"""The circuit breaker: notices that a session runs in circles, before it costs more.

CLOSED → HALF_OPEN (the next spawn asks the person first) → OPEN (nothing runs until a person resets it). What counts:

- Only editor spawns of the work itself. Scouts, summaries, verifications, and what the debug loop or the completion
  guard repeats have counters of their own.
- Progress is what the tree says: a changed file or a commit. It takes back every suspicion.
- An agent that asks, or waits for a permission, is not idle.
- Words alone (few of them, unsure ones) only matter where nothing was done.
- A person who says something new is guidance: it closes a half-open breaker. An open one is closed by a reset alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from pilothouse.domain.talk.marker_contents import WorkType
from pilothouse.words import say
from pilothouse.words.fields import Words

NO_CHANGE = 3
SAME_ERROR = 5
TEST_ONLY = 3
DECLINE = 0.7
WORTH_MEASURING = 400
"""Characters an answer must have had for a shorter one to mean anything."""
HISTORY = 100


class BreakerState(StrEnum):
    CLOSED = "CLOSED"
    HALF_OPEN = "HALF_OPEN"
    OPEN = "OPEN"


class Trigger(StrEnum):
    NO_CHANGE = "no_file_changes"
    SAME_ERROR = "same_error"
    TEST_ONLY = "test_only"
    DECLINE = "declining_output"
    LOW_CONFIDENCE = "low_confidence"
    PROGRESS = "progress"
    PERSON = "user_intervention"


@dataclass(frozen=True, slots=True)
class Observation:
    """What one editor spawn came to."""

    at: datetime
    progressed: bool = False
    """It changed files, or made a commit."""
    asked: bool = False
    """It put a question, a plan or a permission to the person, or was denied a tool it needed."""
    error: str = ""
    """The signature of the error it ended with; empty without one."""
    work_type: WorkType | None = None
    output_length: int = 0
    low_confidence: bool = False


@dataclass(frozen=True, slots=True)
class BreakerChange:
    """One line of the history. `source` and `target` are equal for a mere warning."""

    at: datetime
    source: BreakerState
    target: BreakerState
    trigger: Trigger
    spawn_count: int
    context: Words


@dataclass(frozen=True, slots=True)
class Breaker:
    state: BreakerState = BreakerState.CLOSED
    reason: Words = ""
    """Why it is not closed, for a person."""
    spawns: int = 0
    idle: int = 0
    """Spawns in a row that changed nothing."""
    errors: int = 0
    """How often `error` came in a row."""
    error: str = ""
    test_only: int = 0
    last_output_length: int = 0
    history: tuple[BreakerChange, ...] = ()

    def observe(self, seen: Observation) -> Breaker:
        after = replace(
            self,
            spawns=self.spawns + 1,
            idle=0 if seen.progressed or seen.asked else self.idle + 1,
            errors=(self.errors + 1 if seen.error == self.error else 1) if seen.error else 0,
            error=seen.error,
            test_only=self.test_only + 1 if seen.work_type is WorkType.TESTING else 0,
            last_output_length=seen.output_length,
        )
        if after.errors >= SAME_ERROR:
            same = say("breaker.same_error", count=after.errors)
            return after._go(BreakerState.OPEN, Trigger.SAME_ERROR, same, seen.at)
        if seen.progressed:
            after = after._progressed(seen.at)
        elif not seen.asked:
            after = after._doubt(seen, self.last_output_length)
        return after._warn(seen.at)

    def guided(self, at: datetime) -> Breaker:
        """A person said something new: what went before is no longer a run in circles. Errors are still counted."""
        eased = replace(self, idle=0, test_only=0, last_output_length=0)
        if self.state is not BreakerState.HALF_OPEN:
            return eased
        return eased._go(BreakerState.CLOSED, Trigger.PERSON, say("breaker.guided"), at)

    def reset(self, at: datetime) -> Breaker:
        """A person decided to go on."""
        fresh = replace(self, idle=0, errors=0, error="", test_only=0, last_output_length=0)
        return fresh._go(BreakerState.CLOSED, Trigger.PERSON, say("breaker.reset"), at)

    def _progressed(self, at: datetime) -> Breaker:
        if self.state is not BreakerState.HALF_OPEN:
            return self
        return self._go(BreakerState.CLOSED, Trigger.PROGRESS, say("breaker.progress"), at)

    def _doubt(self, seen: Observation, before: int) -> Breaker:
        half = BreakerState.HALF_OPEN
        if self.idle >= NO_CHANGE:
            return self._go(half, Trigger.NO_CHANGE, say("breaker.no_change", count=self.idle), seen.at)
        if before >= WORTH_MEASURING and seen.output_length <= before * (1 - DECLINE):
            share = round(100 - 100 * seen.output_length / before)
            return self._go(half, Trigger.DECLINE, say("breaker.decline", percent=share), seen.at)
        if seen.low_confidence and not seen.error:
            return self._go(half, Trigger.LOW_CONFIDENCE, say("breaker.unsure"), seen.at)
        return self

    def _warn(self, at: datetime) -> Breaker:
        """Warns of work on tests only, each time it reaches the threshold."""
        if self.test_only == 0 or self.test_only % TEST_ONLY:
            return self
        said = say("breaker.test_only", count=self.test_only)
        change = BreakerChange(at, self.state, self.state, Trigger.TEST_ONLY, self.spawns, said)
        return replace(self, history=(*self.history, change)[-HISTORY:])

    def _go(self, target: BreakerState, trigger: Trigger, said: str, at: datetime) -> Breaker:
        """Changes the state. An open breaker is closed by a person's reset, and by nothing else."""
        if self.state is target or (self.state is BreakerState.OPEN and trigger is not Trigger.PERSON):
            return self
        change = BreakerChange(at, self.state, target, trigger, self.spawns, said)
        reason = "" if target is BreakerState.CLOSED else say("breaker.reason", said=said)
        return replace(self, state=target, reason=reason, history=(*self.history, change)[-HISTORY:])
