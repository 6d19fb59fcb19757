"""Conversations whose program is kept for the session's next turn, or for the answer to what it asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pilothouse.agents.acp.conversation import Conversation, Launch
from pilothouse.domain.clock import Clock


@dataclass(frozen=True, slots=True)
class Kept:
    conversation: Conversation
    timer: asyncio.Task[None]


class Pool:
    """At most one for each of our sessions, and few in all: an agent that waits holds hundreds of megabytes."""

    def __init__(self, clock: Clock, seconds: float, most: int, grace: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._most = most
        self._grace = grace
        self._kept: dict[str, Kept] = {}

    def limit(self, most: int, seconds: float) -> None:
        """From the next one on: those that wait are ended when their time is over, or when another needs the room."""
        self._most, self._seconds = most, seconds

    async def put(self, session: str, conversation: Conversation) -> None:
        await self.forget(session)
        while self._kept and len(self._kept) >= self._most:
            await self.forget(next(iter(self._kept)))
        if self._most < 1:
            await conversation.end(self._grace)
            return
        timer = asyncio.create_task(self._expire(session, conversation), name=f"kept agent of {session}")
        self._kept[session] = Kept(conversation, timer)

    async def take(self, session: str, resume: str | None, launch: Launch) -> Conversation | None:
        """The one that holds this very conversation; any other of the session would be stale from now on."""
        kept = self._kept.pop(session, None)
        if kept is None:
            return None
        kept.timer.cancel()
        held = kept.conversation
        same = held.session == resume if held.prompted else resume is None
        if same and held.launch == launch and held.alive():
            return held
        await held.end(self._grace)
        return None

    def holds(self, session: str) -> bool:
        return session in self._kept

    async def forget(self, session: str | None = None) -> None:
        names = [session] if session is not None else list(self._kept)
        gone = [kept for name in names if (kept := self._kept.pop(name, None))]
        for kept in gone:
            kept.timer.cancel()
        await asyncio.gather(*(kept.conversation.end(self._grace) for kept in gone))

    async def _expire(self, session: str, conversation: Conversation) -> None:
        await self._clock.sleep(self._seconds)
        kept = self._kept.get(session)
        if kept and kept.conversation is conversation:
            del self._kept[session]
            await conversation.end(self._grace)
