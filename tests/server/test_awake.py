"""The machine is kept awake while tasks run, and what that is worth is said honestly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.task.task import TaskStatus
from pilothouse.server.awake import KeepAwake, SystemWakeLock, Wakefulness, WakeLock
from tests.workbench import WAIT, Workbench


class Noted(WakeLock):
    """A machine that does as it is told, or cannot."""

    def __init__(self, answer: Wakefulness | None = None) -> None:
        self._answer = answer
        self.calls: list[str] = []

    def take(self) -> Wakefulness:
        self.calls.append("take")
        if self._answer is None:
            raise RuntimeError("the bus broke")
        return self._answer

    def release(self) -> None:
        self.calls.append("release")


@asynccontextmanager
async def keeping(bench: Workbench, hold: WakeLock) -> AsyncIterator[tuple[KeepAwake, ManualClock]]:
    clock = ManualClock()
    awake = KeepAwake(bench.store, bench.runtime.host_id, clock, hold)
    running = asyncio.create_task(awake.run())
    try:
        yield awake, clock
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def until(awake: KeepAwake, clock: ManualClock, state: str) -> None:
    async with asyncio.timeout(WAIT):
        while awake.now.state != state:
            await clock.advance(1)
            await asyncio.sleep(0.01)


async def test_it_is_held_while_a_task_runs_and_let_go_afterwards(bench: Workbench) -> None:
    """PLT-10"""
    hold = Noted(Wakefulness("held", "a test"))
    async with keeping(bench, hold) as (awake, clock):
        _, task = await bench.begin("Wait. [[waits]]")
        await until(awake, clock, "held")
        assert awake.now.method == "a test"
        await bench.controls.cancel(task.id)
        await until(awake, clock, "idle")
    assert hold.calls == ["take", "release"]


async def test_a_machine_that_cannot_says_why_and_the_task_goes_on(bench: Workbench) -> None:
    """PLT-10"""
    async with keeping(bench, Noted()) as (awake, clock):
        _, task = await bench.begin("Wait. [[waits]]")
        await until(awake, clock, "unavailable")
        assert awake.now.why_not == "the bus broke"
        await bench.rest(task, TaskStatus.RUNNING)
        await bench.controls.cancel(task.id)
        await until(awake, clock, "idle")


async def test_the_real_machine_holds_or_says_why_not() -> None:
    """PLT-10"""
    hold = SystemWakeLock()
    found = await asyncio.to_thread(hold.take)
    await asyncio.to_thread(hold.release)
    assert (found.state == "held" and found.method) or (found.state == "unavailable" and found.why_not)


async def test_the_runner_screen_is_told(client: httpx.AsyncClient) -> None:
    """PLT-10"""
    assert (await client.get("/api/runner")).json()["awake"] == {"state": "idle", "method": "", "why_not": ""}
