"""The course of a dry run.

The agent works in a scratch of the checkpoint, and what it leaves there is a proposal. Until a person applies it,
nothing of the workspace is touched, so the task never holds it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from sqlalchemy import Connection

from pilothouse.domain.task.task import (
    WORK_ANEW,
    AttemptMode,
    Proposal,
    Task,
)
from pilothouse.engine.attempt import first_words, turns
from pilothouse.engine.attempt.context import Began, Context
from pilothouse.engine.attempt.ending import Proposed, Result
from pilothouse.engine.loop.scouts import Scouts
from pilothouse.engine.workspace import proposals, refs
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import Checkpoint
from pilothouse.git.scratch import Scratch
from pilothouse.git.threads import beside
from pilothouse.store.task import attempts, steps
from pilothouse.words import say

NAMED = 50
"""Files that are named of those that changed meanwhile."""


async def propose(began: Began) -> Result:
    """Have the agent work in a scratch, and keep what it plainly finished. Without a change there is no proposal."""
    cx, taken = await _in_scratch(began.context, began.task, began.checkpoint)
    scratch, scouts = cx.scratch, Scouts(cx)
    task, stopped = await scouts.before_edit(began.task, taken)
    if stopped:
        return Result(stopped)
    turn = await first_words.first_turn(cx, task, taken, scouts)
    finished = await turns.take(cx, task, turn, taken, scouts)
    if scratch is None or not finished.plain or not finished.changed:
        return Result(finished)
    ref = refs.proposal(task)
    async with cx.runtime.lock(cx.workspace.id):
        saved = await beside(Path(cx.workspace.path), lambda: scratch.save(ref))
        proof = await cx.runtime.on_tree(cx.workspace, lambda tree: _proof(tree, cx.base, refs.witness(task)))
    return Result(finished, Proposed(Proposal(cx.base, saved.commit, ref, **proof), scratch.left_out))


class _Proof(TypedDict):
    tree_before: str
    tree_after: str
    meanwhile: tuple[str, ...]


def _proof(tree: Checkpoints, base: str, ref: str) -> _Proof:
    """That the workspace is as it was, byte for byte, or what somebody else changed in it meanwhile."""
    before = next(kept.tree for kept in tree.refs() if kept.commit == base)
    after = tree.take(ref)
    changed = () if before == after.tree else tree.stat(base, after.commit).files
    tree.forget(ref)
    return {
        "tree_before": before,
        "tree_after": after.tree,
        "meanwhile": tuple(change.path for change in changed[:NAMED]),
    }


async def _in_scratch(cx: Context, task: Task, taken: Checkpoint) -> tuple[Context, Checkpoint]:
    """A new scratch, or the one with the half-done work; and what stands in it."""
    runtime, goes_on = cx.runtime, cx.mode in (AttemptMode.REPLY, AttemptMode.SOFT)
    await runtime.milestone(task, "scratch")
    last = await runtime.store.read(lambda c: _last_saved(c, task))
    place = proposals.folder(runtime, task.id)

    def make(tree: Checkpoints) -> tuple[Scratch, bool]:
        found = Scratch.open(tree, place) if goes_on else None
        commit = last if goes_on and last else taken.commit
        return found or Scratch.make(tree, commit, place), goes_on and found is None

    async with runtime.lock(cx.workspace.id):
        scratch, lost = await runtime.on_tree(cx.workspace, make)
        cx = replace(cx, scratch=scratch, place=scratch.root)
        if not goes_on:
            return cx, taken
        began = await beside(Path(cx.workspace.path), lambda: scratch.save(refs.scratch(task)))
    await runtime.store.write(lambda tx: attempts.update(tx, task.id, task.attempt, checkpoint=began.commit))
    if lost:
        await runtime.milestone(task, "scratch", say("proposal.scratch_lost"))
    return cx, began


def _last_saved(c: Connection, task: Task) -> str | None:
    """The result of the newest step of the dry run since the agent last started over."""
    began = attempts.newest_in(c, task.id, WORK_ANEW)
    saved = [step.checkpoint for step in steps.of_task(c, task.id) if step.attempt >= began and step.checkpoint]
    return saved[-1] if saved else None
