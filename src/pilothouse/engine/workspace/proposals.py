"""Proposals of dry runs: where they are kept, and what a person decides about them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.event.task import TaskCompleted, TaskDiscarded, TaskResumed
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.moves import Action, move
from pilothouse.domain.task.task import AttemptMode, Awaiting, Proposal, Purpose, Task, Verdict
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import Move
from pilothouse.engine.workspace import artifacts, refs
from pilothouse.engine.workspace.artifacts import KeptDiff
from pilothouse.errors import Conflict
from pilothouse.git.checkpoints import Checkpoints, question, refusal
from pilothouse.git.scratch import Scratch
from pilothouse.store.session import sessions
from pilothouse.store.task import attempts, tasks
from pilothouse.words import say

log = logging.getLogger(__name__)
KEPT_LIMIT = 20_000_000


async def queue(runtime: Runtime, task: Task, workspace: Workspace, merge: str | None) -> Task:
    """Put the task back into the queue to write its proposal. Refused, and nothing changed, where that cannot be done.

    The tree may move until it is the task's turn; then it is looked at again, and the proposal waits anew.
    """
    proposal = _proposal(task, Action.APPLY)
    async with runtime.lock(workspace.id):
        fit = await runtime.on_tree(workspace, lambda tree: tree.fit(proposal.base, proposal.commit))
    if fit.clashes:
        raise refusal(fit)
    if fit.merge and fit.merge != merge:
        raise question(fit)

    # The agent's session belongs to the scratch; what it is asked from here on happens in the workspace.
    confirmed = replace(proposal, merge=fit.merge)
    changes = {"proposal": confirmed, "agent_session": None}
    told = TaskResumed(attempt=task.attempt + 1, mode=AttemptMode.APPLY)
    applied = Move(action=Action.APPLY, changes=changes, events=(told,))
    _, queued = await runtime.move(task.id, lambda _, __: applied, task.attempt)
    return queued


async def discard(runtime: Runtime, task: Task, workspace: Workspace) -> Task:
    """End the task as proposed. Its diff stays to be read; its checkpoints and its scratch do not."""
    proposal = _proposal(task, Action.DISCARD)
    async with runtime.lock(workspace.id):
        await runtime.on_tree(workspace, lambda tree: _keep_text(runtime, task, tree, proposal))
        _, discarded = await runtime.move(task.id, lambda _, present: _discarded(present), task.attempt)
        began = await runtime.store.read(lambda c: sessions.get(c, task.session_id))
        keep = began.checkpoint if began else None
        await runtime.on_tree(workspace, lambda tree: forget(tree, task, keep))
    await drop(runtime, task.id)
    return discarded


def forget(tree: Checkpoints, task: Task, keep: str | None) -> int:
    """Delete the task's checkpoints, but for the one at which its session began."""
    mine = [kept for kept in tree.refs(refs.of_task(task)) if kept.commit != keep]
    return sum(tree.forget(kept.ref) for kept in mine)


def kept(runtime: Runtime, task: Task, path: str | None) -> KeptDiff | None:
    """The diff of a discarded proposal; None for any other task."""
    if task.verdict is not Verdict.PROPOSED:
        return None
    return artifacts.kept_diff(runtime.settings.data_dir, task.id, path)


def _proposal(task: Task, action: Action) -> Proposal:
    move(task.status, task.awaiting, action)
    if task.proposal is None or task.awaiting is not Awaiting.DRY_RUN:
        raise Conflict(say("task.no_proposal"))
    return task.proposal


def _keep_text(runtime: Runtime, task: Task, tree: Checkpoints, proposal: Proposal) -> None:
    stat = tree.stat(proposal.base, proposal.commit)
    text = tree.diff(proposal.base, proposal.commit, limit=KEPT_LIMIT)
    artifacts.keep_diff(runtime.settings.data_dir, task.id, KeptDiff(stat, text))


def _discarded(task: Task) -> Move:
    told = TaskCompleted(
        attempt=task.attempt,
        verdict=Verdict.PROPOSED,
        summary=task.summary,
        files_changed=task.files_changed,
        insertions=task.insertions,
        deletions=task.deletions,
    )
    changes = {"verdict": Verdict.PROPOSED, "proposal": None, "pending_reply": None}
    return Move(action=Action.DISCARD, changes=changes, events=(TaskDiscarded(attempt=task.attempt), told))


def is_apart(c: Connection, task: Task, number: int) -> bool:
    """Whether that attempt left nothing in the workspace: it proposed, and what it proposed was not applied yet."""
    return all(attempt.number > number for attempt in attempts.in_workspace(c, task))


def base(c: Connection, task: Task) -> str | None:
    """Where the scratch of a dry run began."""
    known = [attempt.base for attempt in attempts.of_task(c, task.id) if attempt.base]
    return known[-1] if known else None


def folder(runtime: Runtime, task_id: str) -> Path:
    return runtime.settings.data_dir / "scratch" / task_id


async def drop(runtime: Runtime, task_id: str) -> None:
    """Remove the scratch of a task that needs it no more."""
    await asyncio.to_thread(Scratch.clear, folder(runtime, task_id))


async def drop_settled(runtime: Runtime, task: Task) -> None:
    if task.purpose is Purpose.PROPOSE and not _needs_scratch(task):
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
    return task.purpose is Purpose.PROPOSE and not task.ended and task.awaiting is not Awaiting.DRY_RUN


def _task(c: Connection, task_id: str) -> Task | None:
    return tasks.get(c, task_id)
