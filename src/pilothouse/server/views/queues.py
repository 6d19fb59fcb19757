"""The queue of a workspace: what runs, what holds it, and what each task waits for."""

from __future__ import annotations

from functools import cached_property

from sqlalchemy import Connection

from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.moves import allowed
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.errors import NotFound
from pilothouse.server.schemas.projects import QueueItem, QueueList, QueueOut
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.store.task import rollbacks, tasks
from pilothouse.words import say

PROMPT_SHOWN = 500


class WorkspaceQueue:
    """One workspace at one moment. Reads only what it is asked for. `taken`: whether the runner takes work from it.

    `several`: whether it will be asked about many tasks, so that it reads the whole queue once.
    """

    def __init__(self, c: Connection, workspace_id: str, *, taken: bool, several: bool = False) -> None:
        self._taken = taken
        self._several = several
        self._connection = c
        self.workspace = workspace(c, workspace_id)

    @cached_property
    def running(self) -> Task | None:
        return tasks.running_of_workspace(self._connection, self.workspace.id)

    @cached_property
    def holder(self) -> Task | None:
        return tasks.holder(self._connection, self.workspace.id)

    @cached_property
    def half_restored(self) -> Rollback | None:
        return rollbacks.unfinished_of_workspace(self._connection, self.workspace.id)

    @cached_property
    def newest_id(self) -> str | None:
        newest = tasks.newest_of_workspace(self._connection, self.workspace.id)
        return newest.id if newest else None

    @cached_property
    def queued(self) -> list[Task]:
        return tasks.queue(self._connection, self.workspace.id)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {task.id: number for number, task in enumerate(self.queued, start=1)}

    @property
    def idle(self) -> bool:
        return not (self.running or self.holder or self.queued or self.workspace.held)

    def position_of(self, task: Task) -> tuple[int | None, str | None]:
        """Its position, from 1, and what it waits for. Nothing for a task that is not queued."""
        if task.status is not TaskStatus.QUEUED:
            return None, None
        position = self._positions.get(task.id) if self._several else tasks.position(self._connection, task)
        return (position, self._reason(position)) if position else (None, None)

    def _reason(self, position: int) -> str:
        if self.workspace.held:
            why = self.workspace.held_reason
            return say("waiting.held_because", why=why) if why else say("waiting.held")
        if self.half_restored:
            return say("waiting.rollback")
        if self.holder:
            return say("waiting.holder")
        if not self._taken:
            return say("waiting.runner")
        ahead = position - 1 + (1 if self.running else 0)
        if ahead == 0:
            return say("waiting.next")
        if ahead == 1 and self.running:
            return say("waiting.running")
        return say("waiting.tasks", count=ahead)

    def out(self, c: Connection) -> QueueOut:
        return QueueOut(
            workspace_id=self.workspace.id,
            project_id=self.workspace.project_id,
            path=self.workspace.path,
            held=self.workspace.held,
            held_reason=self.workspace.held_reason,
            running=self._item(c, self.running) if self.running else None,
            holder=self._item(c, self.holder) if self.holder else None,
            ways_out=allowed(self.holder.status, self.holder.awaiting) if self.holder else [],
            items=[self._item(c, task) for task in self.queued],
        )

    def _item(self, c: Connection, task: Task) -> QueueItem:
        session = sessions.get(c, task.session_id)
        position, waits_for = self.position_of(task)
        return QueueItem(
            task_id=task.id,
            session_id=task.session_id,
            session_slug=session.slug if session else "",
            session_title=session.title if session else "",
            prompt=task.prompt[:PROMPT_SHOWN],
            agent=task.agent,
            status=task.status,
            awaiting=task.awaiting,
            position=position or 0,
            waits_for=waits_for or "",
            submitted_at=task.submitted_at,
        )


def workspace(c: Connection, workspace_id: str) -> Workspace:
    found = workspaces.get(c, workspace_id)
    if found is None:
        raise NotFound(say("workspace.unknown"))
    return found


def queue(c: Connection, workspace_id: str, *, taken: bool) -> QueueOut:
    return WorkspaceQueue(c, workspace_id, taken=taken, several=True).out(c)


def project_queue(c: Connection, project_id: str, host: str, *, taken: bool) -> QueueOut:
    return queue(c, workspaces.directory_of(c, project_id, host).id, taken=taken)


def queues(c: Connection, *, taken: bool) -> QueueList:
    """The queues that have work or are held."""
    of_projects = [space for project in projects.all(c) for space in workspaces.of_project(c, project.id)]
    every = [WorkspaceQueue(c, space.id, taken=taken, several=True) for space in of_projects]
    return QueueList(items=[waiting.out(c) for waiting in every if not waiting.idle])
