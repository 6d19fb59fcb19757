"""Projects with what git says of their working trees."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.sessions import Project, Workspace
from pilothouse.engine import occupancy
from pilothouse.errors import NotFound, PilothouseError, WorkspaceBusy
from pilothouse.git import inspect, status
from pilothouse.server.schemas.projects import ChangedFileOut, ChangesOut, ProjectOut, SuggestionOut, WorkspaceOut
from pilothouse.server.services import Services
from pilothouse.store import projects, sessions, workspaces
from pilothouse.words import say


@dataclass(frozen=True, slots=True)
class Known:
    project: Project
    workspace: Workspace
    sessions: int
    busy: str | None
    """Why its tree must be left alone now."""


def known(c: Connection, project_id: str) -> Known:
    project = projects.get(c, project_id)
    if project is None:
        raise NotFound(say("project.unknown"))
    return _known(c, project)


def all_known(c: Connection) -> list[Known]:
    return [_known(c, project) for project in projects.all(c)]


def _known(c: Connection, project: Project) -> Known:
    workspace = workspaces.of_project(c, project.id)[0]
    return Known(project, workspace, sessions.count(c, project.id), _busy(c, workspace.id))


def _busy(c: Connection, workspace_id: str) -> str | None:
    try:
        occupancy.require_no_half_work(c, workspace_id)
    except WorkspaceBusy as busy:
        return busy.message
    return None


async def describe(known: Known, services: Services) -> ProjectOut:
    project, branch, problem = known.project, None, None
    try:
        branch = (await asyncio.to_thread(inspect, Path(project.path))).branch
    except PilothouseError as error:
        problem = error.message
    return ProjectOut(
        id=project.id,
        path=project.path,
        name=project.name,
        agent=project.agent,
        sample=project.sample,
        added_at=project.added_at,
        workspace=WorkspaceOut.model_validate(known.workspace),
        sessions=known.sessions,
        branch=branch,
        problem=problem,
        suggestions=[SuggestionOut.model_validate(suggestion) for suggestion in services.suggestions]
        if project.sample
        else [],
    )


async def changes(known: Known) -> ChangesOut:
    place = Path(known.project.path)
    info, files = await asyncio.to_thread(lambda: (inspect(place), status(place)))
    return ChangesOut(
        branch=info.branch, files=[ChangedFileOut.model_validate(file) for file in files], busy=known.busy
    )
