"""An agent's program that is made ready when a new chat is opened, and never after the runner has stopped."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection

from pilothouse.domain.ports import Agent, SpawnRequest
from pilothouse.domain.session.session import Project
from pilothouse.process import strays
from pilothouse.process.environment import Environment, instance_of
from pilothouse.process.spawn import Spawned, spawn
from pilothouse.store.database import Store
from tests.passing import PassingAgent
from tests.real_agent.workshop import until
from tests.workbench import Workbench, make_repository

T = TypeVar("T")


class HeldReads(Store):
    """Keeps one of its readers waiting for the answer, where a test says so."""

    _until = 0
    _reading: asyncio.Task[Any] | None = None
    _reached = asyncio.Event()
    go = asyncio.Event()

    async def held(self, number: int, reading: asyncio.Task[Any]) -> bool:
        """Whether this task reads that many times, from now on, before it is over."""
        self._until, self._reached, self.go = number, asyncio.Event(), asyncio.Event()
        self._reading = reading
        reached = asyncio.create_task(self._reached.wait())
        await asyncio.wait((reached, reading), return_when=asyncio.FIRST_COMPLETED)
        reached.cancel()
        return self._reached.is_set()

    async def read(self, job: Callable[[Connection], T]) -> T:
        counts = self._until > 0 and asyncio.current_task() is self._reading
        self._until -= counts
        held = counts and self._until == 0
        found = await super().read(job)
        if held:
            self._reached.set()
            await self.go.wait()
        return found


class Preparing(PassingAgent):
    """Has a program that it keeps ready: it waits, and does nothing."""

    def __init__(self, agent: Agent, environment: Environment) -> None:
        super().__init__(agent)
        self._environment = environment
        self._ready: list[Spawned] = []

    async def prepare(self, request: SpawnRequest) -> None:
        env = self._environment.for_spawn()
        argv = ["sleep", "600"]
        ready = await spawn(
            argv, cwd=request.workspace, env=env, spawn_id=request.spawn_id, log_path=request.log_path, grace=1
        )
        self._ready.append(ready)

    async def forget(self, session: str | None = None) -> None:
        while session is None and self._ready:
            await self._ready.pop().stop()


class Bench(Workbench):
    stores = HeldReads
    store: HeldReads

    async def __aexit__(self, *error: Any) -> None:
        await self.runtime.forget()
        await super().__aexit__(*error)

    def alive(self) -> list[str]:
        return [str(stray) for stray in strays.find([], instance_of(self.data_dir))]

    async def project(self) -> Project:
        made = await self.projects.add(str(self.repo))
        await self.projects.choose_agent(made.id, "rehearsal")
        return await self.projects.add(str(self.repo))


async def opened(tmp_path: Path) -> Bench:
    bench = await Bench.open(tmp_path / "data", make_repository(tmp_path / "repo"))
    environment = Environment({"PATH": "/usr/bin:/bin"}, instance_of(bench.data_dir))
    bench.runtime.agents = {"rehearsal": Preparing(bench.runtime.agents["rehearsal"], environment)}
    return bench


async def test_nothing_is_prepared_while_the_runner_is_stopped(tmp_path: Path) -> None:
    """BYD-14: or the next start would take it for what an earlier life left behind."""
    async with await opened(tmp_path) as bench:
        project = await bench.project()
        assert await bench.projects.prepare(project)
        await until(lambda: bool(bench.alive()))
        await bench.runner.stop("test")
        assert bench.alive() == []
        assert not await bench.projects.prepare(project)
        assert bench.alive() == []


async def test_what_is_prepared_when_the_runner_starts_is_no_stray(tmp_path: Path) -> None:
    """BYD-14"""
    async with await opened(tmp_path) as bench:
        await bench.runner.stop("test")
        agent = bench.runtime.agents["rehearsal"]
        await agent.prepare(SpawnRequest("ahead", bench.repo, "", tmp_path / "ahead.log"))
        await until(lambda: bool(bench.alive()))
        await bench.runner.start()
        assert bench.alive() == []
        assert "guard.strays" not in [event.type for event in bench.heard]


async def test_no_program_comes_up_for_a_new_chat_after_the_runner_has_stopped(tmp_path: Path) -> None:
    """BYD-14: wherever the stop finds it on its way."""
    async with await opened(tmp_path) as bench:
        project = await bench.project()
        for number in itertools.count(1):
            await bench.runtime.forget()
            preparing = asyncio.create_task(bench.projects.prepare(project))
            if not await bench.store.held(number, preparing):
                break
            await bench.runner.stop("test")
            bench.store.go.set()
            assert not await preparing
            assert bench.alive() == [], f"at read {number}"
            await bench.runner.start()
        assert number > 2, "it reads more than once"
