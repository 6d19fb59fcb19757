"""The limit that verifications share."""

from __future__ import annotations

import asyncio
import os

import pytest

from pilothouse.verify.runs.slots import Slots, half_the_cores


async def _nobody() -> None:
    raise AssertionError("there was a free slot")


def test_the_limit_is_half_the_cores_and_at_least_one() -> None:
    """TSK-18"""
    assert half_the_cores() == max(1, len(os.sched_getaffinity(0)) // 2)
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert half_the_cores() == 1
    finally:
        os.sched_setaffinity(0, before)


async def test_a_slot_that_comes_to_one_who_gives_up_goes_to_the_next() -> None:
    """TSK-18"""
    slots = Slots(1)
    never = asyncio.Event()
    assert await slots.take(never, _nobody)
    told: asyncio.Queue[str] = asyncio.Queue()
    given_up = asyncio.Event()
    first = asyncio.create_task(slots.take(given_up, lambda: told.put("first")))
    assert await told.get() == "first"
    second = asyncio.create_task(slots.take(never, lambda: told.put("second")))
    assert await told.get() == "second"
    slots.release()
    given_up.set()
    assert not await first
    assert await second


async def test_one_who_is_cancelled_while_waiting_takes_no_slot() -> None:
    """TSK-18"""
    slots = Slots(1)
    never = asyncio.Event()
    assert await slots.take(never, _nobody)
    told: asyncio.Queue[str] = asyncio.Queue()
    waiting = asyncio.create_task(slots.take(never, lambda: told.put("waiting")))
    assert await told.get() == "waiting"
    slots.release()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await slots.take(never, lambda: told.put("again"))


async def test_two_slots_serve_two_at_a_time_and_a_failing_listener_gives_its_place_back() -> None:
    """TSK-18"""
    slots = Slots(2)
    never = asyncio.Event()
    assert await slots.take(never, _nobody)
    assert await slots.take(never, _nobody)

    async def fails() -> None:
        raise RuntimeError("gone")

    assert isinstance((await asyncio.gather(slots.take(never, fails), return_exceptions=True))[0], RuntimeError)
    slots.release()
    assert await slots.take(never, _nobody)
