"""After a restart nothing is assumed alive: strays are ended, and what ran waits for the person.

Only what runs in this host's workspaces is looked at: another server of the same database may be at work. No task of
this boot is among it, since work is taken only afterwards. The boot in a task's mark serves a cancel alone: it tells a
task that this life is just claiming from one that an earlier life left.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial

from pilothouse.domain.event.runner import RunnerStarted
from pilothouse.domain.ports import ProcessMark
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.ending import waiting
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.talk import steering
from pilothouse.engine.transition import Move, end_attempt
from pilothouse.engine.workspace import artifacts, leftovers, losses, proposals, refs, retraction, rollback, ways
from pilothouse.errors import PilothouseError, message_of
from pilothouse.process import strays
from pilothouse.process.environment import instance_of
from pilothouse.store import notices
from pilothouse.store.database import Tx
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts, rollbacks, steps, tasks
from pilothouse.words import say

log = logging.getLogger(__name__)


async def recover(runtime: Runtime, version: str) -> list[Task]:
    """End strays, mark the interrupted, then save the state each was found in. Returns the interrupted tasks.

    An attempt stays open until its state is saved: a start that is itself cut short is made up for by the next one.
    """
    host = runtime.host_id
    left = await runtime.store.read(lambda c: tasks.running_on(c, host))
    gone = await _end_strays(runtime, left)
    await steering.recover(runtime)

    interrupted = [found for task in left if (found := await _interrupt(runtime, task))]
    started = RunnerStarted(boot_id=runtime.boot_id, version=version, interrupted=len(interrupted))
    await runtime.store.write(lambda tx: tx.emit(started))
    await _finish_rollbacks(runtime)
    for task_id in await runtime.store.read(lambda c: attempts.unfinished(c, host)):
        await _save_found_state(runtime, task_id, gone)
    await retraction.make_up(runtime)
    await proposals.tidy(runtime, orphans=True)
    return interrupted


async def _end_strays(runtime: Runtime, left: list[Task]) -> bool:
    """Whether none is left."""
    marks = [
        ProcessMark(task.runner.pid, task.runner.started)
        for task in left
        if task.runner and task.runner.pid is not None and task.runner.started is not None
    ]
    found = await asyncio.to_thread(strays.find, marks, instance_of(runtime.settings.data_dir))
    if not found:
        return True
    report = await strays.end(found)
    ended, remaining = ([str(stray) for stray in those] for those in (report.ended, report.remaining))
    log.warning("stray processes of an earlier run: ended %s, could not end %s", ended, remaining)
    await runtime.store.write(lambda tx: leftovers.tell(tx, ended, remaining))
    return not remaining


async def _interrupt(runtime: Runtime, task: Task) -> Task | None:
    """Until its tree has been looked at, an interrupted task holds its workspace. None if one was cancelled by now."""

    def cut_off(tx: Tx, present: Task) -> Move | None:
        if present.status is not TaskStatus.RUNNING:
            return None
        outcome.close_open_steps(tx, present, "interrupted", say("attempt.cut_off"))
        waits = waiting(present, Awaiting.INTERRUPTED, say("attempt.cut_off"), {"milestone": ""}, holds=True)
        # The attempt ends once the state it was found in is saved.
        return replace(waits, ends=None)

    before, after = await runtime.move(task.id, cut_off, insists=True)
    return after if before.status is TaskStatus.RUNNING else None


async def _save_found_state(runtime: Runtime, task_id: str, gone: bool) -> None:
    """Checkpoint the tree as found, so that nothing the agent wrote is lost whichever way the person chooses."""
    task = await runtime.store.read(lambda c: tasks.get(c, task_id))
    workspace = await runtime.store.read(lambda c: workspaces.get(c, task.workspace_id) if task else None)
    if task is None or workspace is None:
        return
    base = await runtime.store.read(lambda c: ways.base(c, task))
    if base is None:
        await runtime.store.write(lambda tx: _close(tx, task, holds_workspace=False))
        return
    try:
        async with runtime.lock(workspace.id):
            began = await runtime.store.read(lambda c: attempts.get(c, task.id, task.attempt))
            if gone and began:
                await leftovers.free(runtime, workspace, began.started_at)
            await _checkpoint_found(runtime, task, workspace, base)
    except (PilothouseError, OSError) as error:
        # The workspace stays held, and the missing parts are named where the person chooses.
        log.warning("cannot save the state of interrupted task %s: %s", task.id, error)
        await runtime.store.write(lambda tx: _close_unsaved(tx, task))


async def _checkpoint_found(runtime: Runtime, task: Task, workspace: Workspace, base: str) -> None:
    found = await runtime.on_tree(workspace, lambda tree: tree.take(refs.interrupted(task)))
    stat = await runtime.on_tree(workspace, lambda tree: tree.stat(base, found.commit))
    changed = not await runtime.on_tree(workspace, lambda tree: tree.same_as(base))
    lost = await losses.look(runtime, workspace, base)
    failures = await runtime.store.read(lambda c: artifacts.failures(c, task.id))
    done = await runtime.store.read(lambda c: steps.of_task(c, task.id, task.attempt))
    data_dir = runtime.settings.data_dir
    patch = partial(runtime.checkpoints(workspace).patch, base, found.commit)
    patched = await asyncio.to_thread(artifacts.save_patch, data_dir, task.id, task.attempt, patch)
    logged = await asyncio.to_thread(artifacts.save_log, data_dir, task.id, task.attempt, done, failures)

    def write(tx: Tx) -> None:
        attempts.update(tx, task.id, task.attempt, **patched, **logged)
        for step in done:
            if step.checkpoint is None:
                steps.finish(tx, step.id, checkpoint=found.commit)
        _close(
            tx,
            task,
            holds_workspace=changed,
            repository=lost,
            files_changed=len(stat.files),
            insertions=stat.insertions,
            deletions=stat.deletions,
        )

    await runtime.store.write(write)


def _close_unsaved(tx: Tx, task: Task) -> None:
    artifacts.forget(tx, task)
    _close(tx, task)


def _close(tx: Tx, task: Task, **found: object) -> None:
    """The attempt is over now; one that a person cancelled during this start has its steps closed here."""
    present = tasks.get(tx.conn, task.id)
    if present is None or present.ended:
        found.pop("holds_workspace", None)
    outcome.close_open_steps(tx, task, "interrupted", say("attempt.cut_off"))
    end_attempt(tx, task, "interrupted")
    if found:
        tasks.update(tx, task.id, **found)


async def _finish_rollbacks(runtime: Runtime) -> None:
    """What a person asked for and a kill cut short, before anything else looks at the tree."""
    for row in await runtime.store.read(lambda c: rollbacks.unfinished(c, runtime.host_id)):
        try:
            await rollback.finish(runtime, row)
        except (PilothouseError, OSError) as error:
            why = message_of(error)
            log.warning("cannot finish rollback %s: %s", row.id, why)
            await runtime.store.write(partial(_tell_unfinished, task_id=row.task_id, why=why))


def _tell_unfinished(tx: Tx, task_id: str, why: str) -> None:
    notices.add(tx, "rollback_unfinished", say("notice.rollback_unfinished"), (say("notice.task", task=task_id), why))
