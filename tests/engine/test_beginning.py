"""An attempt begins with several things at once: it is over only when all of them are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from pilothouse.domain.ports import Agent, SpawnRequest
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import Task, TaskStatus
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import BadConfiguration, CheckpointFailed
from pilothouse.git.checkpoints import Checkpoints
from tests.passing import PassingAgent
from tests.workbench import Workbench, make_repository

T = TypeVar("T")


class Trees(Runtime):
    """Its tree is at work, the first time, for as long as the test lets it, or fails at once."""

    full = slow = False

    def __init__(self, bench: Workbench, agent: Agent) -> None:
        super().__init__(bench.settings, bench.store, bench.broadcast, bench.clock, {agent.name: agent})
        self.reached, self.go = asyncio.Event(), asyncio.Event()

    async def on_tree(self, workspace: Workspace, work: Callable[[Checkpoints], T]) -> T:
        if self.full:
            raise CheckpointFailed("No space left on device")
        if self.slow:
            self.slow = False
            self.reached.set()
            await self.go.wait()
        return await super().on_tree(workspace, work)


class Held(PassingAgent):
    """Is prepared when the test lets it, and refuses when the test says so."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.refuses = False
        self.reached, self.go = asyncio.Event(), asyncio.Event()

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        if self.refuses:
            self.reached.set()
            raise BadConfiguration("Not today.")

    async def prepare(self, request: SpawnRequest) -> None:
        self.reached.set()
        await self.go.wait()
        await super().prepare(request)


class Bench(Workbench):
    runtime: Trees
    agent: Held

    def _compose(self) -> None:
        self.agent = Held(self.runtime.agents["rehearsal"])
        self.runtime = Trees(self, self.agent)
        super()._compose()

    async def queued(self) -> Task:
        """One that waits for a runner."""
        await self.runner.stop("test")
        _, task = await self.begin("Anything.")
        return task

    async def goes_on(self, task: Task) -> bool:
        """Also after everything else had time for its turns."""
        for _ in range(20):
            await self.store.write(lambda tx: tx.now)
        return (await self.task(task.id)).status is TaskStatus.RUNNING


async def opened(tmp_path: Path) -> Bench:
    return await Bench.open(tmp_path / "data", make_repository(tmp_path / "repo"))


async def test_an_attempt_without_a_checkpoint_is_not_over_while_its_agent_is_prepared(tmp_path: Path) -> None:
    """BYD-14: the program would come up after the attempt, even after a runner that stops."""
    async with await opened(tmp_path) as bench:
        task = await bench.queued()
        bench.runtime.full = True
        await bench.runner.start()
        await bench.agent.reached.wait()
        assert await bench.goes_on(task)
        bench.agent.go.set()
        broken = await bench.rest(task, TaskStatus.ERROR)
        assert "No space left" in (broken.error_message or "")


async def test_an_attempt_that_cannot_begin_keeps_the_tree_until_its_checkpoint_is_taken(tmp_path: Path) -> None:
    """RPL-2: whoever has the lock next would find it at work."""
    async with await opened(tmp_path) as bench:
        task = await bench.queued()
        bench.agent.go.set()
        bench.agent.refuses = bench.runtime.slow = True
        await bench.runner.start()
        await asyncio.gather(bench.runtime.reached.wait(), bench.agent.reached.wait())
        assert await bench.goes_on(task)
        assert bench.runtime.lock(task.workspace_id).locked()
        bench.runtime.go.set()
        broken = await bench.rest(task, TaskStatus.ERROR)
        assert broken.error_message == "Not today."
