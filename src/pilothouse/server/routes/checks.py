"""The commands that a project is verified with."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from fastapi import APIRouter

from pilothouse.domain.event.session import ProjectChecksChanged
from pilothouse.git.threads import beside
from pilothouse.server.contract import operation_id
from pilothouse.server.routes.parameters import CHANGED, Id
from pilothouse.server.schemas.checks import CommandsIn, CommandsOut, SaveIn
from pilothouse.server.services import AppServices
from pilothouse.server.views import checks
from pilothouse.server.views.projects import state
from pilothouse.store.database import Tx
from pilothouse.store.session import projects

router = APIRouter(
    prefix="/api/projects/{project_id}/commands", tags=["projects"], generate_unique_id_function=operation_id
)


@router.get("", responses=CHANGED)
async def get_commands(project_id: Id, services: AppServices) -> CommandsOut:
    project = await services.store.read(lambda c: state(c, project_id, services.host_id))
    return await beside(Path(project.workspace.path), partial(checks.describe, project))


@router.put("", responses=CHANGED)
async def edit_commands(project_id: Id, body: CommandsIn, services: AppServices) -> CommandsOut:
    project = await services.store.read(lambda c: state(c, project_id, services.host_id))
    wanted = await beside(Path(project.workspace.path), partial(checks.checked, project, body.checks))
    shown = None if wanted is None else [check.shown for check in wanted]

    def write(tx: Tx) -> None:
        projects.edit_checks(tx, project_id, wanted)
        tx.emit(ProjectChecksChanged(project_id=project_id, checks=shown))

    await services.store.write(write)
    return await get_commands(project_id, services)


@router.post("/save", responses=CHANGED)
async def save_commands(project_id: Id, body: SaveIn, services: AppServices) -> CommandsOut:
    project = await services.store.read(lambda c: checks.require_idle(c, project_id, services.host_id))
    await beside(Path(project.workspace.path), partial(checks.save, project, body.text, body.seen))
    return await get_commands(project_id, services)
