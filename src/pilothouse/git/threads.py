"""Threads for work that waits for git or a disk: a few for each working tree, so that a slow one hinders no other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
OF_A_TREE = 4


class _Threads:
    """A pool for each tree with work; without work it ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: dict[Path, tuple[ThreadPoolExecutor, int]] = {}

    def submit(self, root: Path, work: Callable[[], T]) -> Future[T]:
        with self._lock:
            pool, open_work = self._pools.get(root) or (ThreadPoolExecutor(OF_A_TREE, f"tree {root.name}"), 0)
            self._pools[root] = pool, open_work + 1
            # What runs there belongs to the request or the task that asked for it.
            future = pool.submit(copy_context().run, work)
        future.add_done_callback(lambda _: self._done(root))
        return future

    def _done(self, root: Path) -> None:
        with self._lock:
            pool, open_work = self._pools.pop(root)
            if open_work > 1:
                self._pools[root] = pool, open_work - 1
                return
        pool.shutdown(wait=False)


_threads = _Threads()


async def beside(root: Path, work: Callable[[], T]) -> T:
    """Does work on a working tree beside the event loop."""
    return await asyncio.wrap_future(_threads.submit(root, work))
