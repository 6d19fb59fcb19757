"""Clocks that a test moves, for what pauses in between."""

from __future__ import annotations

import asyncio
from datetime import datetime

from pilothouse.domain.clock import ManualClock
from tests.workbench import WAIT


class LiveClock(ManualClock):
    """Moved by the test for every limit, while pauses below a second pass by themselves."""

    async def sleep(self, seconds: float) -> None:
        if seconds < 1:
            await asyncio.sleep(seconds)
        else:
            await super().sleep(seconds)


class WatchedClock(LiveClock):
    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self._slept = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        asyncio.get_running_loop().call_soon(self._slept.set)
        await super().sleep(seconds)

    async def pass_by(self, seconds: float) -> None:
        """Move on once somebody sleeps who is to wake within that time, or within the minute they look again."""
        async with asyncio.timeout(WAIT):
            while not any(at <= self._elapsed + max(seconds, 60) and not f.done() for at, _, f in self._sleepers):
                self._slept.clear()
                await self._slept.wait()
        await self.advance(seconds)
