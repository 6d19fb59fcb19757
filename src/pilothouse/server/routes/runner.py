"""The runner: how it is, and the operations a person may ask of it."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import APIRouter, Body, Path, Query

from pilothouse import __version__
from pilothouse.server.contract import operation_id as endpoint_name
from pilothouse.server.errors import documented
from pilothouse.server.schemas.runner import (
    AwakeOut,
    BuildIn,
    OperationOut,
    OperationOutput,
    RunnerDetail,
    RunnerOut,
    RunnerStopIn,
)
from pilothouse.server.services import Held, Services
from pilothouse.server.views import tasks

router = APIRouter(prefix="/api/runner", tags=["runner"], generate_unique_id_function=endpoint_name)


@router.get("", responses=documented())
async def get_runner(services: Held) -> RunnerDetail:
    return await _detail(services)


@router.post("/run", status_code=202, responses=documented(409))
async def run_runner(services: Held) -> RunnerDetail:
    """Take work. Nothing happens when it does already."""
    await services.operations.run()
    return await _detail(services)


@router.post("/stop", status_code=202, responses=documented(409))
async def stop_runner(services: Held, body: Annotated[RunnerStopIn | None, Body()] = None) -> RunnerDetail:
    """Wait for what runs, then interrupt it; the web part stays up."""
    await services.operations.stop(body.reason if body else "")
    return await _detail(services)


@router.post("/build", status_code=202, responses=documented(404, 409))
async def build(services: Held, body: Annotated[BuildIn | None, Body()] = None) -> RunnerDetail:
    await services.operations.build(body.project_id if body else None)
    return await _detail(services)


@router.post("/restart", status_code=202, responses=documented(409))
async def restart(services: Held) -> RunnerDetail:
    """Build, then stop, then start as a new process. A failed build keeps what runs."""
    await services.operations.restart()
    return await _detail(services)


@router.post("/cancel", responses=documented(409))
async def cancel_operation(services: Held) -> RunnerDetail:
    """End a build that is under way."""
    await services.operations.cancel()
    return await _detail(services)


@router.get("/operations/{operation_id}/output", responses=documented(404))
async def get_operation_output(
    operation_id: Annotated[str, Path(max_length=64)],
    services: Held,
    offset: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=1_048_576, description="Bytes.")] = 262_144,
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


async def present(services: Services) -> RunnerOut:
    """What every page needs of it."""
    running, queued = await services.store.read(tasks.load)
    runner = services.runner
    return RunnerOut(
        state=runner.state,
        boot_id=runner.boot_id,
        version=__version__,
        started_at=runner.started_at,
        uptime_seconds=round((services.clock.now() - runner.started_at).total_seconds(), 3),
        running=running,
        queued=queued,
    )


async def _detail(services: Services) -> RunnerDetail:
    operations = services.operations
    shown = await present(services)
    return RunnerDetail(
        **shown.model_dump(),
        pid=os.getpid(),
        since=operations.since,
        stop_wait_seconds=services.settings.shutdown_wait_seconds,
        tasks=await services.store.read(tasks.running_tasks),
        operation=OperationOut.of(operations.last, operations.cancellable) if operations.last else None,
        awake=AwakeOut.model_validate(services.awake.now),
        build_problem=operations.build_problem,
    )
