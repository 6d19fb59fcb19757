"""Which processes are kept between two runs, whatever agent they belong to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.pool import Pool
from pilothouse.domain.clock import ManualClock
from pilothouse.domain.ports import SpawnRequest


class Program:
    """Ends when it is told to, and when its test kills it."""

    def __init__(self, launch: str = "plain", id: str | None = "c") -> None:
        self.launch = launch
        self.id = id
        self.living = True
        self.gone = asyncio.Event()

    def alive(self) -> bool:
        return self.living

    async def end(self) -> None:
        self.living = False
        self.gone.set()


class Shelter:
    def __init__(self, most: int = 2) -> None:
        self.clock = ManualClock()
        self.free_mb = 1000.0
        self.pool: Pool[Program] = Pool(
            self.clock, most=most, idle_seconds=60, memory_floor_mb=500, memory=lambda: self.free_mb
        )

    def request(self, session: str, **more: Any) -> SpawnRequest:
        return SpawnRequest("spawn", Path("/workspace"), "Go.", Path("/log"), session=session, **more)

    def kept(self, session: str, program: Program | None = None) -> Program:
        """One that has served a run."""
        program = program or Program()
        assert self.pool.keep(self.pool.lease(self.request(session)), program)
        return program

    async def taken(self, session: str, launch: str = "plain", **more: Any) -> Program | None:
        lease = self.pool.lease(self.request(session, **more))
        resume = lease.request.resume
        return await self.pool.take(lease, launch, lambda found: found.launch == launch and found.id == resume)

    async def prepared(self, program: Program) -> None:
        async def make() -> Program:
            return program

        await self.pool.prepare(self.pool.lease(self.request("")), program.launch, make)


async def ended(*programs: Program) -> None:
    async with asyncio.timeout(120):
        await asyncio.gather(*(program.gone.wait() for program in programs))


async def turns() -> None:
    """Let everything that waits for nothing but its turn go on."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_process_serves_its_own_session_and_only_if_it_fits() -> None:
    """BYD-14"""
    shelter = Shelter()
    mine = shelter.kept("a")
    assert await shelter.taken("b", resume="c") is None
    assert await shelter.taken("a", resume="c") is mine
    assert shelter.pool.sessions == ()
    shelter.kept("a", mine)
    assert await shelter.taken("a", "other", resume="c") is None
    await ended(mine)


async def test_one_that_looks_beside_the_conversation_takes_nothing() -> None:
    """BYD-14"""
    shelter = Shelter()
    mine = shelter.kept("a")
    await shelter.prepared(Program(id=None))
    assert await shelter.taken("a", read_only=True) is None
    assert shelter.pool.kept("a") is mine
    assert await shelter.taken("b", read_only=True) is None
    assert shelter.pool.prepared


@pytest.mark.parametrize("forgotten", ["a", None])
async def test_what_is_in_use_when_it_is_forgotten_is_not_kept(forgotten: str | None) -> None:
    """BYD-14, GRD-7"""
    shelter = Shelter()
    lease = shelter.pool.lease(shelter.request("a"))
    await shelter.pool.forget("b")
    assert not lease.outdated
    await shelter.pool.forget(forgotten)
    assert not shelter.pool.keep(lease, Program())
    assert shelter.kept("a").living


async def test_what_is_forgotten_while_it_is_made_ready_is_ended() -> None:
    """BYD-14, GRD-7"""
    shelter, program = Shelter(), Program()
    making, go = asyncio.Event(), asyncio.Event()

    async def make() -> Program:
        making.set()
        await go.wait()
        return program

    preparing = asyncio.create_task(shelter.pool.prepare(shelter.pool.lease(shelter.request("")), "plain", make))
    await making.wait()
    forgetting = asyncio.create_task(shelter.pool.forget())
    await turns()
    assert not forgetting.done(), "it would be said to be gone while it lives"
    go.set()
    await forgetting
    assert not program.living
    await preparing
    assert shelter.pool.prepared == []


async def test_what_was_being_made_ready_when_none_was_to_be_kept_any_more_is_ended() -> None:
    """BYD-14"""
    shelter, program = Shelter(), Program()

    async def make() -> Program:
        shelter.pool.limit(0, 60)
        return program

    await shelter.pool.prepare(shelter.pool.lease(shelter.request("")), "plain", make)
    assert not program.living
    assert shelter.pool.prepared == []


async def test_what_is_revoked_is_gone_for_that_session_at_once() -> None:
    """GRD-7"""
    shelter = Shelter()
    mine, others = (shelter.pool.lease(shelter.request(session, granted=("x", "y"))) for session in ("a", "b"))
    kept = shelter.kept("a")
    await shelter.pool.revoke("a", "x")
    assert (mine.granted, others.granted) == ({"y"}, {"x", "y"})
    assert (mine.outdated, others.outdated, kept.living) == (True, False, False)


async def test_a_prepared_one_serves_the_first_that_would_start_it_the_same_way() -> None:
    """BYD-14"""
    shelter = Shelter()
    ready = Program(id=None)
    await shelter.prepared(ready)
    await shelter.prepared(Program(id=None))
    assert shelter.pool.prepared == [ready]
    assert await shelter.taken("a", "other") is None
    assert await shelter.taken("a") is ready
    assert shelter.pool.prepared == []
    await shelter.prepared(ready)
    ready.living = False
    assert await shelter.taken("a") is None
    assert shelter.pool.prepared == []


async def test_there_is_one_prepared_for_each_launch_and_the_oldest_makes_room() -> None:
    """BYD-14"""
    shelter = Shelter()
    one, other, third = Program("one", id=None), Program("other", id=None), Program("third", id=None)
    for program in (one, other, one, other):
        await shelter.prepared(program)
    assert shelter.pool.prepared == [one, other], "neither was made twice, nor took the other's place"
    await shelter.prepared(third)
    await ended(one)
    assert shelter.pool.prepared == [other, third]
    assert await shelter.taken("a", "third") is third
    assert await shelter.taken("b", "other") is other


async def test_the_longest_unused_make_room_and_the_prepared_one_goes_last() -> None:
    """BYD-14"""
    shelter = Shelter()
    first, second = shelter.kept("a"), shelter.kept("b")
    ready = Program(id=None)
    await shelter.prepared(ready)
    await ended(first)
    assert shelter.pool.sessions == ("b",)
    shelter.pool.limit(1, 60)
    await ended(second)
    assert ready.living
    shelter.pool.limit(0, 60)
    await ended(ready)
    assert not shelter.pool.keep(shelter.pool.lease(shelter.request("a")), Program())


async def test_nothing_is_kept_for_long_or_when_memory_is_short() -> None:
    """BYD-14"""
    shelter = Shelter(most=3)
    old = shelter.kept("a")
    await shelter.clock.advance(59)
    young, ready = shelter.kept("b"), Program(id=None)
    await shelter.prepared(ready)
    assert old.living
    await shelter.clock.advance(2)
    await ended(old)
    assert (young.living, ready.living) == (True, True)
    shelter.free_mb = 400
    await shelter.clock.advance(16)
    await ended(young, ready)
    await shelter.prepared(Program())
    assert shelter.pool.prepared == []
