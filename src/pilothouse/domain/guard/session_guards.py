"""What the guards remember of a session."""

from __future__ import annotations

from dataclasses import dataclass, field

from pilothouse.domain.guard.breaker import Breaker
from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.guard.exit_signals import ExitSignals


@dataclass(frozen=True, slots=True)
class SessionGuards:
    session_id: str
    breaker: Breaker = field(default_factory=Breaker)
    signals: ExitSignals = field(default_factory=ExitSignals)
    unlimited: bool = False
    """Whether the person lifted the hourly limit for this session."""
    budget: Budget = field(default_factory=Budget)
