"""The workspace is looked through while its message is queued, for the checkpoint that comes next and for no other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pilothouse.domain.session.session import Session, SessionKind, Workspace
from pilothouse.domain.task.task import ResumeMode, Task, TaskStatus
from pilothouse.engine.agents import preparation as warming
from pilothouse.engine.runtime import Runtime
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import Checkpoint
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import workspaces
from pilothouse.workflows.chat import Opening
from tests.git.repositories import git
from tests.workbench import WAIT, Workbench, make_repository

T = TypeVar("T")
SCENARIOS = """
scenarios:
  writes-a:
    - write: {path: a.txt, text: "a\\n"}
    - say: Written.
  asks:
    - write: {path: half.txt, text: "half\\n"}
    - ask: Which one?
    - say: "{reply}"
"""


class LooksFirst(Store):
    """Where a test says so, nothing is claimed before the workspace was looked at."""

    seen: threading.Event | None = None

    async def write(self, job: Callable[[Tx], T]) -> T:
        if self.seen and job.__qualname__.startswith("Dispatcher."):
            await asyncio.to_thread(self.seen.wait, WAIT)
        return await super().write(job)


class Watched(Checkpoints):
    """Says what was asked of it."""

    def __init__(self, workspace: Path, state_dir: Path) -> None:
        super().__init__(workspace, state_dir, recent=3600)
        self.asked: list[str] = []
        self.seen = threading.Event()
        self.go = threading.Event()
        self.go.set()

    def look(self, ref: str) -> None:
        assert self.go.wait(WAIT)
        super().look(ref)
        self.asked.append("look")
        self.seen.set()

    def take(self, ref: str, *, looked: bool = False) -> Checkpoint:
        self.asked.append("take what was seen" if looked else "take")
        return super().take(ref, looked=looked)


class Watching(Runtime):
    tree: Watched | None = None
    opening = threading.Lock()

    def checkpoints(self, workspace: Workspace) -> Watched:
        with self.opening:
            if self.tree is None:
                state = self.settings.data_dir / "workspaces" / workspace.id
                self.tree = self._checkpoints[workspace.id] = Watched(Path(workspace.path), state)
            return self.tree

    @property
    def asked(self) -> list[str]:
        return self.tree.asked if self.tree else []


class Bench(Workbench):
    """Its messages find nothing before them: the queue has been looked at before they come."""

    stores = LooksFirst
    store: LooksFirst
    watching: Watching

    def _compose(self) -> None:
        old = self.runtime
        self.runtime = self.watching = Watching(self.settings, self.store, self.broadcast, self.clock, old.agents)
        super()._compose()

    async def send(self, session: Session, text: str) -> Task:
        await self.runner.dispatcher.settled()
        return await super().send(session, text)

    async def begun(self, text: str) -> tuple[Session, Task]:
        session, _ = await self.chat.open(Opening(str(self.repo), SessionKind.CHAT, "A thread", None, None))
        return session, await self.send(session, text)


async def opened(tmp_path: Path) -> Bench:
    return await Bench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


async def test_the_first_checkpoint_of_a_message_is_what_was_seen_when_it_came(tmp_path: Path) -> None:
    """BYD-14"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begun("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        tree = bench.watching.tree
        assert tree is not None
        await bench.runner.dispatcher.settled()
        tree.asked.clear()
        tree.seen.clear()
        bench.store.seen = tree.seen
        again = await bench.send(session, "[[writes-a]]")
        await bench.rest(again, TaskStatus.COMPLETE)
        bench.store.seen = None
        assert tree.asked[:2] == ["look", "take what was seen"]


async def test_nobody_looks_ahead_where_the_message_must_wait(tmp_path: Path) -> None:
    """WEB-6: what stands there when its turn comes is what counts."""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begun("[[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        looks = bench.watching.asked.count("look")
        waiting = await bench.send(session, "[[writes-a]]")
        assert (await bench.task(waiting.id)).status is TaskStatus.QUEUED
        async with asyncio.timeout(WAIT):
            while busy := [job for job in asyncio.all_tasks() if job.get_name().startswith("start ahead")]:
                await asyncio.wait(busy)
        assert bench.watching.asked.count("look") == looks


async def test_a_later_attempt_begins_from_what_stands_there_then(tmp_path: Path) -> None:
    """WEB-6 WEB-3"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begun("[[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        known = len(bench.watching.asked)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert set(bench.watching.asked[known:]) == {"take"}


async def test_a_commit_from_the_screen_makes_what_was_seen_before_worthless(tmp_path: Path) -> None:
    """WEB-6 WEB-13"""
    async with await opened(tmp_path) as bench:
        for name, value in (("user.name", "t"), ("user.email", "t@example.org")):
            git(bench.repo, "config", name, value)
        session, _ = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, "A thread", None, None))
        workspace = await bench.store.read(lambda c: workspaces.get(c, session.workspace_id))
        assert workspace is not None
        tree = bench.watching.checkpoints(workspace)
        (bench.repo / "mine.txt").write_text("mine\n")
        tree.look("refs/pilothouse/s/t/1/0")
        sha, _ = await bench.controls.commit(session.project_id, "Mine", None, None)
        assert tree.take("refs/pilothouse/s/t/1/0", looked=True).head == sha


async def test_nobody_looks_while_somebody_works_on_the_tree(tmp_path: Path) -> None:
    """WEB-6: what would be seen may be half of it."""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begun("[[asks]]")
        workspace = await bench.store.read(lambda c: workspaces.get(c, session.workspace_id))
        assert workspace is not None
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        known = bench.watching.asked.count("look")
        async with bench.runtime.lock(workspace.id):
            await warming.look_ahead(bench.runtime, task, workspace)
        assert bench.watching.asked.count("look") == known
        await warming.look_ahead(bench.runtime, task, workspace)
        assert bench.watching.asked.count("look") == known + 1
