"""The commands that a project is verified with."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path

from pilothouse.domain.event.log import ProjectChecksChanged
from pilothouse.server import commands
from pilothouse.server.contract import operation_id
from pilothouse.server.errors import documented
from pilothouse.server.schemas.commands import CommandsIn, CommandsOut, SaveIn
from pilothouse.server.services import Held
from pilothouse.store.database import Tx
from pilothouse.store.session import projects

router = APIRouter(
    prefix="/api/projects/{project_id}/commands", tags=["projects"], generate_unique_id_function=operation_id
)
ProjectId = Annotated[str, Path(max_length=64)]
ANSWERS = documented(404, 409)


@router.get("", responses=ANSWERS)
async def get_commands(project_id: ProjectId, services: Held) -> CommandsOut:
    project = await services.store.read(lambda c: commands.project_of(c, project_id))
    return await asyncio.to_thread(commands.describe, project)


@router.put("", responses=ANSWERS)
async def edit_commands(project_id: ProjectId, body: CommandsIn, services: Held) -> CommandsOut:
    project = await services.store.read(lambda c: commands.project_of(c, project_id))
    checks = await asyncio.to_thread(commands.checked, project, body.checks)
    shown = None if checks is None else [check.shown for check in checks]

    def write(tx: Tx) -> None:
        projects.edit_checks(tx, project_id, checks)
        tx.emit(ProjectChecksChanged(project_id=project_id, checks=shown))

    await services.store.write(write)
    return await get_commands(project_id, services)


@router.post("/save", responses=ANSWERS)
async def save_commands(project_id: ProjectId, body: SaveIn, services: Held) -> CommandsOut:
    project = await services.store.read(lambda c: commands.require_idle(c, project_id))
    await asyncio.to_thread(commands.save, project, body.text, body.seen)
    return await get_commands(project_id, services)
