"""Verification runs: what the project's checks said, and their logs."""

from __future__ import annotations

import asyncio
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Query

from pilothouse.domain.task.checks import VerificationRun
from pilothouse.errors import NotFound
from pilothouse.server.contract import operation_id
from pilothouse.server.routes.parameters import BYTES, FOUND, ByteCount, Id, Offset
from pilothouse.server.schemas.runs import RunList, RunLogPage, RunOut, RunSummary
from pilothouse.server.services import AppServices, Services
from pilothouse.store.task import runs, tasks
from pilothouse.verify.runs.logs import page
from pilothouse.words import say

router = APIRouter(prefix="/api", tags=["runs"], generate_unique_id_function=operation_id)


@router.get("/tasks/{task_id}/runs", responses=FOUND)
async def get_runs(task_id: Id, services: AppServices) -> RunList:
    await services.store.read(lambda c: tasks.require(c, task_id))
    found = await services.store.read(lambda c: runs.of_task(c, task_id))
    return RunList(items=[RunSummary.of(run) for run in reversed(found)])


@router.get("/runs/{run_id}", responses=FOUND)
async def get_run(run_id: Id, services: AppServices) -> RunOut:
    return RunOut.of(await _record(services, run_id))


@router.get("/runs/{run_id}/log", responses=FOUND)
async def get_run_log(
    run_id: Id,
    services: AppServices,
    check: Annotated[
        str, Query(pattern="^(combined|[1-9][0-9]{0,3})$", description="A check's number, or `combined`.")
    ] = "combined",
    offset: Offset = 0,
    limit: ByteCount = BYTES,
) -> RunLogPage:
    path = _log_of(await _record(services, run_id), check)
    try:
        text, next_offset, total = await asyncio.to_thread(page, path, offset, limit)
    except FileNotFoundError:
        raise NotFound(say("run.log_gone")) from None
    return RunLogPage(run_id=run_id, check=check, offset=offset, text=text, next_offset=next_offset, total=total)


async def _record(services: Services, run_id: str) -> VerificationRun:
    found = await services.store.read(lambda c: runs.get(c, run_id))
    if found is None:
        raise NotFound(say("run.unknown"))
    return found


def _log_of(run: VerificationRun, check: str) -> FilePath:
    if check == "combined":
        return FilePath(run.log_path)
    if int(check) > len(run.checks):
        raise NotFound(say("run.no_check"))
    path = run.checks[int(check) - 1].log_path
    if not path:
        raise NotFound(say("run.no_log"))
    return FilePath(path)
