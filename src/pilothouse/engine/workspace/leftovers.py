"""Telling the person of what an agent left behind: processes, above all those that would not end, and git's locks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pilothouse.domain.event.guard import GuardStrays
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.task import Task
from pilothouse.engine.runtime import Runtime
from pilothouse.store import notices
from pilothouse.store.database import Tx
from pilothouse.words import say


def tell(tx: Tx, ended: Sequence[str], remaining: Sequence[str], task: Task | None = None) -> None:
    """`ended` and `remaining` name processes: pid, then command."""
    told = GuardStrays(ended=list(ended), remaining=list(remaining))
    tx.emit(told, session_id=task.session_id if task else None, task_id=task.id if task else None)
    for process in remaining:
        notices.add(tx, "strays_remain", _advice(process), [])


def _advice(process: str) -> str:
    pid, _, command = process.partition(" ")
    return say("notice.stray", command=command, pid=pid)


async def free(runtime: Runtime, workspace: Workspace, since: datetime) -> None:
    """Move locks of a killed git out of the way. Only where nothing of the agent lives; the caller holds the lock."""
    moved = await runtime.on_tree(workspace, lambda tree: tree.free(since.timestamp()))
    if moved:
        words = say("notice.lock", folder=workspace.path)
        await runtime.store.write(lambda tx: notices.add(tx, "lock_set_aside", words, [str(place) for place in moved]))
