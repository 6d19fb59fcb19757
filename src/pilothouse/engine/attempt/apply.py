"""Writing a proposal that a person applied: an attempt of its own, which then goes the way of every other change.

Where the tree moved meanwhile, the proposal comes back to the person.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection

from pilothouse.domain.event.task import TaskApplied
from pilothouse.domain.ports import Ended
from pilothouse.domain.task.task import (
    TREE_WITHOUT_PROPOSAL,
    AttemptMode,
    Awaiting,
    Proposal,
    Purpose,
    StepKind,
    Task,
)
from pilothouse.engine.attempt import measure, outcome
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.attempt.ending import waiting
from pilothouse.engine.attempt.finished import Finished, Spoken
from pilothouse.engine.attempt.step import begin_step
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import Move, emit
from pilothouse.engine.workspace import refs
from pilothouse.errors import MergeNeeded, ProposalRefused
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import Checkpoint
from pilothouse.store.database import Tx
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts, rollbacks, steps
from pilothouse.words import first_few, say

APPLY = "apply"
"""Name of the step that writes a proposal."""


def _write(tree: Checkpoints, proposal: Proposal, undo_ref: str) -> None:
    tree.write_over(proposal.base, proposal.commit, undo_ref, proposal.merge)


def is_written(c: Connection, task: Task) -> bool:
    """Whether the proposal was written whole, since the tree was last without it."""
    began = attempts.newest_in(c, task.id, TREE_WITHOUT_PROPOSAL)
    away = rollbacks.newest_undoable(c, task.id)
    done = [step for step in steps.of_task(c, task.id) if step.attempt >= began and step.name == APPLY]
    # One for a replay is older than the steps of its attempt.
    since = away.turn if away and not away.replay else 0
    turns = {attempt.number: attempt.turn for attempt in attempts.of_task(c, task.id)}
    return any(step.outcome == "done" and turns[step.attempt] >= since for step in done)


async def write(cx: Context, task: Task, proposal: Proposal, taken: Checkpoint) -> Finished:
    """Write the proposal over the workspace, as a step of its own."""
    runtime = cx.runtime
    await runtime.milestone(task, "applying")
    step = await begin_step(cx, task, StepKind.EDIT, name=APPLY)
    if cx.control.stopped:
        stopped = Ended("crashed", message=say("proposal.not_written"))
        return await measure.finish(cx, Spoken(task, step, stopped, cx.control.stopped, cx.control.hold), taken)
    async with runtime.lock(cx.workspace.id):
        cx.control.spawn()
        await runtime.on_tree(cx.workspace, partial(_write, proposal=proposal, undo_ref=refs.undo(task, APPLY)))
    # What the agent said last may be a question about work that was rolled back since.
    ended = Ended("done", task.summary, message=say("proposal.written"))
    finished = await measure.finish(cx, Spoken(task, step, ended, None), taken)
    told = TaskApplied(attempt=task.attempt, merged=proposal.merge is not None, files=len(finished.total.files))
    await runtime.store.write(lambda tx: emit(tx, task, told))
    return finished


async def returned(runtime: Runtime, task: Task, refused: MergeNeeded | ProposalRefused) -> Task:
    """The tree moved between the person's decision and its turn: nothing was written, the proposal waits again.

    Where an earlier attempt had begun to write it, the task stays interrupted: the person can roll that back.
    """
    half_way = await _is_half_way(runtime, task)

    def end(tx: Tx, present: Task) -> Move:
        outcome.close_open_steps(tx, present, "failed", refused.message)
        changes: dict[str, Any] = {"milestone": ""}
        if half_way:
            reason = _half_way(refused)
            return waiting(present, Awaiting.INTERRUPTED, reason, changes, holds=True, ends="refused")
        # Nothing of the workspace is this task's, so there is nothing to roll back to.
        attempts.update(tx, task.id, task.attempt, base=None)
        changes |= {"proposal": replace(present.proposal, merge=None) if present.proposal else None}
        changes |= {"purpose": Purpose.PROPOSE}
        return waiting(present, Awaiting.DRY_RUN, refused.message, changes, holds=False, ends="refused")

    _, settled = await runtime.move(task.id, end, task.attempt)
    return settled


async def _is_half_way(runtime: Runtime, task: Task) -> bool:
    """Whether bytes of the proposal may be in the tree from an attempt before, which no rollback took away since."""

    def began(c: Connection) -> bool:
        done = attempts.of_task(c, task.id)
        clean = [a.number for a in done if a.mode is AttemptMode.ROLLBACK and a.checkpoint]
        since = max(clean, default=0)
        return any(step.name == APPLY and since <= step.attempt < task.attempt for step in steps.of_task(c, task.id))

    workspace = await runtime.store.read(lambda c: workspaces.get(c, task.workspace_id))
    if workspace is None or not await runtime.store.read(began):
        return False
    # The undo checkpoint is there before the first byte changes.
    async with runtime.lock(workspace.id):
        return bool(await runtime.on_tree(workspace, lambda tree: tree.refs(refs.undo(task, APPLY))))


def _half_way(refused: MergeNeeded | ProposalRefused) -> str:
    details = refused.details or {}
    names = [clash["path"] for clash in details.get("clashes", ())] or list(details.get("files", ()))
    return say("proposal.half_way", names=first_few(names, 3))
