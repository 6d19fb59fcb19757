"""Decides after a failed verification: fix the change, rethink, or stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

LOOPS = 12
REPLAN_AFTER = 3
ANSWER_LIMIT = 1_500
"""How much of what an agent said about an attempt is told on."""


class Next(StrEnum):
    FIX = "fix"
    REPLAN = "replan"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class LoopState:
    """Counts a task's verifications. A soft resume keeps counting, a rollback starts at zero."""

    total: int = 0
    """Verifications that failed so far, plus the one under way."""
    consecutive: int = 0
    replans: int = 0

    def failed(self) -> LoopState:
        """Count a verification that failed. At the last loop the stop wins over a replan."""
        total, consecutive = self.total + 1, self.consecutive + 1
        if total < LOOPS and consecutive >= REPLAN_AFTER:
            return LoopState(total, 0, self.replans + 1)
        return LoopState(total, consecutive, self.replans)

    @property
    def after_failure(self) -> Next:
        """What to do after the last failure, now or when the task is resumed."""
        if self.total >= LOOPS:
            return Next.STOP
        return Next.FIX if self.consecutive else Next.REPLAN

    def passed(self) -> LoopState:
        return replace(self, total=min(self.total + 1, LOOPS), consecutive=0)

    @property
    def upcoming(self) -> int:
        """The number of the verification that comes next, as the person counts them."""
        return min(self.total + 1, LOOPS)


@dataclass(frozen=True, slots=True)
class Tried:
    """One earlier attempt at passing the checks."""

    loop: int
    check: str
    first_failing_line: str
    answer: str
    """What the agent said it did about it."""

    def __str__(self) -> str:
        about = f"Verification {self.loop}: {self.check} failed: {self.first_failing_line}"
        said = " ".join(self.answer.split())[-ANSWER_LIMIT:]
        return f"{about}\n  Done about it: {said}" if said else about
