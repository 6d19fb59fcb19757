"""How a task's changes can be taken away, or brought back: told by the tree, and not by who came after.

Where the tree is what the task left, or only a person has been at work since, a checkpoint is restored. Where others'
changes lie on top, its own are written over them three-way, as the proposal of a dry run is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import Task
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import losses
from pilothouse.errors import Conflict, MergeNeeded, RollbackRefused
from pilothouse.git.checkpoints import Checkpoints, question, refusal
from pilothouse.git.model import BranchMove, ChangeStatus, DiffStat, FileClash, Fit
from pilothouse.store.task import attempts, rollbacks, steps
from pilothouse.words import say, sentences


@dataclass(frozen=True, slots=True)
class Way:
    """`target` is restored, or, with a `base`, its difference from that is written over what is there."""

    target: str
    base: str | None = None
    fit: Fit | None = None
    """Of what is written over: what it changes, under the name that a person confirms, or why it cannot be."""
    merge: str | None = None
    """Names the merge of files that others changed, too."""
    done: bool = False
    """The tree is like that already."""

    @property
    def is_plain(self) -> bool:
        """Whether it touches nobody else's files."""
        return self.fit is None or not (self.fit.clashes or self.merge)

    def require(self, confirmed: str | None) -> None:
        """What is written over others' changes is shown before it is done."""
        if self.fit and self.fit.clashes:
            named = [say("proposal.clash", path=clash.path, reason=clash.reason) for clash in self.fit.clashes[:3]]
            raise RollbackRefused(sentences(say("rollback.refused"), *named), refusal(self.fit).details)
        if self.fit and self.fit.merge != confirmed:
            raise MergeNeeded(say("rollback.over"), question(self.fit).details)


@dataclass(frozen=True, slots=True)
class WayView:
    """A way with what a rollback would take away, or what an undo would change."""

    changes: DiffStat
    way: Way
    moved: tuple[BranchMove, ...] = ()
    """Branches, tags and stashes that moved since the task began, which a rollback leaves alone."""


def base(c: Connection, task: Task) -> str | None:
    """Where the task's own work in the workspace began, as its newest attempt that got that far saw it.

    None where others worked there since then: what lies on top is theirs, until the next attempt begins anew from it.
    """
    done = attempts.in_workspace(c, task)
    known = [attempt.base for attempt in done if attempt.base]
    if known and done[-1].base is None and attempts.others_since(c, task):
        return None
    return known[-1] if known else None


def end(c: Connection, task: Task) -> str | None:
    """The state in which the task last left the workspace."""
    for attempt in reversed(attempts.in_workspace(c, task)):
        kept = [step.checkpoint for step in steps.of_task(c, task.id, attempt.number) if step.checkpoint]
        if kept or attempt.checkpoint:
            return kept[-1] if kept else attempt.checkpoint
    return None


def is_gone(c: Connection, task: Task) -> bool:
    """Whether a rollback took away what the task did last, and nobody brought it back."""
    newest, last = rollbacks.newest_undoable(c, task.id), attempts.last_begun(c, task.id)
    if newest is None or newest.finished_at is None or newest.replay:
        return False
    return last is not None and newest.turn > last.turn


def turned(stat: DiffStat) -> DiffStat:
    """The same changes, looked at from their end."""
    other: dict[ChangeStatus, ChangeStatus] = {"added": "deleted", "deleted": "added"}
    files = tuple(
        replace(
            file,
            path=file.old_path or file.path,
            old_path=file.path if file.old_path else None,
            status=other.get(file.status, file.status),
            insertions=file.deletions,
            deletions=file.insertions,
        )
        for file in stat.files
    )
    return replace(stat, files=files, insertions=stat.deletions, deletions=stat.insertions)


async def away(runtime: Runtime, task: Task, workspace: Workspace) -> Way:
    """What takes the task's changes away now. The caller holds the workspace's lock."""

    def read(c: Connection) -> tuple[str | None, str | None, bool, bool, bool]:
        others, cut_short = attempts.others_since(c, task), rollbacks.unfinished_of_workspace(c, workspace.id)
        return base(c, task), end(c, task), bool(others), is_gone(c, task), cut_short is not None

    began, ended, others, gone, cut_short = await runtime.store.read(read)
    if began is None:
        raise Conflict(say("rollback.nothing"))
    if not cut_short and ((others and gone) or await runtime.on_tree(workspace, lambda tree: tree.same_as(began))):
        return Way(began, done=True)
    if not others or ended is None:
        return Way(began)
    return await runtime.on_tree(workspace, lambda tree: _between(tree, ended, began))


async def back(runtime: Runtime, workspace: Workspace, row: Rollback, *, exact: bool) -> Way:
    """What brings back what a rollback took away. With `exact`, whatever was done since is set aside for it."""
    kept = await runtime.on_tree(workspace, lambda tree: tree.refs(row.undo))
    if not kept:
        raise Conflict(say("rollback.gone"), {"rollback_id": row.id})
    left, target = row.left, kept[0].commit
    if exact or left is None:
        return Way(target)
    return await runtime.on_tree(workspace, lambda tree: _between(tree, left, target))


def _between(tree: Checkpoints, start: str, target: str) -> Way:
    if tree.same_as(start):
        return Way(target)
    # Files are written over what others left; a repository is made again whole, which would take their work with it.
    if replaced := [loss for loss in tree.lost(target) if loss not in tree.lost(start)]:
        clashes = tuple(FileClash(loss.path or ".git", losses.told([loss])[0]) for loss in replaced)
        return Way(target, start, Fit(clashes))
    fit = tree.preview_over(start, target)
    return Way(target, start, fit, tree.fit(start, target).merge, done=not fit.clashes and fit.merge is None)
