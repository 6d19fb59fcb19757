"""The product with places in it where the process can be killed.

Every place is made by a subclass or a wrapper that the composition accepts anyway: nothing of the product is patched,
and the product knows nothing of it. A point is named `<where> <what>`: `write.inside settle` lies in the transaction
that `settle` writes, before its commit; `event.committed task.replied` between that commit and its broadcast.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from inspect import getclosurevars
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from pilothouse.domain.event.log import Event
from pilothouse.domain.ports import Agent, AgentEvent, AgentRun, SpawnRequest
from pilothouse.domain.session.session import Workspace
from pilothouse.engine.runtime import Runtime
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import Applied, Checkpoint, DiffStat, Fit, Restored
from pilothouse.store.database import Store, Tx
from pilothouse.store.mirror.mirror import Mirror
from tests.crash.journal import Journal, state_of
from tests.passing import PassingAgent, PassingRun

T = TypeVar("T")


class Points:
    """Counts how often each point is passed, and kills the process at the chosen pass of the chosen one."""

    def __init__(self, at: str = "", nth: int = 0) -> None:
        self._at, self._nth = at, nth
        self._lock = threading.Lock()
        self.passed: Counter[str] = Counter()

    def reach(self, where: str, what: str) -> None:
        name = f"{where} {what}"
        with self._lock:
            self.passed[name] += 1
            if name == self._at and self.passed[name] == self._nth:
                kill()


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class DoomedStore(Store):
    points: Points

    async def write(self, job: Callable[[Tx], T]) -> T:
        name = _name(job)

        def inside(tx: Tx) -> T:
            result = job(tx)
            self.points.reach("write.inside", name)
            return result

        self.points.reach("write.before", name)
        result = await super().write(inside)
        self.points.reach("write.returned", name)
        return result

    def snapshot(self, job: Callable[[Connection], T]) -> T:
        # The mirror reads on a thread of its own, right before it writes a file.
        if threading.current_thread().name.startswith("mirror"):
            self.points.reach("mirror.drawing", "files")
        return super().snapshot(job)

    def first_listener(self, page: list[Event]) -> None:
        # What is committed in quick succession is told together.
        for event in page:
            self.points.reach("event.committed", event.type)

    def last_listener(self, page: list[Event]) -> None:
        for event in page:
            self.points.reach("event.told", event.type)


def _name(job: Callable[[Tx], object]) -> str:
    """The method or function whose transaction it is; those of its helpers tell themselves apart by their owner."""
    made = job.func if isinstance(job, partial) else job
    while made.__qualname__.startswith(("Runtime.move.", "Runtime.insist.")):
        # Every move goes this way: who decides on it says which it is.
        around = getclosurevars(made).nonlocals
        made = around["decide"] if "decide" in around else around["write"]
    return made.__qualname__.split(".<locals>")[0]


class DoomedTrees(Checkpoints):
    """Notes what the tree is like before it is saved or changed, and can die while it is changed."""

    points: Points
    journal: Journal
    repo: Path

    def take(self, ref: str) -> Checkpoint:
        self._note(ref)
        return self._around("take", lambda: super(DoomedTrees, self).take(ref))

    def restore(self, commit: str, undo_ref: str, on_change: Callable[[], None] = lambda: None) -> Restored:
        self._note(undo_ref)

        def changed() -> None:
            self.points.reach("tree.changing", "restore")
            on_change()

        return self._around("restore", lambda: super(DoomedTrees, self).restore(commit, undo_ref, changed))

    def fit(self, base: str, proposed: str) -> Fit:
        return self._around("fit", lambda: super(DoomedTrees, self).fit(base, proposed))

    def write_over(
        self,
        base: str,
        proposed: str,
        undo_ref: str,
        merge: str | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> Applied:
        self._note(undo_ref)

        def changed() -> None:
            self.points.reach("tree.changing", "write_over")
            on_change()

        return self._around(
            "write_over", lambda: super(DoomedTrees, self).write_over(base, proposed, undo_ref, merge, changed)
        )

    def forget(self, ref_prefix: str) -> int:
        return self._around("forget", lambda: super(DoomedTrees, self).forget(ref_prefix))

    def preview_over(self, base: str, proposed: str) -> Fit:
        return self._around("preview_over", lambda: super(DoomedTrees, self).preview_over(base, proposed))

    def same_as(self, commit: str) -> bool:
        return self._around("same_as", lambda: super(DoomedTrees, self).same_as(commit))

    def stat(self, old: str, new: str | None = None) -> DiffStat:
        return self._around("stat", lambda: super(DoomedTrees, self).stat(old, new))

    def patch(self, old: str, new: str | None, write: Callable[[bytes], object]) -> None:
        self._around("patch", lambda: super(DoomedTrees, self).patch(old, new, write))

    def _note(self, ref: str) -> None:
        """Where an attempt begins and where a rollback does: the states a person can go back to."""
        if ref.endswith("/0") or "/undo/" in ref:
            self.journal.note("state", ref=ref, state=state_of(self.repo))

    def _around(self, what: str, work: Callable[[], T]) -> T:
        self.points.reach("tree.before", what)
        result = work()
        self.points.reach("tree.after", what)
        return result


class DoomedRuntime(Runtime):
    points: Points
    journal: Journal
    _doomed: DoomedTrees | None = None

    def checkpoints(self, workspace: Workspace) -> Checkpoints:
        if self._doomed is None:
            self._doomed = DoomedTrees(Path(workspace.path), self.settings.data_dir / "workspaces" / workspace.id)
            self._doomed.points, self._doomed.journal = self.points, self.journal
            self._doomed.repo = Path(workspace.path)
        return self._doomed


class DoomedAgent(PassingAgent):
    def __init__(self, agent: Agent, points: Points) -> None:
        super().__init__(agent)
        self._points = points

    async def prepare(self, request: SpawnRequest) -> None:
        self._points.reach("agent.before", "prepare")
        await super().prepare(request)
        self._points.reach("agent.after", "prepare")

    async def start(self, request: SpawnRequest) -> AgentRun:
        self._points.reach("agent.before", "start")
        run = await super().start(request)
        self._points.reach("agent.after", "start")
        return DoomedRun(run, self._points)


class DoomedRun(PassingRun):
    def __init__(self, run: AgentRun, points: Points) -> None:
        super().__init__(run)
        self._points = points

    async def events(self) -> AsyncIterator[AgentEvent]:
        async for event in super().events():
            self._points.reach("agent.said", type(event).__name__)
            yield event

    async def stop(self, grace: float = 5.0) -> None:
        self._points.reach("agent.before", "stop")
        await super().stop(grace)
        self._points.reach("agent.after", "stop")


class DoomedMirror(Mirror):
    points: Points

    async def flush(self) -> None:
        self.points.reach("mirror.before", "flush")
        await super().flush()
        self.points.reach("mirror.after", "flush")
