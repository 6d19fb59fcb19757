"""Going back to where a task began, and undoing that.

A rollback is a row before it is an act, and its undo ref exists before a byte of the tree changes: a crash in the
middle leaves a rollback that can be run again, and undone to what was there before it first began.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import Connection

from pilothouse.domain.event.task import TaskRollbackUndone, TaskRolledBack
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import AttemptMode, Task, TaskStatus
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import leftovers, losses, refs
from pilothouse.engine.workspace.occupancy import may_have_changed, require_idle
from pilothouse.errors import Conflict, RestoreIncomplete, WorkspaceBusy
from pilothouse.git.model import DiffStat, Loss
from pilothouse.store.database import Tx
from pilothouse.store.task import attempts, rollbacks, tasks
from pilothouse.words import say


@dataclass(frozen=True, slots=True)
class RolledBack:
    rollback_id: str
    stat: DiffStat
    other_branches: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    """Repositories that were made again."""


def base(c: Connection, task: Task) -> str | None:
    """Where the task's own work in the workspace began, as its newest attempt that got that far saw it.

    None where others worked there since then: what lies on top is theirs, until the next attempt begins anew from it.
    """
    done = attempts.in_workspace(c, task)
    known = [attempt.base for attempt in done if attempt.base]
    if known and done[-1].base is None and attempts.others_since(c, task):
        return None
    return known[-1] if known else None


REPEATS = (AttemptMode.ROLLBACK, AttemptMode.SOFT)


def replay_began(c: Connection, task_id: str, repeats: tuple[AttemptMode, ...] = REPEATS) -> int | None:
    """The newest attempt that repeats earlier work; what was answered before it is given back."""
    numbers = [a.number for a in attempts.of_task(c, task_id) if a.mode in repeats]
    return max(numbers, default=None)


def blocked_by(c: Connection, task: Task) -> Task | None:
    """Another task that has worked in the workspace since this one last did: its changes lie on top."""
    newest = tasks.newest_of_workspace(c, task.workspace_id)
    return newest if newest and newest.id != task.id else None


def require_on_top(c: Connection, task: Task) -> None:
    """Refuse to take away what others did: only the newest work of a workspace can be rolled back."""
    require_idle(c, task.workspace_id)
    above = blocked_by(c, task)
    if above:
        raise WorkspaceBusy(say("rollback.not_on_top"), {"task_id": above.id})


async def before_replay(runtime: Runtime, task: Task, workspace: Workspace) -> None:
    """Restore the task's base before it runs again; where others have worked since, nothing of it is left."""
    commit = await runtime.store.read(lambda c: base(c, task))
    others = await runtime.store.read(lambda c: attempts.others_since(c, task))
    changed = await runtime.store.read(lambda c: may_have_changed(c, task))
    if others and changed:
        raise WorkspaceBusy(say("rollback.not_on_top"), {"task_id": others[0]})
    if commit is not None and not others:
        await perform(runtime, task, workspace, commit, replay=True)


def patch_problem(c: Connection, task: Task) -> str:
    """Why the saved patch does not describe the tree any more; empty when it does."""
    if not may_have_changed(c, task):
        return ""
    if blocked_by(c, task):
        return say("rollback.others_since")
    newest = rollbacks.newest_undoable(c, task.id)
    attempt = attempts.last_begun(c, task.id)
    if newest and attempt and not newest.replay and newest.at > attempt.started_at:
        return say("rollback.undo_first")
    return ""


async def perform(runtime: Runtime, task: Task, workspace: Workspace, commit: str, replay: bool) -> RolledBack:
    """Go back to `commit`. The caller holds the workspace's lock."""
    done = await _restore(runtime, task, workspace, commit, kind="rollback", replay=replay)

    def tell(tx: Tx) -> None:
        _finish(tx, done)
        tasks.update(tx, task.id, repository=None)
        tx.queue_changed(workspace.id, task)
        if task.status is TaskStatus.AWAITING_RESPONSE:
            tasks.update(tx, task.id, holds_workspace=False)
        _tell_rolled_back(tx, task, done)

    await runtime.store.write(tell)
    return RolledBack(done.row.id, done.stat, done.branches, done.lost)


def _tell_rolled_back(tx: Tx, task: Task, done: _Restored) -> None:
    told = TaskRolledBack(
        rollback_id=done.row.id,
        checkpoint=done.row.checkpoint,
        undo=done.row.undo,
        files=len(done.stat.files),
        insertions=done.stat.insertions,
        deletions=done.stat.deletions,
        replay=done.row.replay,
        other_branches=list(done.branches),
    )
    tx.emit(told, session_id=task.session_id, task_id=task.id)


async def undo(runtime: Runtime, task: Task, workspace: Workspace, row: Rollback) -> RolledBack:
    """Bring back what a rollback took away. Taking an undo back is a rollback like any other, and can be undone."""
    kept = await runtime.on_tree(workspace, lambda tree: tree.refs(row.undo))
    if not kept:
        raise Conflict(say("rollback.gone"), {"rollback_id": row.id})
    commit = kept[0].commit
    again = row.kind == "undo"
    done = await _restore(runtime, task, workspace, commit, kind="rollback" if again else "undo", replay=False)
    began = await runtime.store.read(lambda c: base(c, task))
    changed = began is not None and not await runtime.on_tree(workspace, lambda tree: tree.same_as(began))
    lost = await losses.look(runtime, workspace, began) if began else None

    def tell(tx: Tx) -> None:
        _finish(tx, done)
        rollbacks.mark_undone(tx, row.id)
        tasks.update(tx, task.id, repository=lost)
        tx.queue_changed(workspace.id, task)
        if task.status is TaskStatus.AWAITING_RESPONSE:
            tasks.update(tx, task.id, holds_workspace=changed)
        if again:
            _tell_rolled_back(tx, task, done)
            return
        tx.emit(TaskRollbackUndone(rollback_id=row.id, checkpoint=commit), session_id=task.session_id, task_id=task.id)

    await runtime.store.write(tell)
    return RolledBack(done.row.id, done.stat, done.branches, done.lost)


@dataclass(frozen=True, slots=True)
class _Restored:
    row: Rollback
    stat: DiffStat
    branches: tuple[str, ...]
    lost: tuple[Loss, ...]


async def _restore(
    runtime: Runtime, task: Task, workspace: Workspace, commit: str, *, kind: str, replay: bool
) -> _Restored:
    await runtime.forget(task.session_id)
    row = await runtime.store.write(lambda tx: _begin(tx, task, commit, kind, replay))
    last = await runtime.store.read(lambda c: attempts.of_task(c, task.id))
    if last:
        await leftovers.free(runtime, workspace, last[-1].started_at)
    try:
        restored = await runtime.on_tree(workspace, lambda tree: tree.restore(commit, row.undo))
    except RestoreIncomplete as error:
        problem = error.message
        await runtime.store.write(lambda tx: rollbacks.tell_problem(tx, row.id, problem))
        raise
    # After a crash the first undo checkpoint counts, so the figures are taken from it and not from the present; it is
    # the one under the row's own name also when the kill came after the last change.
    stat = await runtime.on_tree(workspace, lambda tree: tree.stat(commit, tree.refs(row.undo)[0].commit))
    branches = tuple(move.branch for move in restored.other_branches_moved)
    return _Restored(row, stat, branches, restored.lost)


def _begin(tx: Tx, task: Task, commit: str, kind: str, replay: bool) -> Rollback:
    """The row of this restore: that of one to the same state that a crash cut short, else a new one."""
    for cut_short in rollbacks.unfinished_of_task(tx.conn, task.id):
        if cut_short.checkpoint == commit:
            return cut_short
    rollback_id = uuid4().hex
    row = Rollback(
        id=rollback_id,
        task_id=task.id,
        workspace_id=task.workspace_id,
        checkpoint=commit,
        undo=refs.undo(task, rollback_id),
        at=tx.now,
        kind=kind,
        replay=replay,
    )
    return rollbacks.add(tx, row)


def _finish(tx: Tx, done: _Restored) -> None:
    """The tree is whole again, so another restore that was cut short before is settled by this one."""
    rollbacks.finish(tx, done.row.id, len(done.stat.files), done.stat.insertions, done.stat.deletions)
    settle_cut_short(tx, done.row.task_id)


def settle_cut_short(tx: Tx, task_id: str) -> None:
    """Restores that a crash cut short are over: another one made the tree whole, or the task works on from half-way.

    Each can still be undone. None may be taken up again: its undo would not bring back what was done since.
    """
    for cut_short in rollbacks.unfinished_of_task(tx.conn, task_id):
        rollbacks.finish(tx, cut_short.id, 0, 0, 0)
