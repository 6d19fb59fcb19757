"""Going back to where a task began, and undoing that.

A rollback is a row before it is an act, and its undo ref exists before a byte of the tree changes: a crash in the
middle leaves a rollback that can be run again, and undone to what was there before it first began.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import Connection

from pilothouse.domain.events import TaskRollbackUndone, TaskRolledBack
from pilothouse.domain.rollbacks import Rollback
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import AttemptMode, Task, TaskStatus
from pilothouse.engine import refs
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import Conflict, WorkspaceBusy
from pilothouse.git.model import DiffStat
from pilothouse.store import attempts, rollbacks, tasks
from pilothouse.store.database import Tx

ON_TOP = "Another task has worked in this workspace since; rolling back would take its changes away too."


@dataclass(frozen=True, slots=True)
class RolledBack:
    rollback_id: str
    stat: DiffStat
    other_branches: tuple[str, ...] = ()


def base(c: Connection, task: Task) -> str | None:
    """Where the task began: the newest replay's checkpoint, else the first attempt's."""
    began = [a for a in attempts.of_task(c, task.id) if a.checkpoint]
    replays = [a for a in began if a.mode is AttemptMode.ROLLBACK]
    chosen = replays[-1] if replays else began[0] if began else None
    return chosen.checkpoint if chosen else None


def replay_began(c: Connection, task_id: str) -> int | None:
    """The newest attempt that repeats earlier work; what was answered before it is given back."""
    repeats = (AttemptMode.ROLLBACK, AttemptMode.SOFT)
    numbers = [a.number for a in attempts.of_task(c, task_id) if a.mode in repeats]
    return max(numbers, default=None)


def blocked_by(c: Connection, task: Task) -> Task | None:
    """Another task that has worked in the workspace since this one last did: its changes lie on top."""
    newest = tasks.newest_of_workspace(c, task.workspace_id)
    return newest if newest and newest.id != task.id else None


def require_on_top(c: Connection, task: Task) -> None:
    """Refuse to take away what others did: only the newest work of a workspace can be rolled back."""
    for running in tasks.running(c):
        if running.workspace_id == task.workspace_id:
            raise WorkspaceBusy("A task is running in this workspace.", {"task_id": running.id})
    above = blocked_by(c, task)
    if above:
        raise WorkspaceBusy(ON_TOP, {"task_id": above.id})


async def before_replay(runtime: Runtime, task: Task, workspace: Workspace) -> None:
    """Restore the task's base before it runs again; a task that changed nothing has nothing to restore."""
    commit = await runtime.store.read(lambda c: base(c, task))
    others = await runtime.store.read(lambda c: attempts.others_since(c, task))
    if others and task.files_changed:
        raise WorkspaceBusy(ON_TOP, {"task_id": others[0]})
    if commit is None or others:
        return
    await perform(runtime, task, workspace, commit, replay=True)


async def perform(runtime: Runtime, task: Task, workspace: Workspace, commit: str, replay: bool) -> RolledBack:
    """Restore `commit`. The caller holds the workspace's lock."""
    row = await runtime.store.write(lambda tx: _begin(tx, task, commit, replay))
    restored = await runtime.on_tree(workspace, lambda tree: tree.restore(commit, row.undo))
    # After a crash the first undo checkpoint counts, so the figures are taken from it and not from the present.
    stat = await runtime.on_tree(workspace, lambda tree: tree.stat(commit, tree.refs(row.undo)[0].commit))
    moved = tuple(move.branch for move in restored.other_branches_moved)

    def tell(tx: Tx) -> None:
        rollbacks.finish(tx, row.id, len(stat.files), stat.insertions, stat.deletions)
        if task.status is TaskStatus.AWAITING_RESPONSE:
            tasks.update(tx, task.id, holds_workspace=False)
        told = TaskRolledBack(
            rollback_id=row.id,
            checkpoint=commit,
            undo=row.undo,
            files=len(stat.files),
            insertions=stat.insertions,
            deletions=stat.deletions,
            replay=replay,
            other_branches=list(moved),
        )
        tx.emit(told, session_id=task.session_id, task_id=task.id)

    await runtime.store.write(tell)
    return RolledBack(row.id, stat, moved)


def _begin(tx: Tx, task: Task, commit: str, replay: bool) -> Rollback:
    """The row of this rollback: that of one to the same state that a crash cut short, else a new one.

    Not once the task has worked on from the half-way state: an undo would then not bring that work back.
    """
    began = [a.started_at for a in attempts.of_task(tx.conn, task.id) if a.checkpoint]
    for cut_short in rollbacks.unfinished(tx.conn, task.id):
        if cut_short.checkpoint == commit and max(began) < cut_short.at:
            return cut_short
    rollback_id = uuid4().hex
    row = Rollback(
        id=rollback_id,
        task_id=task.id,
        workspace_id=task.workspace_id,
        checkpoint=commit,
        undo=refs.undo(task, rollback_id),
        at=tx.now,
        replay=replay,
    )
    return rollbacks.add(tx, row)


async def undo(runtime: Runtime, task: Task, workspace: Workspace, row: Rollback) -> RolledBack:
    """Bring back what a rollback took away. The caller holds the workspace's lock."""
    kept = await runtime.on_tree(workspace, lambda tree: tree.refs(row.undo))
    if not kept:
        raise Conflict("What this rollback took away is no longer kept.", {"rollback_id": row.id})
    aside = refs.undo(task, uuid4().hex)
    restored = await runtime.on_tree(workspace, lambda tree: tree.restore(kept[0].commit, aside))
    began = await runtime.store.read(lambda c: base(c, task))
    changed = began is not None and not await runtime.on_tree(workspace, lambda tree: tree.same_as(began))

    def tell(tx: Tx) -> None:
        rollbacks.mark_undone(tx, row.id)
        if task.status is TaskStatus.AWAITING_RESPONSE:
            tasks.update(tx, task.id, holds_workspace=changed)
        told = TaskRollbackUndone(rollback_id=row.id, checkpoint=kept[0].commit)
        tx.emit(told, session_id=task.session_id, task_id=task.id)

    await runtime.store.write(tell)
    return RolledBack(row.id, restored.stat, tuple(move.branch for move in restored.other_branches_moved))
