"""The runner: how it is, and the operations a person may ask of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body

from pilothouse.server.contract import operation_id as endpoint_name
from pilothouse.server.errors import documented
from pilothouse.server.routes.parameters import BYTES, CHANGED, FOUND, ByteCount, Id, Offset
from pilothouse.server.schemas.runner import (
    BuildIn,
    OperationOutput,
    RunnerDetail,
    RunnerStopIn,
)
from pilothouse.server.services import AppServices
from pilothouse.server.views.runner import runner_detail

router = APIRouter(prefix="/api/runner", tags=["runner"], generate_unique_id_function=endpoint_name)


@router.get("", responses=documented())
async def get_runner(services: AppServices) -> RunnerDetail:
    return await runner_detail(services)


@router.post("/run", status_code=202, responses=documented(409))
async def run_runner(services: AppServices) -> RunnerDetail:
    """Take work. Nothing happens when it does already."""
    await services.operations.run()
    return await runner_detail(services)


@router.post("/stop", status_code=202, responses=documented(409))
async def stop_runner(services: AppServices, body: Annotated[RunnerStopIn | None, Body()] = None) -> RunnerDetail:
    """Wait for what runs, then interrupt it; the web part stays up."""
    await services.operations.stop(body.reason if body else "")
    return await runner_detail(services)


@router.post("/build", status_code=202, responses=CHANGED)
async def build(services: AppServices, body: Annotated[BuildIn | None, Body()] = None) -> RunnerDetail:
    await services.operations.build(body.project_id if body else None)
    return await runner_detail(services)


@router.post("/restart", status_code=202, responses=documented(409))
async def restart(services: AppServices) -> RunnerDetail:
    """Build, then stop, then start as a new process. A failed build keeps what runs."""
    await services.operations.restart()
    return await runner_detail(services)


@router.post("/cancel", responses=documented(409))
async def cancel_operation(services: AppServices) -> RunnerDetail:
    """End a build that is under way."""
    await services.operations.cancel()
    return await runner_detail(services)


@router.get("/operations/{operation_id}/output", responses=FOUND)
async def get_operation_output(
    operation_id: Id,
    services: AppServices,
    offset: Offset = 0,
    limit: ByteCount = BYTES,
) -> OperationOutput:
    text, next_offset, total = await services.operations.output(operation_id, offset, limit)
    last = services.operations.last
    return OperationOutput(
        operation_id=operation_id,
        offset=offset,
        text=text,
        next_offset=next_offset,
        total=total,
        live=last is not None and last.id == operation_id and last.outcome is None,
    )
