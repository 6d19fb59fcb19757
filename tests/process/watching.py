"""Waiting for processes and conditions, without guessing how long they take."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

LIMIT = 120.0


async def gone(*pids: int) -> None:
    """Returns when none of these processes runs any more; a zombie does not run."""
    loop = asyncio.get_running_loop()
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended = asyncio.Event()
        loop.add_reader(descriptor, ended.set)
        try:
            async with asyncio.timeout(LIMIT):
                await ended.wait()
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)


async def eventually(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110 - the system does not tell about these
            await asyncio.sleep(0.01)


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def descriptors() -> list[str]:
    """What this process has open."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(entry.readlink()))
        except OSError:
            continue
    return sorted(found)
