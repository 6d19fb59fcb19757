"""What a conversation has used: the program's own figures, and what is counted until it gives them.

The program's figures are running totals over the whole conversation, resumed or not, with its subagents. Until it gives
them, each request is counted as the stream tells of it, its money by what the same model cost in earlier figures.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

_AS_INPUT = {"input": 1.0, "output": 5.0, "cache_read": 0.1, "cache_write": 1.25}
"""What a token of each sort weighs beside one that is read anew: so the provider prices all of its models."""
_NAMES = {
    "inputTokens": "input",
    "outputTokens": "output",
    "cacheReadInputTokens": "cache_read",
    "cacheCreationInputTokens": "cache_write",
}


@dataclass(frozen=True, slots=True)
class Figures:
    cost: float = 0.0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @classmethod
    def of(cls, cost: float, models: object) -> Self:
        """From a total and the program's list of models."""
        every = [_tokens(one) for one in models.values()] if isinstance(models, Mapping) else []
        return cls(cost, **{name: sum(one[name] for one in every) for name in _AS_INPUT})

    def plus(self, other: Figures) -> Figures:
        return Figures(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def minus(self, other: Figures) -> Figures:
        return Figures(*(getattr(self, name) - getattr(other, name) for name in self.__slots__))

    @property
    def weight(self) -> float:
        return float(sum(getattr(self, name) * weight for name, weight in _AS_INPUT.items()))


@dataclass(slots=True)
class Account:
    """Of one conversation."""

    settled: Figures = field(default_factory=Figures)
    """The program's total as it was when it was last told of."""
    counted: Figures = field(default_factory=Figures)
    """What was told since, without figures of the program."""

    def count(self, used: Figures) -> Figures:
        self.counted = self.counted.plus(used)
        return used

    def settle(self, total: Figures) -> Figures:
        """What is still to be told, now that the program says what it comes to; less than nothing takes back."""
        rest = total.minus(self.settled).minus(self.counted)
        self.settled, self.counted = total, Figures()
        return rest


class Prices:
    """Dollars for a token that is read anew, by model, from the program's own figures. Kept for the next server."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, float] | None = None

    def of(self, model: str) -> float | None:
        return self._load().get(model)

    def learn(self, models: object) -> bool:
        """Whether that is news, which `keep` should write."""
        known = self._load()
        fresh = {name: price for name, price in _prices(models).items() if known.get(name) != price}
        known.update(fresh)
        return bool(fresh)

    def keep(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f".{uuid4().hex}")
        fresh.write_text(json.dumps(self._load()))
        os.replace(fresh, self._path)  # noqa: PTH105 - the atomic one

    def _load(self) -> dict[str, float]:
        if self._known is None:
            try:
                found = json.loads(self._path.read_bytes())
                self._known = {str(name): float(price) for name, price in found.items()}
            except (OSError, ValueError, TypeError, AttributeError):
                self._known = {}
        return self._known


def _prices(models: object) -> dict[str, float]:
    if not isinstance(models, Mapping):
        return {}
    found = {}
    for name, one in models.items():
        weight = Figures(0.0, **_tokens(one)).weight
        cost = one.get("costUSD") if isinstance(one, Mapping) else None
        if weight and isinstance(cost, int | float):
            # The same model is also listed under a longer name, which says how much it can hold.
            found[str(name).partition("[")[0]] = cost / weight
    return found


def _tokens(values: object) -> dict[str, int]:
    given: Mapping[Any, Any] = values if isinstance(values, Mapping) else {}
    return {name: value if isinstance(value := given.get(said), int) else 0 for said, name in _NAMES.items()}
