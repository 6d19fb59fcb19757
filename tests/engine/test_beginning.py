"""An attempt begins with several things at once: it is over only when all of them are."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pilothouse.domain.ports import Agent
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import Task, TaskStatus
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import BadConfiguration
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import Checkpoint
from pilothouse.store import workspaces
from tests.passing import PassingAgent
from tests.workbench import WAIT, Workbench, make_repository


class Tree(Checkpoints):
    """Takes its first checkpoint when the test lets it."""

    slow = False
    reached, go = threading.Event(), threading.Event()

    def take(self, ref: str, *, looked: bool = False) -> Checkpoint:
        if self.slow:
            self.slow = False
            self.reached.set()
            self.go.wait()
        return super().take(ref, looked=looked)


class Trees(Runtime):
    _tree: Tree | None = None

    def checkpoints(self, workspace: Workspace) -> Tree:
        if self._tree is None:
            self._tree = Tree(Path(workspace.path), self.settings.data_dir / "workspaces" / workspace.id)
            self._tree.reached, self._tree.go = threading.Event(), threading.Event()
        return self._tree


class Refusing(PassingAgent):
    """Refuses when the test says so."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.refuses = False
        self.reached = asyncio.Event()

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        if self.refuses:
            self.reached.set()
            raise BadConfiguration("Not today.")


class Bench(Workbench):
    agent: Refusing

    def _compose(self) -> None:
        self.agent = Refusing(self.runtime.agents["rehearsal"])
        agents = {self.agent.name: self.agent}
        self.runtime = self.trees = Trees(self.settings, self.store, self.broadcast, self.clock, agents)
        super()._compose()

    async def __aexit__(self, *error: Any) -> None:
        self.tree.go.set()
        await super().__aexit__(*error)

    async def queued(self) -> Task:
        """One that waits for a runner."""
        await self.runner.stop("test")
        session, task = await self.begin("Anything.")
        workspace = await self.store.read(lambda c: workspaces.get(c, session.workspace_id))
        assert workspace is not None
        self.tree = self.trees.checkpoints(workspace)
        return task

    async def goes_on(self, task: Task) -> bool:
        """Also after everything else had time for its turns."""
        for _ in range(20):
            await self.store.write(lambda tx: tx.now)
        return (await self.task(task.id)).status is TaskStatus.RUNNING


async def opened(tmp_path: Path) -> Bench:
    return await Bench.open(tmp_path / "data", make_repository(tmp_path / "repo"))


async def test_an_attempt_that_cannot_begin_keeps_the_tree_until_its_checkpoint_is_taken(tmp_path: Path) -> None:
    """RPL-2: whoever has the lock next would find it at work."""
    async with await opened(tmp_path) as bench:
        task = await bench.queued()
        bench.agent.refuses = bench.tree.slow = True
        await bench.runner.start()
        await asyncio.wait_for(bench.agent.reached.wait(), WAIT)
        assert await asyncio.to_thread(bench.tree.reached.wait, WAIT)
        assert await bench.goes_on(task)
        assert bench.runtime.lock(task.workspace_id).locked()
        bench.tree.go.set()
        broken = await bench.rest(task, TaskStatus.ERROR)
        assert broken.error_message == "Not today."
