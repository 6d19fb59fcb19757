"""What the log says of the guards that stop a run before it wastes time, money or trust."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from pilothouse.domain.event.payload import EventData


class GuardTimeout(EventData):
    type = "guard.timeout"
    attempt: int
    limit: Literal["idle", "hard"]
    seconds: float


class GuardAbsent(EventData):
    """The program is gone and nothing was heard for as long as the setting allows."""

    type = "guard.absent"
    attempt: int
    silent_seconds: float


class GuardStrays(EventData):
    type = "guard.strays"
    ended: list[str]
    remaining: list[str] = Field(default=[])
    """Those that could not be ended."""


class GuardBreaker(EventData):
    """The circuit breaker changed its state, or warned: then `state` is as it was."""

    type = "guard.breaker"
    state: Literal["CLOSED", "HALF_OPEN", "OPEN"]
    trigger: str
    reason: str


class GuardLimit(EventData):
    type = "guard.limit"
    attempt: int
    kind: Literal["hourly", "provider"]
    until: datetime | None = None
    message: str = ""


class GuardBudget(EventData):
    type = "guard.budget"
    attempt: int
    kind: Literal["money", "tokens", "time"]
    scope: Literal["task", "session"]
    spent: float
    limit: float


class GuardDecided(EventData):
    """What the person decided about a task that a guard holds."""

    type = "guard.decided"
    attempt: int
    choice: str
    amount: float | None = None


EVENTS: tuple[type[EventData], ...] = (
    GuardTimeout,
    GuardAbsent,
    GuardStrays,
    GuardBreaker,
    GuardLimit,
    GuardBudget,
    GuardDecided,
)
