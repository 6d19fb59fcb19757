"""A dry run: the agent works in a scratch of the checkpoint, and what it leaves there is a proposal.

Until a person applies it, nothing of the workspace is touched, so the task never holds it. Applying is an attempt of
its own, which writes the proposal and then goes the way of every other change.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.events import TaskApplied, TaskAwaiting
from pilothouse.domain.ports import Ended
from pilothouse.domain.tasks import (
    TREE_WITHOUT_PROPOSAL,
    WORK_ANEW,
    Action,
    AttemptMode,
    Awaiting,
    Proposal,
    StepKind,
    Task,
)
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.finished import Finished
from pilothouse.engine.attempt.outcome import Conclude
from pilothouse.engine.attempt.steps import Steps
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import refs
from pilothouse.errors import MergeNeeded, ProposalRefused
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import Checkpoint
from pilothouse.git.scratch import Scratch
from pilothouse.store import attempts, rollbacks, steps, tasks, workspaces
from pilothouse.store.database import Tx

log = logging.getLogger(__name__)
APPLY = "apply"
"""Name of the step that writes a proposal."""
WAITS = "The proposal waits for you: look at it, then apply or discard it."
LOST = "Its scratch copy was gone: it begins again from what was last saved of it."
HALF_WAY = (
    "A part of the proposal is in the workspace already, and the rest does not fit any more: {} changed since. "
    "Roll back, or put back what was changed and resume."
)
WRITTEN = "The proposal was written to the workspace."


def is_apart(c: Connection, task: Task, number: int | None = None) -> bool:
    """Whether nothing of this task can be in the workspace, up to that attempt: a dry run that was not applied."""
    if not task.options.dry_run:
        return False
    done = [attempt for attempt in attempts.of_task(c, task.id) if number is None or attempt.number <= number]
    return all(attempt.mode is not AttemptMode.APPLY for attempt in done)


def base(c: Connection, task: Task) -> str | None:
    """Where the scratch of a dry run began."""
    known = [attempt.base for attempt in attempts.of_task(c, task.id) if attempt.base]
    return known[-1] if known else None


def folder(runtime: Runtime, task_id: str) -> Path:
    return runtime.settings.data_dir / "scratch" / task_id


async def prepare(run: Steps, taken: Checkpoint, mode: AttemptMode) -> Checkpoint:
    """Have the agent work in a scratch: a new one, or the one with its half-done work. Returns what stands in it."""
    runtime, task = run.runtime, run.task
    await runtime.milestone(task, "scratch")
    last = await runtime.store.read(lambda c: _last_saved(c, task))

    def make(tree: Checkpoints) -> tuple[Scratch, bool]:
        place = folder(runtime, task.id)
        goes_on = mode in (AttemptMode.REPLY, AttemptMode.SOFT)
        found = Scratch.open(tree, place) if goes_on else None
        commit = last if goes_on and last else taken.commit
        return found or Scratch.make(tree, commit, place), goes_on and found is None

    async with runtime.lock(run.workspace.id):
        scratch, lost = await runtime.on_tree(run.workspace, make)
        run.scratch, run.directory = scratch, scratch.root
        if mode not in (AttemptMode.REPLY, AttemptMode.SOFT):
            return taken
        began = await asyncio.to_thread(scratch.save, refs.scratch(task))
    await runtime.store.write(lambda tx: attempts.update(tx, task.id, task.attempt, checkpoint=began.commit))
    if lost:
        await runtime.milestone(task, "scratch", LOST)
    return began


def _last_saved(c: Connection, task: Task) -> str | None:
    """What the newest step of the dry run left, since the agent last began anew."""
    began = attempts.newest_in(c, task.id, WORK_ANEW)
    saved = [step.checkpoint for step in steps.of_task(c, task.id) if step.attempt >= began and step.checkpoint]
    return saved[-1] if saved else None


async def propose(run: Steps, finished: Finished) -> tuple[Finished, Conclude | None]:
    """Keep what a plainly finished agent left as the proposal. Without a change there is none."""
    scratch = run.scratch
    if scratch is None or not finished.plain or not finished.changed:
        return finished, None
    ref = refs.proposal(run.task)
    async with run.runtime.lock(run.workspace.id):
        saved = await asyncio.to_thread(scratch.save, ref)
    proposal = Proposal(base=run.base, commit=saved.commit, ref=ref)
    return finished, partial(_proposed, proposal=proposal, left_out=scratch.left_out)


def _proposed(tx: Tx, task: Task, finished: Finished, proposal: Proposal, left_out: tuple[str, ...]) -> Task:
    without = f" Not in it: the repositories {', '.join(left_out)}." if left_out else ""
    summary = finished.ended.text[-outcome.SUMMARY_LIMIT :].strip()
    changes = outcome.common(task, finished) | {"proposal": proposal, "summary": summary, "pending_reply": None}
    return _wait(tx, task, WAITS + without, "proposed", changes)


async def returned(runtime: Runtime, task: Task, refused: MergeNeeded | ProposalRefused) -> Task:
    """The tree moved between the person's decision and its turn: nothing was written, the proposal waits again.

    Where an earlier attempt had begun to write it, the task stays interrupted: the person can roll that back.
    """
    half_way = await _is_half_way(runtime, task)

    def write(tx: Tx) -> Task:
        outcome.close_open_steps(tx, task, "failed", refused.message)
        if half_way:
            return _wait(tx, task, _half_way(refused), "refused", {"milestone": ""}, Awaiting.INTERRUPTED)
        # Nothing of the workspace is this task's, so there is nothing to roll back to.
        attempts.update(tx, task.id, task.attempt, base=None)
        proposal = replace(task.proposal, merge=None) if task.proposal else None
        return _wait(tx, task, refused.message, "refused", {"proposal": proposal, "milestone": ""})

    settled = await runtime.store.write(write)
    runtime.queue_changed(task.workspace_id, settled)
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
    return HALF_WAY.format(", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else ""))


def _wait(
    tx: Tx, task: Task, reason: str, result: str, changes: dict[str, object], awaiting: Awaiting = Awaiting.DRY_RUN
) -> Task:
    """A proposal that waits has nothing in the workspace; one that is half-way holds it."""
    holds = awaiting is not Awaiting.DRY_RUN
    waiting = {"awaiting": awaiting, "error_message": reason, "holds_workspace": holds}
    moved = tasks.move(tx, task, Action.AWAIT, **changes, **waiting)
    outcome.close_attempt(tx, moved, result)
    told = TaskAwaiting(attempt=task.attempt, awaiting=awaiting, reason=reason, holds_workspace=holds)
    outcome.emit(tx, task, told)
    return moved


async def write_proposal(run: Steps, taken: Checkpoint) -> Finished | None:
    """Write the proposal over the workspace, as a step of its own; None where the task has none."""
    runtime, task, proposal = run.runtime, run.task, run.task.proposal
    if proposal is None:
        return None
    await runtime.milestone(task, "applying")
    step = await run.begin(StepKind.EDIT, "", APPLY)
    if run.stopped:
        stopped = Ended("crashed", message="Stopped before the proposal was written.")
        return await run.finish(step, stopped, run.stopped, taken)
    async with runtime.lock(run.workspace.id):
        fits = partial(_write, proposal=proposal, undo_ref=refs.undo(task, APPLY))
        run.spawned = True
        await runtime.on_tree(run.workspace, fits)
    # What the agent said last may be a question about work that was rolled back since.
    finished = await run.finish(step, Ended("done", task.summary, message=WRITTEN), None, taken)
    told = TaskApplied(attempt=task.attempt, merged=proposal.merge is not None, files=len(finished.total.files))
    await runtime.store.write(lambda tx: outcome.emit(tx, task, told))
    return finished


def _write(tree: Checkpoints, proposal: Proposal, undo_ref: str) -> None:
    tree.write_over(proposal.base, proposal.commit, undo_ref, proposal.merge)


def is_written(c: Connection, task: Task) -> bool:
    """Whether the proposal was written whole, since the tree was last without it."""
    began = attempts.newest_in(c, task.id, TREE_WITHOUT_PROPOSAL)
    away = rollbacks.newest_undoable(c, task.id)
    done = [step for step in steps.of_task(c, task.id) if step.attempt >= began and step.name == APPLY]
    return any(step.outcome == "done" and not (away and away.at > step.started_at) for step in done)


async def drop(runtime: Runtime, task_id: str) -> None:
    """Remove the scratch of a task that needs it no more."""
    await asyncio.to_thread(Scratch.clear, folder(runtime, task_id))


async def drop_settled(runtime: Runtime, task: Task) -> None:
    if task.options.dry_run and not _needs_scratch(task):
        await drop(runtime, task.id)


async def tidy(runtime: Runtime, *, orphans: bool) -> int:
    """Remove scratches that no task needs; with `orphans` also those of no task at all."""
    top = folder(runtime, "none").parent
    names = [place.name for place in top.iterdir()] if top.is_dir() else []
    dropped = 0
    for name in names:
        task = await runtime.store.read(partial(_task, task_id=name))
        if (task is None and orphans) or (task is not None and not _needs_scratch(task)):
            try:
                await drop(runtime, name)
                dropped += 1
            except OSError as error:
                log.warning("cannot remove the scratch of task %s: %s", name, error)
    return dropped


def _needs_scratch(task: Task) -> bool:
    return task.options.dry_run and not task.ended and task.awaiting is not Awaiting.DRY_RUN


def _task(c: Connection, task_id: str) -> Task | None:
    return tasks.get(c, task_id)
