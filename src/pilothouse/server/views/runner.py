"""The runner as the screens show it."""

from __future__ import annotations

import os

from sqlalchemy import Connection

from pilothouse import __version__
from pilothouse.domain.task.task import TaskStatus
from pilothouse.server.schemas.runner import AwakeOut, OperationOut, RunnerDetail, RunnerOut, RunningTask
from pilothouse.server.services import Services
from pilothouse.store.session import sessions
from pilothouse.store.task import tasks


async def runner_out(services: Services) -> RunnerOut:
    """What every page needs of it."""
    running, queued = await services.store.read(lambda c: _load(c, services.host_id))
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


async def runner_detail(services: Services) -> RunnerDetail:
    operations = services.operations
    shown = await runner_out(services)
    return RunnerDetail(
        **shown.model_dump(),
        pid=os.getpid(),
        since=operations.since,
        stop_wait_seconds=services.settings.shutdown_wait_seconds,
        tasks=await services.store.read(lambda c: _running(c, services.host_id)),
        operation=OperationOut.of(operations.last, operations.cancellable) if operations.last else None,
        awake=AwakeOut.model_validate(services.awake.now),
        build_problem=operations.build_problem,
    )


def _load(c: Connection, host: str) -> tuple[int, int]:
    """How many tasks run here and how many wait in a queue."""
    counts = tasks.counts(c, host)
    return counts[TaskStatus.RUNNING], counts[TaskStatus.QUEUED]


def _running(c: Connection, host: str) -> list[RunningTask]:
    found = []
    for task in tasks.running_on(c, host):
        session = sessions.get(c, task.session_id)
        found.append(
            RunningTask(
                task_id=task.id,
                session_slug=session.slug if session else "",
                session_title=session.title if session else "",
                project_id=task.project_id,
                milestone=task.milestone,
                started_at=task.started_at,
            )
        )
    return found
