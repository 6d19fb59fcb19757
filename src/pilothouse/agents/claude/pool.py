"""Processes kept warm: the one of each open session after its turn, and one prepared for a new session.

A kept process serves a run only if it believes what is stored: the same conversation, as many turns, nothing said in
it by anybody else since. It is ended when its session is rolled back or closed, when nobody needed it for a while,
when memory is short, and when there are too many.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from pilothouse.domain.clock import Clock
from pilothouse.domain.ports import SpawnRequest

if TYPE_CHECKING:
    from pilothouse.agents.claude.conversation import Conversation

log = logging.getLogger(__name__)
_LOOK_EVERY = 15.0
"""How often memory is looked at while a process is kept."""


@dataclass(frozen=True, slots=True)
class Kept:
    conversation: Conversation
    since: float


def available_mb() -> float:
    return float(psutil.virtual_memory().available) / (1 << 20)


class Pool:
    def __init__(
        self,
        clock: Clock,
        *,
        most: int,
        idle_seconds: float,
        memory_floor_mb: float,
        memory: Callable[[], float] = available_mb,
    ) -> None:
        self._clock = clock
        self._most = most
        self._idle = idle_seconds
        self._floor = memory_floor_mb
        self._memory = memory
        self._kept: dict[str, Kept] = {}
        """By our session, the longest unused first."""
        self._prepared: Kept | None = None
        self._sweeper: asyncio.Task[None] | None = None
        self._ending: dict[asyncio.Task[None], str | None] = {}
        """With the conversation each held."""
        self._preparing = asyncio.Lock()

    @property
    def sessions(self) -> tuple[str, ...]:
        return tuple(self._kept)

    def kept(self, session: str) -> Conversation | None:
        found = self._kept.get(session)
        return found.conversation if found else None

    @property
    def prepared(self) -> Conversation | None:
        return self._prepared.conversation if self._prepared else None

    def limit(self, most: int, idle_seconds: float) -> None:
        """What is over the new limits goes."""
        self._most, self._idle = most, idle_seconds
        self._make_room()
        if self._prepared and most < 1:
            self._end(self._prepared.conversation)
            self._prepared = None

    async def take(self, request: SpawnRequest, key: str, turns: int) -> Conversation | None:
        """A process for this run, if one fits; what is kept for the session and does not fit is ended."""
        kept = self._kept.get(request.session)
        if kept and request.read_only and kept.conversation.id != request.resume:
            # One that only looks, beside the conversation: that waits for its own next turn.
            return None
        self._kept.pop(request.session, None)
        if kept and _fits(kept.conversation, request, key, turns):
            return kept.conversation
        if kept:
            self._end(kept.conversation)
        await self._written(request.resume)
        prepared = self._prepared
        if request.resume is not None or prepared is None or prepared.conversation.launch.key != key:
            return None
        self._prepared = None
        if prepared.conversation.spawned.alive():
            return prepared.conversation
        self._end(prepared.conversation)
        return None

    async def keep(self, session: str, conversation: Conversation) -> bool:
        """False when there is no room for it; then the caller ends it."""
        if self._most < 1 or self._short():
            return False
        if earlier := self._kept.pop(session, None):
            self._end(earlier.conversation)
        self._kept[session] = Kept(conversation, self._clock.monotonic())
        self._make_room()
        self._watch()
        return True

    async def prepare(
        self, request: SpawnRequest, key: str, turns: int, make: Callable[[], Awaitable[Conversation]]
    ) -> None:
        """Start a process for a run like this one, unless there is one or no room."""
        async with self._preparing:
            if self._most < 1 or self._short():
                return
            if request.resume is not None:
                await self._prepare_next_turn(request, key, turns, make)
                return
            prepared = self._prepared
            if prepared and prepared.conversation.launch.key == key and prepared.conversation.spawned.alive():
                return
            if prepared:
                self._end(prepared.conversation)
            self._prepared = Kept(await make(), self._clock.monotonic())
            self._make_room()
            self._watch()

    async def _prepare_next_turn(
        self, request: SpawnRequest, key: str, turns: int, make: Callable[[], Awaitable[Conversation]]
    ) -> None:
        kept = self._kept.get(request.session)
        if not request.session or (kept and _believes(kept.conversation, request, key, turns)):
            return
        await self.forget(request.session)
        await self._written(request.resume)
        await self.keep(request.session, await make())

    async def forget(self, session: str | None = None) -> None:
        """Returns when the processes have ended."""
        if session is not None:
            kept = self._kept.pop(session, None)
            if kept:
                await kept.conversation.end()
            return
        for each in self._everyone():
            self._end(each.conversation)
        self._kept.clear()
        self._prepared = None
        if self._sweeper:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)
            self._sweeper = None
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def _written(self, conversation: str | None) -> None:
        """A process that ends writes the conversation's record to its end, and the next process reads it."""
        await asyncio.gather(*(task for task, name in self._ending.items() if name and name == conversation))

    def _everyone(self) -> list[Kept]:
        return [*self._kept.values(), *([self._prepared] if self._prepared else [])]

    def _short(self) -> bool:
        return self._memory() < self._floor

    def _make_room(self) -> None:
        """The one prepared for a new chat is the last to go: it serves whoever comes."""
        while self._kept and len(self._everyone()) > self._most:
            session = next(iter(self._kept))
            self._end(self._kept.pop(session).conversation)

    def _watch(self) -> None:
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.create_task(self._sweep(), name="claude pool")

    async def _sweep(self) -> None:
        """Ends by itself when nothing is kept: an idle server does nothing."""
        while everyone := self._everyone():
            oldest = min(kept.since for kept in everyone) + self._idle - self._clock.monotonic()
            await self._clock.sleep(max(0.05, min(oldest, _LOOK_EVERY)))
            now = self._clock.monotonic()
            for session, kept in list(self._kept.items()):
                if now - kept.since >= self._idle or not kept.conversation.spawned.alive():
                    self._end(self._kept.pop(session).conversation)
            prepared = self._prepared
            if prepared and (now - prepared.since >= self._idle or not prepared.conversation.spawned.alive()):
                self._prepared = None
                self._end(prepared.conversation)
            if self._short():
                self._drop_all()

    def _drop_all(self) -> None:
        log.info("memory is short: %d kept Claude processes are ended", len(self._everyone()))
        for kept in self._everyone():
            self._end(kept.conversation)
        self._kept.clear()
        self._prepared = None

    def _end(self, conversation: Conversation) -> None:
        task = asyncio.create_task(conversation.end(), name="end a kept Claude process")
        self._ending[task] = conversation.id
        task.add_done_callback(self._ending.pop)


def _fits(conversation: Conversation, request: SpawnRequest, key: str, turns: int) -> bool:
    if not _believes(conversation, request, key, turns):
        return False
    if conversation.open:
        # Its call is still open, so it can only be answered.
        return request.decision is not None or bool(request.answers) or request.reply is not None
    return conversation.quiet()


def _believes(conversation: Conversation, request: SpawnRequest, key: str, turns: int) -> bool:
    """Whether it holds the very conversation that is stored, started as this run would start it."""
    if not conversation.spawned.alive() or conversation.launch.key != key or conversation.id != request.resume:
        return False
    return conversation.turns == turns and not conversation.stale()
