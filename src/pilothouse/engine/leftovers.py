"""Telling the person of processes that an agent left behind, above all of those that would not end."""

from __future__ import annotations

from collections.abc import Sequence

from pilothouse.domain.events import GuardStrays
from pilothouse.domain.tasks import Task
from pilothouse.store import notices
from pilothouse.store.database import Tx


def tell(tx: Tx, ended: Sequence[str], remaining: Sequence[str], task: Task | None = None) -> None:
    """`ended` and `remaining` name processes: pid, then command."""
    told = GuardStrays(ended=list(ended), remaining=list(remaining))
    tx.emit(told, session_id=task.session_id if task else None, task_id=task.id if task else None)
    for process in remaining:
        notices.add(tx, "strays_remain", _advice(process), [])


def _advice(process: str) -> str:
    pid, _, command = process.partition(" ")
    return (
        f"A process that an agent started could not be ended and may still change files: {command} (pid {pid}). "
        f"End it yourself with “kill -9 {pid}”, with “sudo” where it belongs to another user; "
        "if it stays, it hangs in the kernel, and only a restart of the machine ends it."
    )
