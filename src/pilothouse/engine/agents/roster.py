"""The agents there are: those built in, and those of the person's own, which come and go while Pilothouse runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pilothouse.domain.ports import Agent
from pilothouse.domain.preferences import CustomAgent


class Roster(Mapping[str, Agent]):
    """In the order they are offered: real ones, the person's own, and last the one that only rehearses."""

    def __init__(
        self, real: Mapping[str, Agent], last: Mapping[str, Agent], build: Callable[[CustomAgent], Agent] | None = None
    ) -> None:
        self._real, self._last = dict(real), dict(last)
        self._build = build
        self._custom: dict[str, tuple[CustomAgent, Agent]] = {}

    def __getitem__(self, name: str) -> Agent:
        if name in self._custom:
            return self._custom[name][1]
        return self._real[name] if name in self._real else self._last[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._real, *self._custom, *self._last))

    def __len__(self) -> int:
        return len(self._real) + len(self._custom) + len(self._last)

    @property
    def built_in(self) -> frozenset[str]:
        return frozenset((*self._real, *self._last))

    @property
    def custom(self) -> frozenset[str]:
        return frozenset(self._custom)

    async def take_on(self, wanted: Sequence[CustomAgent]) -> set[str]:
        """Sets exactly these; returns which ones changed. A removed agent ends its warm processes; its runs finish."""
        before = self._custom
        kept = {custom.name: before[custom.name] for custom in wanted if before.get(custom.name, (None,))[0] == custom}
        build = self._build
        self._custom = {
            custom.name: kept.get(custom.name) or (custom, build(custom)) for custom in wanted if build is not None
        }
        gone = [agent for name, (_, agent) in before.items() if name not in kept]
        for agent in gone:
            await agent.forget()
        return (before.keys() | self._custom.keys()) - kept.keys()
