"""Taking a task's changes away, and undoing that.

A rollback is a row before it is an act, and its undo ref exists before a byte of the tree changes: a crash in the
middle leaves a rollback that the next start finishes, and that can be undone to what was there before it first began.
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
from pilothouse.engine.workspace import leftovers, losses, refs, ways
from pilothouse.engine.workspace.occupancy import may_have_changed, require_idle, require_no_half_work_near
from pilothouse.engine.workspace.ways import Way
from pilothouse.errors import Conflict, NotFound, RestoreIncomplete, WorkspaceBusy
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import DiffStat, Loss, Restored
from pilothouse.store import idempotency
from pilothouse.store.database import Tx
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts, rollbacks, tasks
from pilothouse.words import say

NOTHING = DiffStat((), 0, 0)


@dataclass(frozen=True, slots=True)
class RolledBack:
    rollback_id: str | None
    """None where there was nothing to do and nothing to undo."""
    stat: DiffStat
    other_branches: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    """Repositories that were made again."""
    nothing_to_do: bool = False


REPEATS = (AttemptMode.ROLLBACK, AttemptMode.SOFT)


def replay_began(c: Connection, task_id: str, repeats: tuple[AttemptMode, ...] = REPEATS) -> int | None:
    """The newest attempt that repeats earlier work; what was answered before it is given back."""
    numbers = [a.number for a in attempts.of_task(c, task_id) if a.mode in repeats]
    return max(numbers, default=None)


async def before_replay(runtime: Runtime, task: Task, workspace: Workspace) -> None:
    """Take away what the task did, before it runs again."""
    way = await to_replay(runtime, task, workspace)
    if way:
        await perform(runtime, task, workspace, way, replay=True)


async def to_replay(runtime: Runtime, task: Task, workspace: Workspace) -> Way | None:
    """What takes the task's changes away; None where nothing of it is left. The caller holds the workspace's lock.

    Refused where files would be merged: that is shown and confirmed first, by a rollback of its own.
    """

    def read(c: Connection) -> tuple[str | None, list[str], bool]:
        return ways.base(c, task), attempts.others_since(c, task), may_have_changed(c, task)

    began, others, changed = await runtime.store.read(read)
    if began is None or (others and not changed):
        return None
    way = await ways.away(runtime, task, workspace)
    if not way.is_plain:
        raise WorkspaceBusy(say("rollback.not_on_top"), {"task_id": others[0]})
    return None if way.done else way


def patch_problem(c: Connection, task: Task) -> str:
    """Why the saved patch does not describe the tree any more; empty when it does."""
    if rollbacks.unfinished_of_workspace(c, task.workspace_id):
        return say("rollback.half_done")
    if not may_have_changed(c, task):
        return ""
    newest = tasks.newest_of_workspace(c, task.workspace_id)
    if newest and newest.id != task.id:
        return say("rollback.others_since")
    return say("rollback.undo_first") if ways.is_gone(c, task) else ""


async def take_away(runtime: Runtime, task: Task, workspace: Workspace, confirmed: str | None) -> RolledBack:
    """Roll a task back without running it again. The caller holds the workspace's lock."""
    if (row := await _of_this_request(runtime)) is not None:
        return await _report(runtime, workspace, row)
    await runtime.store.read(lambda c: _require_quiet(c, workspace.id))
    way = await ways.away(runtime, task, workspace)
    if way.done:
        undoable = await runtime.store.read(lambda c: rollbacks.newest_undoable(c, task.id))
        return RolledBack(undoable.id if undoable else None, NOTHING, nothing_to_do=True)
    way.require(confirmed)
    return await perform(runtime, task, workspace, way, replay=False)


async def perform(runtime: Runtime, task: Task, workspace: Workspace, way: Way, *, replay: bool) -> RolledBack:
    """Take away what the task did. The caller holds the workspace's lock."""
    row = await _announced(runtime, task, way, kind="rollback", replay=replay)
    return await _carry_out(runtime, task, workspace, row)


async def take_back(
    runtime: Runtime, task: Task, workspace: Workspace, rollback_id: str | None, confirmed: str | None, *, exact: bool
) -> RolledBack:
    """Undo a rollback. What an undo set aside is a rollback like any other, and can be brought back in turn."""
    if (done := await _of_this_request(runtime)) is not None:
        return await _report(runtime, workspace, done)
    await runtime.store.read(lambda c: _require_quiet(c, workspace.id))
    row = await runtime.store.read(lambda c: undoable(c, task.id, rollback_id))
    way = await ways.back(runtime, workspace, row, exact=exact)
    way.require(confirmed)
    kind = "rollback" if row.kind == "undo" else "undo"
    undo = await _announced(runtime, task, way, kind=kind, replay=False, undoes=row.id)
    return await _carry_out(runtime, task, workspace, undo)


def _require_quiet(c: Connection, workspace_id: str) -> None:
    require_idle(c, workspace_id)
    require_no_half_work_near(c, workspace_id)


def undoable(c: Connection, task_id: str, rollback_id: str | None) -> Rollback:
    """The rollback of that id, else the newest."""
    row = rollbacks.get(c, rollback_id) if rollback_id else rollbacks.newest_undoable(c, task_id)
    if row is None or row.task_id != task_id:
        raise NotFound(say("rollback.none"))
    if row.undone_at:
        raise Conflict(say("rollback.undone"))
    return row


async def finish(runtime: Runtime, row: Rollback) -> None:
    """Finish a rollback or an undo that a crash cut short; one that had not begun to change anything is dropped."""

    def read(c: Connection) -> tuple[Task, Workspace | None]:
        return tasks.require(c, row.task_id), workspaces.get(c, row.workspace_id)

    task, workspace = await runtime.store.read(read)
    if workspace is None:
        return
    async with runtime.lock(workspace.id):
        if await runtime.on_tree(workspace, lambda tree: tree.refs(row.undo)):
            await _carry_out(runtime, task, workspace, row)
        else:
            await runtime.store.write(lambda tx: rollbacks.mark_undone(tx, row.id))


async def _of_this_request(runtime: Runtime) -> Rollback | None:
    """What an earlier life of the server did for the very request that came again."""
    begun = idempotency.begun()
    row = await runtime.store.read(lambda c: rollbacks.get(c, begun)) if begun else None
    return row if row and row.finished_at else None


async def _announced(
    runtime: Runtime, task: Task, way: Way, *, kind: str, replay: bool, undoes: str | None = None
) -> Rollback:
    """The row of this act: that of the same act which was cut short, else a new one."""
    rollback_id = uuid4().hex
    row = Rollback(
        id=rollback_id,
        task_id=task.id,
        workspace_id=task.workspace_id,
        checkpoint=way.target,
        undo=refs.undo(task, rollback_id),
        at=runtime.clock.now(),
        kind=kind,
        replay=replay,
        undoes=undoes,
        base=way.base,
        merge=way.merge,
    )

    def write(tx: Tx) -> Rollback:
        for cut_short in rollbacks.unfinished_of_task(tx.conn, task.id):
            if (cut_short.checkpoint, cut_short.base) == (row.checkpoint, row.base):
                tx.begin(cut_short.id)
                return cut_short
        return rollbacks.add(tx, row)

    return await runtime.store.write(write)


async def _carry_out(runtime: Runtime, task: Task, workspace: Workspace, row: Rollback) -> RolledBack:
    await runtime.forget(task.session_id)
    last = await runtime.store.read(lambda c: attempts.of_task(c, task.id))
    if last:
        await leftovers.free(runtime, workspace, last[-1].started_at)
    try:
        left, branches, lost = await runtime.on_tree(workspace, lambda tree: _change(tree, task, row))
    except RestoreIncomplete as error:
        problem = error.message
        await runtime.store.write(lambda tx: rollbacks.tell_problem(tx, row.id, problem))
        raise
    stat = await runtime.on_tree(workspace, lambda tree: _taken(tree, row))
    began = await runtime.store.read(lambda c: ways.base(c, task))
    holds, missing = False, None
    if row.undoes is not None and began is not None:
        holds = not await runtime.on_tree(workspace, lambda tree: tree.same_as(began))
        missing = await losses.look(runtime, workspace, began)

    def tell(tx: Tx) -> None:
        found = {"files": len(stat.files), "insertions": stat.insertions, "deletions": stat.deletions}
        rollbacks.finish(tx, row.id, **found, left=left, branches=branches)
        settle_cut_short(tx, task.id)
        if row.undoes is not None:
            rollbacks.mark_undone(tx, row.undoes)
        tasks.update(tx, task.id, repository=missing)
        tx.queue_changed(workspace.id, task)
        if tasks.require(tx.conn, task.id).status is TaskStatus.AWAITING_RESPONSE:
            tasks.update(tx, task.id, holds_workspace=holds)
        tx.emit(_told(row, stat, branches), session_id=task.session_id, task_id=task.id)

    await runtime.store.write(tell)
    return RolledBack(row.id, stat, branches, lost)


def _change(tree: Checkpoints, task: Task, row: Rollback) -> tuple[str, tuple[str, ...], tuple[Loss, ...]]:
    """The commit of the state that is left, other branches that moved, and repositories that were made again."""
    if row.base is None:
        restored: Restored = tree.restore(row.checkpoint, row.undo)
        return row.checkpoint, tuple(move.branch for move in restored.other_branches_moved), restored.lost
    tree.write_over(row.base, row.checkpoint, row.undo, row.merge)
    return tree.take(refs.left(task, row.id)).commit, (), ()


def _taken(tree: Checkpoints, row: Rollback) -> DiffStat:
    """What it takes away: all that differs now, or, where it is written over others' changes, what was its own.

    After a crash the first undo checkpoint counts, so the figures are taken from it and not from the present; it is
    the one under the row's own name also when the kill came after the last change.
    """
    return tree.stat(row.checkpoint, row.base or tree.refs(row.undo)[0].commit)


def _told(row: Rollback, stat: DiffStat, branches: tuple[str, ...]) -> TaskRolledBack | TaskRollbackUndone:
    if row.kind == "undo":
        return TaskRollbackUndone(rollback_id=row.undoes or row.id, checkpoint=row.checkpoint)
    return TaskRolledBack(
        rollback_id=row.id,
        checkpoint=row.checkpoint,
        undo=row.undo,
        files=len(stat.files),
        insertions=stat.insertions,
        deletions=stat.deletions,
        replay=row.replay,
        other_branches=list(branches),
    )


async def _report(runtime: Runtime, workspace: Workspace, row: Rollback) -> RolledBack:
    """The answer that was given, or would have been."""
    stat = await runtime.on_tree(workspace, lambda tree: _taken(tree, row))
    return RolledBack(row.id, stat, row.branches)


def settle_cut_short(tx: Tx, task_id: str) -> None:
    """Restores that were cut short are over: another one made the tree whole, or the task works on from half-way.

    Each can still be undone. None may be taken up again: its undo would not bring back what was done since.
    """
    for cut_short in rollbacks.unfinished_of_task(tx.conn, task_id):
        rollbacks.finish(tx, cut_short.id)
