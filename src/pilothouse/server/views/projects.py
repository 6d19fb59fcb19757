"""Projects as the screens show them, with what git says of their working trees."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.session.session import Project, Workspace
from pilothouse.engine.workspace import occupancy
from pilothouse.errors import NotFound, PilothouseError, WorkspaceBusy
from pilothouse.git.changes import status
from pilothouse.git.model import ChangedFile
from pilothouse.git.repository import inspect
from pilothouse.git.threads import beside
from pilothouse.server.schemas.projects import ChangedFileOut, ChangesOut, ProjectOut, SuggestionOut, WorkspaceOut
from pilothouse.server.services import Services
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.words import say


@dataclass(frozen=True, slots=True)
class ProjectState:
    project: Project
    workspace: Workspace
    """Its own directory."""
    workspaces: list[Workspace]
    sessions: int
    busy: str | None
    """Why nothing may touch its tree now."""


def state(c: Connection, project_id: str, host: str) -> ProjectState:
    project = projects.get(c, project_id)
    if project is None:
        raise NotFound(say("project.unknown"))
    return _state(c, project, host)


def states(c: Connection, host: str) -> list[ProjectState]:
    return [_state(c, project, host) for project in projects.all(c)]


def _state(c: Connection, project: Project, host: str) -> ProjectState:
    workspace = workspaces.directory_of(c, project.id, host)
    every, count = workspaces.of_project(c, project.id), sessions.count(c, project.id)
    return ProjectState(project, workspace, every, count, busy(c, workspace.id))


def busy(c: Connection, workspace_id: str) -> str | None:
    try:
        occupancy.require_no_half_work(c, workspace_id)
    except WorkspaceBusy as error:
        return error.message
    return None


async def describe(state: ProjectState, services: Services) -> ProjectOut:
    project, branch, problem = state.project, None, None
    try:
        branch = (await beside(Path(state.workspace.path), partial(inspect, Path(state.workspace.path)))).branch
    except PilothouseError as error:
        problem = error.message
    return ProjectOut(
        id=project.id,
        path=project.path,
        name=project.name,
        agent=project.agent,
        sample=project.sample,
        added_at=project.added_at,
        workspace=_workspace(state.workspace, services),
        workspaces=[_workspace(workspace, services) for workspace in state.workspaces],
        sessions=state.sessions,
        branch=branch,
        problem=problem,
        suggestions=[SuggestionOut.model_validate(suggestion) for suggestion in services.suggestions]
        if project.sample
        else [],
    )


def _workspace(workspace: Workspace, services: Services) -> WorkspaceOut:
    return WorkspaceOut(
        id=workspace.id,
        path=workspace.path,
        kind=workspace.kind,
        branch=workspace.branch,
        here=workspace.host == services.runner.host_id,
        held=workspace.held,
        held_reason=workspace.held_reason,
    )


async def changes(workspace: Workspace, busy: str | None, by_task: Collection[str] = ()) -> ChangesOut:
    root = Path(workspace.path)
    info, files = await beside(root, lambda: (inspect(root), status(root)))
    return ChangesOut(branch=info.branch, files=[_changed(file, by_task) for file in files], busy=busy)


def _changed(file: ChangedFile, by_task: Collection[str]) -> ChangedFileOut:
    shown = ChangedFileOut.model_validate(file)
    return shown.model_copy(update={"by_task": file.path in by_task})
