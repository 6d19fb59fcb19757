"""Decides after a failed verification: fix the change, rethink, or stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

LOOPS = 12
REPLAN_AFTER = 3
VAIN_REPLAN, VAIN_STOP = 2, 3
"""So many fixes in a row that left the very same files and the very same failure call for another way, or end it."""
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
    vain: int = 0
    """Fixes in a row that changed neither the files nor the failure."""

    def failed(self, *, in_vain: bool = False) -> LoopState:
        """Count a verification that failed. The stop wins over a replan."""
        total, consecutive, vain = self.total + 1, self.consecutive + 1, self.vain + 1 if in_vain else 0
        stops = total >= LOOPS or vain >= VAIN_STOP
        if not stops and (consecutive >= REPLAN_AFTER or vain == VAIN_REPLAN):
            return LoopState(total, 0, self.replans + 1, vain)
        return LoopState(total, consecutive, self.replans, vain)

    @property
    def after_failure(self) -> Next:
        """What to do after the last failure, now or when the task is resumed."""
        if self.total >= LOOPS or self.vain >= VAIN_STOP:
            return Next.STOP
        return Next.FIX if self.consecutive else Next.REPLAN

    def passed(self) -> LoopState:
        return replace(self, total=min(self.total + 1, LOOPS), consecutive=0, vain=0)

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
