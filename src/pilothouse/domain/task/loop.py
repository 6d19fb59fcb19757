"""Decides after a failed verification: fix the change, rethink, or stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

LOOPS = 12
REPLAN_AFTER = 3


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
