"""The clock as a port, so that a test can move every duration in the product."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def within(clock: Clock, seconds: float, work: Awaitable[T]) -> T:
    """What `work` gives. Raises `TimeoutError` where it takes longer by this clock, and cancels it."""
    doing = asyncio.ensure_future(work)
    await asyncio.sleep(0)  # most often it is done by then, and nobody sleeps
    sleeping = None if doing.done() else asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({doing, *([sleeping] if sleeping else [])}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise TimeoutError
        return doing.result()
    finally:
        doing.cancel()
        if sleeping:
            sleeping.cancel()


class ManualClock:
    """A clock that stands still until `advance` moves it; sleepers wake in the order of their times."""

    def __init__(self, start: datetime | None = None) -> None:
        self._start = start or datetime(2026, 1, 1, tzinfo=UTC)
        self._elapsed = 0.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed + seconds, next(self._order), future))
        await future

    async def advance(self, seconds: float) -> None:
        end = self._elapsed + seconds
        while self._sleepers and self._sleepers[0][0] <= end:
            self._elapsed, _, future = heapq.heappop(self._sleepers)
            if not future.done():
                future.set_result(None)
            for _ in range(5):
                await asyncio.sleep(0)
        self._elapsed = end
        await asyncio.sleep(0)
