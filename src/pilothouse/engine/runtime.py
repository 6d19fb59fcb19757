"""What every part of the engine works with."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from sqlalchemy import Connection

from pilothouse.domain.clock import Clock, within
from pilothouse.domain.event.task import TaskMilestone
from pilothouse.domain.ports import Agents
from pilothouse.domain.session.session import SessionKind, Workspace
from pilothouse.domain.task.loop import LOOPS
from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.engine.agents.health import AgentsHealth
from pilothouse.engine.agents.workbench import Seats
from pilothouse.engine.broadcast import Broadcast
from pilothouse.engine.transition import Move, transition
from pilothouse.engine.workflow import Workflow, Workflows
from pilothouse.errors import Conflict, Recovering, WorkflowFailed
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.threads import beside
from pilothouse.process.confine import Confinement
from pilothouse.settings import Settings
from pilothouse.store import hosts, notices
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import sessions, workspaces
from pilothouse.store.task import tasks
from pilothouse.store.writer import QueueChange
from pilothouse.verify.runs.verifier import Verifier
from pilothouse.words import say

log = logging.getLogger(__name__)
T = TypeVar("T")

LOOK_SECONDS = 60.0
"""A workflow that is still looking by then has seen nothing: the task must go on."""

COUNTED = ("verifying", "debugging", "replanning")
"""Those that belong to a verification, and say which."""


class Runtime:
    def __init__(
        self,
        settings: Settings,
        store: Store,
        broadcast: Broadcast,
        clock: Clock,
        agents: Agents,
        confinement: Confinement | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.broadcast = broadcast
        self.clock = clock
        self.agents = agents
        self.health = AgentsHealth(lambda: self.agents, store, clock, settings.agent_check_seconds)
        self.verifier = Verifier(settings, clock, confinement)
        self.host_id = hosts.host_id(settings.data_dir)
        self.boot_id = uuid4().hex
        self.seats = Seats()
        self.workflows: dict[SessionKind, Workflow] = {}
        """What comes next in sessions of each kind; filled where the parts are put together."""
        self.limits_changed = asyncio.Event()
        """Set when a task begins or ceases to wait for a limit to be over."""
        self.revocations = 0
        """Counts revocations, for agents still starting."""
        self.recovered = asyncio.Event()
        """Set while nothing that an earlier run left in a workspace is still to be looked at."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._checkpoints: dict[str, Checkpoints] = {}
        self._opening: dict[str, threading.Lock] = {}
        store.on_queue(self._queue_changed)

    def lock(self, workspace_id: str) -> asyncio.Lock:
        """Held while a checkpoint of the workspace is taken or restored."""
        return self._locks.setdefault(workspace_id, asyncio.Lock())

    def require_here(self, workspace: Workspace) -> None:
        if workspace.host != self.host_id:
            raise Conflict(say("workspace.elsewhere"))

    def require_recovered(self) -> None:
        """Refuse what touches a workspace before it is known what an earlier run left there."""
        if not self.recovered.is_set():
            raise Recovering(say("workspace.recovering"))

    def checkpoints(self, workspace: Workspace) -> Checkpoints:
        """One object for each workspace. Several threads ask for it."""
        self.require_here(workspace)
        with self._opening.setdefault(workspace.id, threading.Lock()):
            if workspace.id not in self._checkpoints:
                state = self.settings.data_dir / "workspaces" / workspace.id
                self._checkpoints[workspace.id] = Checkpoints(Path(workspace.path), state)
            return self._checkpoints[workspace.id]

    async def on_tree(self, workspace: Workspace, work: Callable[[Checkpoints], T]) -> T:
        """Run git work on a workspace beside the event loop, in threads of its own.

        Whoever looks at the present or writes holds the workspace's lock; what is stored can be compared without it.
        """
        return await beside(Path(workspace.path), lambda: work(self.checkpoints(workspace)))

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

    async def move(
        self,
        task_id: str,
        decide: Callable[[Tx, Task], Move | None],
        attempt: int | None = None,
        *,
        insists: bool = False,
    ) -> tuple[Task, Task]:
        """Have a task moved as `decide` says of its present row; the task before and after.

        `attempt` is the one that a person looked at. Without a move nothing changes its status. `insists` where
        nothing is left to try if the workflow fails on it. Only the host that runs a task queues it again.
        """
        task, seen = await self.look(task_id, attempt)

        def write(tx: Tx, workflows: Workflows) -> tuple[Task, Task]:
            before = tasks.require(tx.conn, task.id, attempt)
            move = decide(tx, before)
            if move is None:
                return before, tasks.require(tx.conn, task.id)
            after = transition(tx, workflows, before, move, seen)
            if after.status is TaskStatus.QUEUED and (workspace := workspaces.get(tx.conn, after.workspace_id)):
                self.require_here(workspace)
            return before, after

        return await (self.insist(write) if insists else self.store.write(lambda tx: write(tx, self.workflows)))

    async def insist(self, write: Callable[[Tx, Workflows], T]) -> T:
        """Write a move that has to happen: where the workflow fails on it, once more without it, and with a notice."""
        try:
            return await self.store.write(lambda tx: write(tx, self.workflows))
        except WorkflowFailed as error:
            log.exception("a task is moved without its workflow")
            details = [say("notice.task", task=(error.details or {})["task_id"]), error.message]

        def alone(tx: Tx) -> T:
            notices.add(tx, "workflow_failed", say("notice.workflow_failed"), details)
            return write(tx, {})

        return await self.store.write(alone)

    def is_conversation(self, kind: SessionKind) -> bool:
        return kind in self.workflows and self.workflows[kind].is_conversation

    async def look(self, task_id: str, attempt: int | None = None) -> tuple[Task, object]:
        """The task, and what the workflow of its session sees in time before it moves."""

        def read(c: Connection) -> tuple[Task, SessionKind | None]:
            task = tasks.require(c, task_id, attempt)
            session = sessions.get(c, task.session_id)
            return task, session.kind if session else None

        task, kind = await self.store.read(read)
        workflow = self.workflows.get(kind) if kind else None
        try:
            return task, await within(self.clock, LOOK_SECONDS, workflow.look(task)) if workflow else None
        except Exception:  # a task must come to its end whatever its folder looks like
            log.exception("the workflow of task %s could not look", task_id)
            return task, None

    def _queue_changed(self, change: QueueChange) -> None:
        """Unstored: a queued task leaves no trace, but the screens follow it."""
        about = {name: value for name, value in change._asdict().items() if value is not None}
        self.broadcast.item({"type": "queue", **about})


def tell_milestone(tx: Tx, task: Task, code: str, text: str | None = None, **changes: object) -> None:
    """Say what the task is doing now, with other changes of its row that are due at the same moment."""
    text = text or say(f"milestone.{code}")
    tasks.update(tx, task.id, milestone=text, **changes)
    counted = {"current": task.loop.upcoming, "total": LOOPS} if code in COUNTED else {}
    told = TaskMilestone(attempt=task.attempt, code=code, text=text, **counted)
    tx.emit(told, session_id=task.session_id, task_id=task.id)
