"""What the log says of the guards that stop a run before it wastes money or trust."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pilothouse.domain.event.payload import EventData


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
