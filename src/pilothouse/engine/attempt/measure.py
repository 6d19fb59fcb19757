"""What a step left behind: a checkpoint, and how it differs from where the step and the task began."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pilothouse.domain.ports import Ended
from pilothouse.domain.task.task import Step, Task
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.context import Context
from pilothouse.engine.attempt.finished import Finished, Spoken
from pilothouse.engine.workspace import artifacts, leftovers, losses, refs
from pilothouse.git.model import Checkpoint, DiffStat
from pilothouse.store.database import Tx
from pilothouse.store.task import steps, tasks


async def finish(cx: Context, spoken: Spoken, before: Checkpoint, failure: artifacts.Failure | None = None) -> Finished:
    """Checkpoint what the step left, and measure it. `failure` is of the verification that the step was."""
    task, step, ended, stop = spoken.task, spoken.step, spoken.ended, spoken.stop
    async with cx.runtime.lock(cx.workspace.id):
        if cx.control.spawned and not ended.left and cx.scratch is None:
            await leftovers.free(cx.runtime, cx.workspace, step.started_at)
        taken = await _take(cx, refs.step(task, step.number))
        stat = await _stat(cx, before.commit, taken.commit)
        total = stat if cx.base == before.commit else await _stat(cx, cx.base, taken.commit)
        # Only where no file differs can HEAD, index and modes tell, and looking at them means another scan.
        changed = bool(total.files) or (cx.scratch is None and not await _is_as_it_began(cx))
        step = replace(
            step,
            finished_at=cx.runtime.clock.now(),
            outcome=step.outcome or stop or ended.outcome,
            detail=ended.message,
            exit_code=ended.exit_code,
            checkpoint=taken.commit,
            files_changed=len(stat.files),
            insertions=stat.insertions,
            deletions=stat.deletions,
        )
        vouchers = await save(cx, task, taken, (step,), failure)
        if cx.scratch is None:
            task = await _note_repository(cx, task)
    finished = Finished(
        task, step, ended, stop, taken, total, changed, vouchers, apart=cx.scratch is not None, hold=spoken.hold
    )
    files = [change.path for change in stat.files]
    return replace(finished, seen=cx.guard.observed(finished, files, before.head != taken.head))


async def as_found(cx: Context, task: Task, last: Step, taken: Checkpoint) -> Finished:
    """An earlier attempt's last step, as if it had just ended: the tree is now as `taken` saw it."""
    total = await _stat(cx, cx.base, taken.commit)
    return Finished(task, last, Ended("done", task.output), None, taken, total, bool(total.files), recorded=True)


async def close(cx: Context, task: Task, done: Sequence[Step]) -> Task:
    """Close steps that left the tree as they found it, and pay for them."""

    def write(tx: Tx) -> Task:
        for step in done:
            outcome.close_step(tx, task, step)
        paid = task.cost_usd + sum(step.cost_usd for step in done)
        return replace(task, cost_usd=tasks.update(tx, task.id, cost_usd=paid).cost_usd)

    return await cx.runtime.store.write(write)


async def save(
    cx: Context,
    task: Task,
    taken: Checkpoint,
    last: Sequence[Step] = (),
    failure: artifacts.Failure | None = None,
) -> artifacts.Vouchers:
    """Save what a soft resume needs, as of the checkpoint just taken; `last` are steps whose end is no row yet."""
    data_dir, base = cx.runtime.settings.data_dir, cx.base

    def patch(write: artifacts.Write) -> None:
        if base != taken.commit:
            cx.runtime.checkpoints(cx.workspace).patch(base, taken.commit, write)

    rows = await cx.runtime.store.read(lambda c: steps.of_task(c, task.id, task.attempt))
    known = await cx.runtime.store.read(lambda c: artifacts.failures(c, task.id))
    ended = {step.id: step for step in last}
    done = [ended.get(step.id, step) for step in rows if step.finished_at or step.id in ended]
    failed = (*known, failure) if failure else known
    patched, logged = await asyncio.gather(
        asyncio.to_thread(artifacts.save_patch, data_dir, task.id, task.attempt, patch),
        asyncio.to_thread(artifacts.save_log, data_dir, task.id, task.attempt, done, failed),
    )
    return patched | logged


async def _take(cx: Context, ref: str) -> Checkpoint:
    scratch = cx.scratch
    return await cx.runtime.on_tree(cx.workspace, lambda tree: scratch.save(ref) if scratch else tree.take(ref))


async def _stat(cx: Context, old: str, new: str) -> DiffStat:
    return await cx.runtime.on_tree(cx.workspace, lambda tree: tree.stat(old, new))


async def _note_repository(cx: Context, task: Task) -> Task:
    lost = await losses.look(cx.runtime, cx.workspace, cx.base)
    if lost == task.repository:
        return task
    changed = await cx.runtime.store.write(lambda tx: tasks.update(tx, task.id, repository=lost))
    return replace(task, repository=changed.repository)


async def _is_as_it_began(cx: Context) -> bool:
    return await cx.runtime.on_tree(cx.workspace, lambda tree: tree.same_as(cx.base))
