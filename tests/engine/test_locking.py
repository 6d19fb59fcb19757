"""What may be read of a workspace while somebody holds its lock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pilothouse.engine.workspace.lock import WorkspaceLock
from tests.workbench import WAIT


class Reading:
    """Counts how often it was begun, and how the tree was then."""

    def __init__(self) -> None:
        self.tree = "as it was"
        self.seen: list[str] = []
        self.at_once: list[bool] = []
        self.begun = asyncio.Event()

    async def __call__(self, at_once: bool) -> str:
        self.seen.append(self.tree)
        self.at_once.append(at_once)
        self.begun.set()
        return self.tree


@asynccontextmanager
async def held(hold: Callable[[], Any]) -> AsyncIterator[asyncio.Event]:
    """By somebody else, until the event is set."""
    begun, over = asyncio.Event(), asyncio.Event()

    async def other() -> None:
        async with hold():
            begun.set()
            await over.wait()

    task = asyncio.create_task(other())
    await begun.wait()
    try:
        yield over
    finally:
        over.set()
        await task


async def used(lock: WorkspaceLock, reading: Callable[[bool], Coroutine[Any, Any, str]], *, early: bool) -> str:
    async with lock.reading(reading, early=early) as begin:
        assert lock.locked()
        return await begin()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_what_is_read_beside_one_that_only_looks_has_begun_before() -> None:
    """BYD-14"""
    lock, reading = WorkspaceLock(), Reading()
    async with held(lock.looking) as over:
        using = asyncio.create_task(used(lock, reading, early=True))
        await asyncio.wait_for(reading.begun.wait(), WAIT)
        assert not using.done()
        over.set()
        assert await asyncio.wait_for(using, WAIT) == "as it was"
    assert reading.at_once == [True]
    assert not lock.locked()


async def test_where_nobody_holds_it_nobody_is_waited_for() -> None:
    """BYD-14"""
    lock, reading = WorkspaceLock(), Reading()
    assert await used(lock, reading, early=False) == "as it was"
    assert reading.at_once == [True]


@pytest.mark.parametrize("early", [False, True])
async def test_beside_one_that_may_change_the_tree_nothing_is_read(early: bool) -> None:
    """RPL-2: an attempt begins with the tree as the one before left it"""
    lock, reading = WorkspaceLock(), Reading()
    async with held(lambda: lock) as over:
        using = asyncio.create_task(used(lock, reading, early=early))
        await settle()
        assert reading.seen == []
        reading.tree = "changed"
        over.set()
        assert await asyncio.wait_for(using, WAIT) == "changed"
    assert reading.at_once == [False]


async def test_whoever_is_next_in_line_was_waited_for_though_nobody_holds_it_in_that_moment() -> None:
    """RPL-2"""
    lock, reading = WorkspaceLock(), Reading()

    async def change() -> None:
        async with lock:
            reading.tree = "changed"

    await lock.acquire()
    changing = asyncio.create_task(change())
    await settle()
    lock.release()
    assert not lock.locked()
    assert await used(lock, reading, early=False) == "changed"
    await changing
    assert reading.at_once == [False]


async def test_what_was_read_does_not_count_where_somebody_came_in_between() -> None:
    """RPL-2"""
    lock, reading = WorkspaceLock(), Reading()

    async def change() -> None:
        async with lock:
            reading.tree = "changed"

    async with held(lock.looking) as over:
        changing = asyncio.create_task(change())
        await settle()
        using = asyncio.create_task(used(lock, reading, early=True))
        await asyncio.wait_for(reading.begun.wait(), WAIT)
        over.set()
        assert await asyncio.wait_for(using, WAIT) == "changed"
        await changing
    assert reading.at_once == [True, False]


async def test_whoever_gives_up_waiting_takes_what_was_begun_along() -> None:
    """PLT-4"""
    lock, ended = WorkspaceLock(), asyncio.Event()

    async def endless(at_once: bool) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async with held(lock.looking):
        using = asyncio.create_task(used(lock, endless, early=True))
        await settle()
        using.cancel()
        await asyncio.wait_for(ended.wait(), WAIT)
    assert not lock.locked()
