"""Letting go of checkpoints that nobody has needed for a long time."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pilothouse.domain.sessions import Workspace
from pilothouse.engine.refs import ROOT
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import PilothouseError
from pilothouse.store import projects, sessions, tasks, workspaces

log = logging.getLogger(__name__)


async def forget_old(runtime: Runtime) -> int:
    """Forget the checkpoints of sessions whose tasks have all ended and that nobody touched for the kept time."""
    before = runtime.clock.now() - timedelta(days=runtime.settings.checkpoint_retention_days)
    forgotten = 0
    for workspace in await runtime.store.read(_all_workspaces):
        try:
            forgotten += await _forget_in(runtime, workspace, before)
        except (PilothouseError, OSError) as error:
            log.warning("cannot tidy the checkpoints of %s: %s", workspace.path, error)
    return forgotten


async def _forget_in(runtime: Runtime, workspace: Workspace, before: datetime) -> int:
    async with runtime.lock(workspace.id):
        kept = await runtime.on_tree(workspace, lambda tree: tree.refs())
        owners = {checkpoint.ref.removeprefix(f"{ROOT}/").split("/")[0] for checkpoint in kept}
        finished = await runtime.store.read(lambda c: [owner for owner in owners if _finished(c, owner, before)])
        return await runtime.on_tree(
            workspace, lambda tree: sum(tree.forget(f"{ROOT}/{session_id}") for session_id in finished)
        )


def _all_workspaces(c: Connection) -> list[Workspace]:
    return [workspace for project in projects.all(c) for workspace in workspaces.of_project(c, project.id)]


def _finished(c: Connection, session_id: str, before: datetime) -> bool:
    """A session the database does not know may be one that a restored backup lacks: its checkpoints stay."""
    session = sessions.get(c, session_id)
    if session is None:
        return False
    return session.updated_at < before and not tasks.any_open(c, session_id)
