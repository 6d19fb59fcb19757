"""Limits how many verifications run at a time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Literal


def half_the_cores() -> int:
    """Half of the cores that this process may use, at least one."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable // 2)


class Slots:
    """First come, first served. Whoever gives up waiting only loses the place in the line."""

    def __init__(self, count: int) -> None:
        self._free = asyncio.Semaphore(count)

    async def take(self, given_up: asyncio.Event, waiting: Callable[[], Awaitable[None]]) -> bool:
        """Returns whether it took a slot before `given_up` was set. Calls `waiting` when none is free at once."""
        if given_up.is_set():
            return False
        if not self._free.locked():
            return await self._free.acquire()
        # Takes the place in the line before calling `waiting`, which takes time.
        turn, gone = asyncio.create_task(self._free.acquire()), asyncio.create_task(given_up.wait())
        taken = False
        try:
            await asyncio.sleep(0)
            await waiting()
            await asyncio.wait({turn, gone}, return_when=asyncio.FIRST_COMPLETED)
            taken = turn.done() and not given_up.is_set()
        finally:
            gone.cancel()
            if not taken:
                self._abandon(turn)
        return taken

    def release(self) -> None:
        self._free.release()

    def _abandon(self, turn: asyncio.Task[Literal[True]]) -> None:
        """Passes a turn that has already come to the next in line."""
        if not turn.cancel() and not turn.cancelled():
            self._free.release()
