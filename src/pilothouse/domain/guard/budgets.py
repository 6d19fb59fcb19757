"""Budgets: how much money, how many tokens and how much time a person is ready to spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal


class BudgetKind(StrEnum):
    MONEY = "money"
    TOKENS = "tokens"
    TIME = "time"


Scope = Literal["task", "session"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent; None is without limit."""

    usd: float | None = None
    tokens: int | None = None
    minutes: float | None = None

    def or_else(self, default: Budget) -> Budget:
        return Budget(
            default.usd if self.usd is None else self.usd,
            default.tokens if self.tokens is None else self.tokens,
            default.minutes if self.minutes is None else self.minutes,
        )

    def limit(self, kind: BudgetKind) -> float | None:
        return {BudgetKind.MONEY: self.usd, BudgetKind.TOKENS: self.tokens, BudgetKind.TIME: self.minutes}[kind]

    def raised(self, kind: BudgetKind, to: float) -> Budget:
        if kind is BudgetKind.MONEY:
            return replace(self, usd=to)
        return replace(self, tokens=round(to)) if kind is BudgetKind.TOKENS else replace(self, minutes=to)

    def changed(self, parts: Mapping[str, float | None]) -> Budget:
        """The budget with other values for some of `usd`, `tokens` and `minutes`."""
        tokens = parts.get("tokens", self.tokens)
        return Budget(
            parts.get("usd", self.usd), None if tokens is None else round(tokens), parts.get("minutes", self.minutes)
        )

    def __bool__(self) -> bool:
        return any(self.limit(kind) is not None for kind in BudgetKind)


@dataclass(frozen=True, slots=True)
class Spent:
    usd: float = 0.0
    tokens: int = 0
    minutes: float = 0.0

    def plus(self, other: Spent) -> Spent:
        return Spent(self.usd + other.usd, self.tokens + other.tokens, self.minutes + other.minutes)

    def of(self, kind: BudgetKind) -> float:
        return {BudgetKind.MONEY: self.usd, BudgetKind.TOKENS: self.tokens, BudgetKind.TIME: self.minutes}[kind]


@dataclass(frozen=True, slots=True)
class Overspent:
    kind: BudgetKind
    scope: Scope
    spent: float
    limit: float


_CENT = 1e-9


def overspent(budget: Budget, spent: Spent, scope: Scope) -> Overspent | None:
    """The first limit that is reached. A budget spent to the last cent has nothing left for another run."""
    for kind in BudgetKind:
        limit = budget.limit(kind)
        if limit is not None and spent.of(kind) >= limit - _CENT:
            return Overspent(kind, scope, spent.of(kind), limit)
    return None
