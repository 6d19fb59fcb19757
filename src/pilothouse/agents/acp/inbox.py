"""What waits to be told: what the agent said, what it asks, and that its turn is over."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from acp.schema import PromptResponse

from pilothouse.agents.acp.forms import Form
from pilothouse.domain.ports import AgentEvent, Decision, Permission

_FULL = 1000


@dataclass(eq=False, slots=True)
class OpenRequest:
    """A request of the agent that only a person can answer; it stays open for as long as the process is kept."""

    answer: asyncio.Future[object]
    permission: Permission | None = None
    plan: str | None = None
    form: Form | None = None
    call_id: str = ""

    def decide(self, decision: Decision) -> None:
        self._settle(decision)

    def fill(self, content: dict[str, object]) -> None:
        self._settle(content)

    def cancel(self) -> None:
        self._settle(None)

    def _settle(self, value: object) -> None:
        if not self.answer.done():
            self.answer.set_result(value)


@dataclass(frozen=True, slots=True)
class Over:
    """The agent's turn has ended, well or not."""

    response: PromptResponse | None = None
    error: Exception | None = None


Item = AgentEvent | OpenRequest | Over


class Inbox:
    """Between the connection and whoever follows the run. When it is full the agent waits."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._news = asyncio.Event()
        self._space = asyncio.Event()
        self._space.set()
        self._open = True

    def put(self, *items: Item) -> None:
        self._items.extend(items)
        if items:
            self._news.set()
        if self._open and len(self._items) >= _FULL:
            self._space.clear()

    async def get(self) -> Item:
        while not self._items:
            self._news.clear()
            await self._news.wait()
        item = self._items.popleft()
        if len(self._items) < _FULL // 2:
            self._space.set()
        return item

    async def room(self) -> None:
        await self._space.wait()

    def clear(self) -> None:
        """Forget what was said when nobody followed, such as a transcript that is played again."""
        for item in self._items:
            if isinstance(item, OpenRequest):
                item.cancel()
        self._items.clear()
        self._space.set()

    def drain(self) -> None:
        """Nobody will read any more: hold nothing up."""
        self._open = False
        self._space.set()
