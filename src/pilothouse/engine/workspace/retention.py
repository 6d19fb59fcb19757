"""Letting go of checkpoints and verifications that nobody has needed for a long time."""

from __future__ import annotations

import asyncio
import logging
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.checks import VerificationRun
from pilothouse.domain.task.task import Task, Verdict
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import proposals
from pilothouse.engine.workspace.refs import ROOT
from pilothouse.errors import CheckpointFailed, PilothouseError
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.store.session import sessions, workspaces
from pilothouse.store.task import runs, tasks

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the checkpoints of a project amount to."""

    checkpoints: int
    bytes: int


async def kept_of(runtime: Runtime, project_id: str) -> Kept:
    """Measured in each of its workspaces: each keeps what its checkpoints need."""
    refs: set[str] = set()
    size = 0
    for workspace in await _places(runtime, project_id):
        async with runtime.lock(workspace.id):
            found, measured = await runtime.on_tree(workspace, lambda tree: (tree.refs(), tree.size()))
        refs |= {checkpoint.ref for checkpoint in found}
        size += measured
    return Kept(len(refs), size)


async def undo_refs(runtime: Runtime) -> dict[str, frozenset[str]]:
    """Of each workspace here, the refs that undo a rollback; none where the workspace cannot be read."""
    found = {}
    for workspace in await _places(runtime):
        try:
            kept = await runtime.on_tree(workspace, lambda tree: tree.refs())
        except (PilothouseError, OSError) as error:
            log.warning("cannot read the checkpoints of %s: %s", workspace.path, error)
            continue
        found[workspace.id] = frozenset(checkpoint.ref for checkpoint in kept if "/undo/" in checkpoint.ref)
    return found


async def forget_old_of(runtime: Runtime, project_id: str) -> int:
    """What `forget_old` does, for one project and without waiting for tomorrow; what git refuses is told."""
    places, before = await _places(runtime, project_id), _kept_since(runtime)
    return sum([await _forget_in(runtime, workspace, before) for workspace in places])


async def forget_old(runtime: Runtime) -> int:
    """Forget the checkpoints of sessions whose tasks have all ended and that nobody touched for the kept time."""
    await proposals.tidy(runtime, orphans=False)
    before = _kept_since(runtime)
    forgotten = 0
    for workspace in await _places(runtime):
        try:
            forgotten += await _forget_in(runtime, workspace, before)
        except (PilothouseError, OSError) as error:
            log.warning("cannot tidy the checkpoints of %s: %s", workspace.path, error)
    return forgotten


def _kept_since(runtime: Runtime) -> datetime:
    return runtime.clock.now() - timedelta(days=runtime.settings.checkpoint_retention_days)


async def _forget_in(runtime: Runtime, workspace: Workspace, before: datetime) -> int:
    async with runtime.lock(workspace.id):
        kept = await runtime.on_tree(workspace, lambda tree: tree.refs())
        owners = {checkpoint.ref.removeprefix(f"{ROOT}/").split("/")[0] for checkpoint in kept}
        finished = await runtime.store.read(lambda c: [owner for owner in owners if _finished(c, owner, before)])
        discarded = await runtime.store.read(lambda c: _discarded(c, {checkpoint.ref for checkpoint in kept}))

        def forget(tree: Checkpoints) -> int:
            left = sum(proposals.forget(tree, task, began) for task, began in discarded)
            return left + sum(tree.forget(f"{ROOT}/{session_id}") for session_id in finished)

        forgotten = await runtime.on_tree(workspace, forget)
        try:
            await runtime.on_tree(workspace, lambda tree: tree.tidy())
        except CheckpointFailed as error:
            log.warning("cannot free what the checkpoints of %s no longer need: %s", workspace.path, error)
        return forgotten


async def _places(runtime: Runtime, project_id: str | None = None) -> list[Workspace]:
    """The workspaces of this host, or those of one project."""
    here = await runtime.store.read(lambda c: workspaces.on_host(c, runtime.host_id))
    return [workspace for workspace in here if project_id in (None, workspace.project_id)]


def _discarded(c: Connection, kept: set[str]) -> list[tuple[Task, str | None]]:
    """Discarded proposals whose checkpoints survived a kill, each with the checkpoint its session began at."""
    found = []
    for task_id in {ref.removeprefix(f"{ROOT}/").split("/")[1] for ref in kept if ref.count("/") > 3}:
        task = tasks.get(c, task_id)
        if task and task.verdict is Verdict.PROPOSED:
            session = sessions.get(c, task.session_id)
            found.append((task, session.checkpoint if session else None))
    return found


def _finished(c: Connection, session_id: str, before: datetime) -> bool:
    """A session the database does not know may be one that a restored backup lacks: its checkpoints stay."""
    session = sessions.get(c, session_id)
    if session is None:
        return False
    return session.updated_at < before and not tasks.any_open(c, session_id)


async def forget_old_runs(runtime: Runtime) -> int:
    """Remove verifications past their time, logs first: a row without its logs is found again, the reverse is not."""
    settings, forgotten = runtime.settings, 0
    keep, days = settings.verification_runs_kept, settings.verification_retention_days
    while batch := await runtime.store.read(
        lambda c: runs.expired(c, runtime.host_id, runtime.clock.now(), keep, days)
    ):
        gone = [run.id for run in batch if await asyncio.to_thread(_remove_logs, run)]
        if not gone:
            break
        await runtime.store.write(lambda tx, gone=gone: runs.remove(tx, gone))  # type: ignore[misc]
        forgotten += len(gone)
    before = runtime.clock.now() - timedelta(days=settings.log_retention_days)
    await _remove_unknown(runtime, settings.logs / "runs", before.timestamp())
    return forgotten


async def _remove_unknown(runtime: Runtime, folder: Path, before: float) -> None:
    """A verification that was stopped leaves its logs but no row."""
    old = await asyncio.to_thread(_older, folder, before)
    unknown = await runtime.store.read(lambda c: [path for path in old if runs.get(c, path.name) is None])
    for path in unknown:
        await asyncio.to_thread(_removed, path)


def _older(folder: Path, before: float) -> list[Path]:
    if not folder.is_dir():
        return []
    return [path for path in folder.iterdir() if path.is_dir() and path.stat().st_mtime < before]


def _remove_logs(run: VerificationRun) -> bool:
    """Whether the logs are gone. Only a folder made for this very run is removed, whatever the row says."""
    folder = Path(run.log_path).parent
    ours = folder.name == run.id and folder.parent.name == "runs"
    return _removed(folder) if ours and folder.is_dir() else True


def _removed(folder: Path) -> bool:
    try:
        shutil.rmtree(folder)
    except OSError as error:
        log.warning("cannot remove the logs in %s: %s", folder, error)
        return False
    return True
