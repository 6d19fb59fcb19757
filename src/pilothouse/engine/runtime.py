"""What every part of the engine works with."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from pilothouse.domain.clock import Clock
from pilothouse.domain.events import TaskMilestone
from pilothouse.domain.loop import LOOPS
from pilothouse.domain.ports import Agents
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import Task
from pilothouse.engine.agents.health import AgentsHealth
from pilothouse.engine.agents.workbench import Seats
from pilothouse.engine.broadcast import Broadcast
from pilothouse.engine.workspace.lock import WorkspaceLock
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.settings import Settings
from pilothouse.store import tasks
from pilothouse.store.database import Store, Tx
from pilothouse.verify.run import Verifier

T = TypeVar("T")

MILESTONES = {
    "rollback": "Rolling back to the checkpoint",
    "checkpoint": "Saving a checkpoint",
    "scratch": "Making a scratch copy",
    "applying": "Applying the proposal",
    "scouting": "Asking scouts A and B",
    "without_scout": "Going on without a scout",
    "analysing": "Analysing the codebase",
    "editing": "Making changes",
    "command": "Running a command",
    "waiting_for_slot": "Waiting for another verification to finish",
    "verifying": "Running verification",
    "debugging": "Verification failed, debugging",
    "replanning": "Verification failed again, thinking it over anew",
    "inspecting": "Looking at what was changed",
    "summarise": "Writing the summary",
    "stuck": "Writing the stuck report",
    "compacting": "The agent's memory is full: going on in a fresh session",
    "replayed": "Giving your recorded answer",
    "stopping": "Stopping",
}
COUNTED = ("verifying", "debugging", "replanning")
"""Those that belong to a verification, and say which."""


class Runtime:
    def __init__(self, settings: Settings, store: Store, broadcast: Broadcast, clock: Clock, agents: Agents) -> None:
        self.settings = settings
        self.store = store
        self.broadcast = broadcast
        self.clock = clock
        self.agents = agents
        self.health = AgentsHealth(lambda: self.agents, store, clock, settings.agent_check_seconds)
        self.verifier = Verifier(settings, clock)
        self.boot_id = uuid4().hex
        self.seats = Seats()
        self.limits_changed = asyncio.Event()
        """Set when a task begins or ceases to wait for a limit to be over."""
        self.revocations = 0
        """Counts what was revoked: an agent that is not started yet does not hear of it."""
        self._locks: dict[str, WorkspaceLock] = {}
        self._checkpoints: dict[str, Checkpoints] = {}
        self._opening = threading.Lock()

    def lock(self, workspace_id: str) -> WorkspaceLock:
        """Whoever takes or restores a checkpoint of a workspace holds this meanwhile."""
        return self._locks.setdefault(workspace_id, WorkspaceLock())

    def checkpoints(self, workspace: Workspace) -> Checkpoints:
        """Of a workspace there is one: what it has seen is what it takes. Asked for in several threads."""
        with self._opening:
            if workspace.id not in self._checkpoints:
                state = self.settings.data_dir / "workspaces" / workspace.id
                self._checkpoints[workspace.id] = Checkpoints(Path(workspace.path), state)
            return self._checkpoints[workspace.id]

    def disregard(self, workspace_id: str) -> None:
        """For whoever changes the tree by other means, and holds the lock: what was seen of it will not hold."""
        if tree := self._checkpoints.get(workspace_id):
            tree.disregard()

    async def on_tree(self, workspace: Workspace, work: Callable[[Checkpoints], T]) -> T:
        """Run git work on a workspace beside the event loop.

        Whoever looks at the present or writes holds the workspace's lock; what is stored can be compared without it.
        """
        return await asyncio.to_thread(lambda: work(self.checkpoints(workspace)))

    async def forget(self, session_id: str | None = None) -> None:
        """End the agents' processes that are kept for a session, or all: what they remember no longer holds."""
        for agent in self.agents.values():
            await agent.forget(session_id)

    async def revoke(self, session_id: str, grant: str) -> None:
        self.revocations += 1
        # Side by side: none waits for the processes that another one ends.
        await asyncio.gather(*(agent.revoke(session_id, grant) for agent in self.agents.values()))

    async def milestone(self, task: Task, code: str, text: str | None = None) -> None:
        await self.store.write(lambda tx: tell_milestone(tx, task, code, text))

    def queue_changed(self, workspace_id: str, task: Task | None = None) -> None:
        """Unstored: a queued task leaves no trace, but the screens follow it."""
        item: dict[str, object] = {"type": "queue", "workspace_id": workspace_id}
        if task:
            item |= {"task_id": task.id, "session_id": task.session_id, "project_id": task.project_id}
        self.broadcast.item(item)


def tell_milestone(tx: Tx, task: Task, code: str, text: str | None = None, **changes: object) -> None:
    """Say what the task is doing now, with other changes of its row that are due at the same moment."""
    text = text or MILESTONES[code]
    tasks.update(tx, task.id, milestone=text, **changes)
    emit_milestone(tx, task, code, text)


def emit_milestone(tx: Tx, task: Task, code: str, text: str) -> None:
    """Of a task whose row says so already."""
    counted = {"current": task.loop.upcoming, "total": LOOPS} if code in COUNTED else {}
    told = TaskMilestone(attempt=task.attempt, code=code, text=text, **counted)
    tx.emit(told, session_id=task.session_id, task_id=task.id)
