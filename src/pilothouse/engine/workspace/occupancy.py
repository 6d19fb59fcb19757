"""Who has a workspace to themselves, so that nobody else changes its tree or its HEAD."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.task import Purpose, Task, TaskStatus
from pilothouse.errors import WorkspaceBusy
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts, steps, tasks
from pilothouse.words import say


def require_idle(c: Connection, workspace_id: str) -> None:
    running = tasks.running_of_workspace(c, workspace_id)
    if running:
        raise WorkspaceBusy(say("workspace.runs"), {"task_id": running.id})
    for near in _above_and_below(c, workspace_id):
        if (running := tasks.running_of_workspace(c, near.id)) is not None:
            raise WorkspaceBusy(say("workspace.runs_near", path=near.path), {"task_id": running.id})


def require_no_half_work_near(c: Connection, workspace_id: str) -> None:
    """Refuse to restore files that a waiting task of a project inside this one, or around it, holds."""
    for near in _above_and_below(c, workspace_id):
        if (holder := tasks.holder(c, near.id)) is not None:
            raise WorkspaceBusy(say("workspace.held_near", path=near.path), {"task_id": holder.id})


def _above_and_below(c: Connection, workspace_id: str) -> list[Workspace]:
    """Other workspaces of the same server that have this one's files among theirs, or theirs among its."""
    here = workspaces.get(c, workspace_id)
    if here is None:
        return []
    place = Path(here.path)
    others = [other for other in workspaces.on_host(c, here.host) if other.id != here.id]
    return [at for at in others if place.is_relative_to(at.path) or Path(at.path).is_relative_to(place)]


def require_no_half_work(c: Connection, workspace_id: str) -> None:
    """Refuse what would mix with a task that runs, or that waits or is queued again with changes in the tree."""
    require_idle(c, workspace_id)
    half_way = tasks.holder(c, workspace_id) or _queued_again(c, workspace_id)
    if half_way:
        raise WorkspaceBusy(say("workspace.half_way"), {"task_id": half_way.id})


def may_have_changed(c: Connection, task: Task) -> bool:
    """Whether the tree may hold changes of this task: recorded ones, or those of a step that could not be saved."""
    if task.purpose is not Purpose.CHANGE or not any(attempt.base for attempt in attempts.in_workspace(c, task)):
        return False
    return task.files_changed > 0 or any(step.checkpoint is None for step in steps.of_task(c, task.id))


def _queued_again(c: Connection, workspace_id: str) -> Task | None:
    """A task that was answered or resumed and has not gone on yet, as while the runner is stopped."""
    newest = tasks.newest_of_workspace(c, workspace_id)
    again = newest is not None and newest.status is TaskStatus.QUEUED and may_have_changed(c, newest)
    return newest if again else None
