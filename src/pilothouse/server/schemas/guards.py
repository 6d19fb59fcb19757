"""What a guard holds a task for, and what the person decides about it, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field

from pilothouse.domain.guard.breaker import BreakerState
from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.task.task import TaskStatus
from pilothouse.engine.guard.decisions import Choice
from pilothouse.server.schemas.fields import In, Out, SeenAttempt
from pilothouse.words.fields import Words

if TYPE_CHECKING:
    from pilothouse.domain.guard.breaker import Breaker

Usd = Annotated[float | None, Field(gt=0, le=1_000_000, description="Dollars; null leaves it to the settings.")]
Tokens = Annotated[int | None, Field(gt=0, le=10**12, description="Tokens, without those from the cache.")]
Minutes = Annotated[float | None, Field(gt=0, le=1_000_000, description="Minutes that agents and checks may work.")]


class BudgetFields(In):
    """The parts of a message or a session that limit what it may cost."""

    budget_usd: Usd = None
    budget_tokens: Tokens = None
    budget_minutes: Minutes = None

    @property
    def budget(self) -> Budget:
        return Budget(self.budget_usd, self.budget_tokens, self.budget_minutes)


class SpentSoFar(Out):
    """What was spent by now, also by runs that were cut off; what runs now as far as it was written."""

    usd: float
    tokens: int = Field(description="Without those from the cache.")
    minutes: float


class BudgetLimits(Out):
    usd: float | None
    tokens: int | None
    minutes: float | None


class LimitOut(Out):
    """A limit the task waits for."""

    kind: Literal["hourly", "provider"]
    message: Words
    at: datetime
    until: datetime | None
    waiting: bool = Field(description="Whether it goes on by itself at `until`.")


class SpentOut(Out):
    """A budget that is used up."""

    kind: Literal["money", "tokens", "time"]
    scope: Literal["task", "session"]
    message: Words
    spent: float
    limit: float


class BreakerChangeOut(Out):
    at: datetime
    source: BreakerState
    target: BreakerState
    trigger: str
    spawn_count: int
    context: Words


class BreakerOut(Out):
    state: BreakerState
    reason: Words
    history: list[BreakerChangeOut]

    @classmethod
    def of(cls, breaker: Breaker) -> Self:
        history = [BreakerChangeOut.model_validate(change) for change in reversed(breaker.history)]
        return cls(state=breaker.state, reason=breaker.reason, history=history)


class DecisionIn(In):
    choice: Choice
    amount: float | None = Field(
        None,
        gt=0,
        le=10**12,
        description="With `more` and `replan`: dollars, tokens or minutes; as much again if omitted.",
    )
    attempt: SeenAttempt = None


class DecisionOut(Out):
    success: bool = True
    task_id: str
    choice: Choice
    old_status: TaskStatus
    new_status: TaskStatus
