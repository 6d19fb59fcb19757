"""The lock of a workspace: whoever takes, restores or changes its tree holds it, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeVar

T = TypeVar("T")


class WorkspaceLock(asyncio.Lock):
    def __init__(self) -> None:
        super().__init__()
        self._times = 0
        """How often it was taken."""
        self._looking = False

    async def acquire(self) -> Literal[True]:
        await super().acquire()
        self._times += 1
        return True

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Held by one that changes nothing: others may read meanwhile."""
        async with self:
            self._looking = True
            try:
                yield
            finally:
                self._looking = False

    @asynccontextmanager
    async def reading(
        self, read: Callable[[bool], Coroutine[Any, Any, T]], *, early: bool
    ) -> AsyncIterator[Callable[[], asyncio.Task[T]]]:
        """Held, with a way to begin `read`, which is told whether nobody was waited for before it begins.

        With `early` it has begun before, where whoever held it only looked. That does not count where somebody else
        held it in between.
        """
        held, times = self.locked(), self._times
        begun = asyncio.create_task(read(True)) if early and self._looking else None
        try:
            await self.acquire()
        except BaseException:
            if begun:
                begun.cancel()
                await asyncio.gather(begun, return_exceptions=True)
            raise
        try:
            alone = self._times == times + 1
            if begun and not alone:
                await asyncio.gather(begun, return_exceptions=True)
                begun = None
            yield lambda: begun or asyncio.create_task(read(alone and not held))
        finally:
            self.release()
