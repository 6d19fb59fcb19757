"""Processes of agents between two runs: the one of each open session, and those prepared for a run that has none.

Whether a kept process fits a run is for its adapter to say; here is when it goes: when its session is rolled back or
closed, when nobody needed it for a while, when memory is short, and when there are too many. One that serves a run at
that moment goes when the run is over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar
from weakref import WeakSet

import psutil

from pilothouse.domain.clock import Clock, SystemClock
from pilothouse.domain.ports import SpawnRequest
from pilothouse.settings import Settings

log = logging.getLogger(__name__)
_LOOK_EVERY = 15.0
"""How often memory is looked at while a process is kept."""


class Process(Protocol):
    """A running program of an agent, and the conversation in it."""

    @property
    def id(self) -> str | None:
        """The agent's own name for the conversation; None before its first turn."""
        ...

    @property
    def launch(self) -> object:
        """What it was started with: two that are equal would start the same."""
        ...

    def alive(self) -> bool: ...

    async def end(self) -> object: ...


P = TypeVar("P", bound=Process)


@dataclass(eq=False)
class Lease:
    """A run, from before its process is chosen until it is over."""

    request: SpawnRequest
    granted: set[str] = field(init=False)
    """The grants of the session now."""
    outdated: bool = False
    """Whether the settings or the memory of its process no longer hold."""
    starting: Process | None = None
    """Slow to start: ended, not awaited, once the lease is stale."""

    def __post_init__(self) -> None:
        self.granted = set(self.request.granted)


@dataclass(frozen=True, slots=True)
class Kept(Generic[P]):
    process: P
    since: float


def available_mb() -> float:
    return float(psutil.virtual_memory().available) / (1 << 20)


class Pool(Generic[P]):
    @classmethod
    def of(cls, settings: Settings) -> Self:
        return cls(
            SystemClock(),
            most=settings.claude_kept,
            idle_seconds=settings.claude_idle_seconds,
            memory_floor_mb=settings.claude_memory_floor_mb,
        )

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
        self._leases: WeakSet[Lease] = WeakSet()
        self._kept: dict[str, Kept[P]] = {}
        """By our session, the longest unused first."""
        self._prepared: list[Kept[P]] = []
        """One for each launch, the longest unused first."""
        self._sweeper: asyncio.Task[None] | None = None
        self._ending: dict[asyncio.Task[None], str | None] = {}
        """With the conversation each held."""
        self._preparing = asyncio.Lock()

    @property
    def sessions(self) -> tuple[str, ...]:
        return tuple(self._kept)

    def kept(self, session: str) -> P | None:
        found = self._kept.get(session)
        return found.process if found else None

    @property
    def prepared(self) -> list[P]:
        return [kept.process for kept in self._prepared]

    def limit(self, most: int, idle_seconds: float) -> None:
        """What is over the new limits goes."""
        self._most, self._idle = most, idle_seconds
        self._make_room()

    def lease(self, request: SpawnRequest) -> Lease:
        """To be held by the run for as long as it lasts."""
        lease = Lease(request)
        self._leases.add(lease)
        return lease

    async def take(self, lease: Lease, launch: object, fits: Callable[[P], bool]) -> P | None:
        """A process for this run, if one fits; what is kept for the session and does not fit is ended."""
        request = lease.request
        kept = self._kept.get(request.session)
        if kept and request.read_only and kept.process.id != request.resume:
            # One that only looks, beside the conversation: that waits for its own next turn.
            return None
        self._kept.pop(request.session, None)
        if kept and fits(kept.process):
            return kept.process
        if kept:
            self._end(kept.process)
        await self._written(request.resume)
        if request.resume is not None or request.read_only:
            return None
        if (prepared := self._prepared_as(launch)) is None:
            return None
        self._prepared.remove(prepared)
        return prepared.process

    def keep(self, lease: Lease, process: P) -> bool:
        """After the run. False when it may not be kept, or there is no room for it; then the caller ends it."""
        if lease.outdated or not self._has_room():
            return False
        session = lease.request.session
        if earlier := self._kept.pop(session, None):
            self._end(earlier.process)
        self._kept[session] = Kept(process, self._clock.monotonic())
        self._make_room()
        self._watch()
        return True

    async def prepare(self, lease: Lease, launch: object, make: Callable[[], Awaitable[P]]) -> None:
        """Start a process for the first run of a new session, unless there is one or no room."""
        async with self._preparing:
            if lease.outdated or not self._has_room() or self._prepared_as(launch):
                return
            made = await make()
            if lease.outdated or not self._has_room():
                await made.end()
                return
            self._prepared.append(Kept(made, self._clock.monotonic()))
            self._make_room()
            self._watch()

    async def revoke(self, session: str, grant: str) -> None:
        """Revokes a grant; a run under way notices at once."""
        for lease in list(self._leases):
            if lease.request.session == session:
                lease.granted.discard(grant)
        # The agent may have been told “always”, where it offers nothing less.
        await self.forget(session)

    async def forget(self, session: str | None = None) -> None:
        """Returns when the kept processes have ended; those in use are not kept any more."""
        for lease in list(self._leases):
            if session in (None, lease.request.session):
                lease.outdated = True
                if lease.starting:
                    self._end(lease.starting)
        if session is not None:
            if kept := self._kept.pop(session, None):
                await kept.process.end()
            return
        self._end_all()
        sweeper, self._sweeper = self._sweeper, None
        if sweeper:
            sweeper.cancel()
            await asyncio.gather(sweeper, return_exceptions=True)
        async with self._preparing:
            pass  # What was being made is ended by its maker, now that the lease is outdated.
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def _written(self, conversation: str | None) -> None:
        """A process that ends writes the conversation's record to its end, and the next process reads it."""
        await asyncio.gather(*(task for task, name in self._ending.items() if name and name == conversation))

    def _everyone(self) -> list[Kept[P]]:
        return [*self._kept.values(), *self._prepared]

    def _prepared_as(self, launch: object) -> Kept[P] | None:
        """The one that was started like this, if it lives."""
        for kept in [kept for kept in self._prepared if kept.process.launch == launch]:
            if kept.process.alive():
                return kept
            self._let_go(kept)
        return None

    def _has_room(self) -> bool:
        return self._most > 0 and not self._short()

    def _short(self) -> bool:
        return self._memory() < self._floor

    def _make_room(self) -> None:
        """The longest unused go first. What was prepared last goes last: whoever asked for it comes next."""
        while len(self._everyone()) > self._most:
            others = [*self._kept.values(), *self._prepared[:-1]] or self._prepared
            self._let_go(min(others, key=lambda kept: kept.since))

    def _watch(self) -> None:
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.create_task(self._sweep(), name="kept processes")

    async def _sweep(self) -> None:
        """Ends when nothing is kept: an idle server does nothing."""
        while everyone := self._everyone():
            oldest = min(kept.since for kept in everyone) + self._idle - self._clock.monotonic()
            await self._clock.sleep(max(0.05, min(oldest, _LOOK_EVERY)))
            for kept in self._everyone():
                if self._is_over(kept):
                    self._let_go(kept)
            if self._short():
                log.info("memory is short: %d kept processes of agents are ended", len(self._everyone()))
                self._end_all()

    def _is_over(self, kept: Kept[P]) -> bool:
        return self._clock.monotonic() - kept.since >= self._idle or not kept.process.alive()

    def _end_all(self) -> None:
        for kept in self._everyone():
            self._let_go(kept)

    def _let_go(self, gone: Kept[P]) -> None:
        self._kept = {session: kept for session, kept in self._kept.items() if kept is not gone}
        self._prepared = [kept for kept in self._prepared if kept is not gone]
        self._end(gone.process)

    def _end(self, process: Process) -> None:
        async def end() -> None:
            await process.end()

        task = asyncio.create_task(end(), name="end a kept process")
        self._ending[task] = process.id
        task.add_done_callback(self._ending.pop)
