"""Failed auto-fix rolls its changes back automatically; the person can undo that.

The task is settled first, so that its report and its error are kept whatever comes; a rollback that a kill prevented
is made up for at the next start, before anything else works in the tree.
"""

from __future__ import annotations

import logging

from sqlalchemy import Connection

from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import occupancy, rollback, ways
from pilothouse.errors import PilothouseError, message_of
from pilothouse.store import notices
from pilothouse.store.database import Tx
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts, rollbacks, tasks
from pilothouse.words import say

log = logging.getLogger(__name__)
IN_VAIN = (TaskStatus.STUCK, TaskStatus.ERROR)


def is_due(task: Task) -> bool:
    return task.options.auto_fix and task.status in IN_VAIN


async def take_back(runtime: Runtime, task: Task, workspace: Workspace) -> None:
    """Roll back to where the task began. What stands in the way is told, and the changes stay."""
    try:
        async with runtime.lock(workspace.id):
            if await runtime.store.read(lambda c: ways.base(c, task)) is not None:
                way = await ways.away(runtime, task, workspace)
                if not way.done:
                    way.require(None)
                    await rollback.perform(runtime, task, workspace, way, replay=False)
    except (PilothouseError, OSError) as error:
        why = message_of(error)
        log.warning("cannot take back what task %s did: %s", task.id, why)
        await runtime.store.write(lambda tx: _tell_failed(tx, task, why))


async def make_up(runtime: Runtime) -> None:
    """What an earlier run was about to take back when it was killed."""
    for task, workspace in await runtime.store.read(lambda c: _overdue(c, runtime.host_id)):
        await take_back(runtime, task, workspace)


def _overdue(c: Connection, host: str) -> list[tuple[Task, Workspace]]:
    found = []
    for workspace in workspaces.on_host(c, host):
        task = tasks.newest_of_workspace(c, workspace.id)
        attempt = attempts.get(c, task.id, task.attempt) if task else None
        if task is None or attempt is None or not is_due(task) or not occupancy.may_have_changed(c, task):
            continue
        if not any(row.turn > attempt.turn for row in rollbacks.of_task(c, task.id)):
            found.append((task, workspace))
    return found


def _tell_failed(tx: Tx, task: Task, why: str) -> None:
    details = (say("notice.task", task=task.id), why)
    notices.add(tx, "auto_fix_kept", say("notice.auto_fix_kept"), details)
