"""What a person decides about a proposal: apply it, or discard it and keep only its text."""

from __future__ import annotations

from dataclasses import replace

from pilothouse.domain.events import TaskCompleted, TaskDiscarded, TaskResumed
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import Action, AttemptMode, Awaiting, Proposal, Task, Verdict, move
from pilothouse.engine.attempt import artifacts, outcome
from pilothouse.engine.attempt import proposal as proposing
from pilothouse.engine.attempt.artifacts import KeptDiff
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.talk import steering
from pilothouse.engine.workspace import refs
from pilothouse.errors import Conflict
from pilothouse.git.checkpoints import Checkpoints, question, refusal
from pilothouse.store import sessions, tasks
from pilothouse.store.database import Tx

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

    def write(tx: Tx) -> Task:
        # The agent's session belongs to the scratch; what it is asked from here on happens in the workspace.
        confirmed = replace(proposal, merge=fit.merge)
        queued = tasks.move(tx, task, Action.APPLY, proposal=confirmed, agent_session=None)
        outcome.emit(tx, task, TaskResumed(attempt=task.attempt + 1, mode=AttemptMode.APPLY))
        return queued

    return await runtime.store.write(write)


async def discard(runtime: Runtime, task: Task, workspace: Workspace) -> Task:
    """End the task as proposed. Its diff stays to be read; its checkpoints and its scratch do not."""
    proposal = _proposal(task, Action.DISCARD)
    async with runtime.lock(workspace.id):
        await runtime.on_tree(workspace, lambda tree: _keep_text(runtime, task, tree, proposal))
        discarded = await runtime.store.write(lambda tx: _discard(tx, task))
        began = await runtime.store.read(lambda c: sessions.get(c, task.session_id))
        keep = began.checkpoint if began else None
        await runtime.on_tree(workspace, lambda tree: forget(tree, task, keep))
    await proposing.drop(runtime, task.id)
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
        raise Conflict("This task has no proposal that waits for you.")
    return task.proposal


def _keep_text(runtime: Runtime, task: Task, tree: Checkpoints, proposal: Proposal) -> None:
    stat = tree.stat(proposal.base, proposal.commit)
    text = tree.diff(proposal.base, proposal.commit, limit=KEPT_LIMIT)
    artifacts.keep_diff(runtime.settings.data_dir, task.id, KeptDiff(stat, text))


def _discard(tx: Tx, task: Task) -> Task:
    moved = tasks.move(tx, task, Action.DISCARD, verdict=Verdict.PROPOSED, proposal=None, pending_reply=None)
    steering.settle(tx, moved)
    outcome.emit(tx, task, TaskDiscarded(attempt=task.attempt))
    told = TaskCompleted(
        attempt=task.attempt,
        verdict=Verdict.PROPOSED,
        summary=task.summary,
        files_changed=task.files_changed,
        insertions=task.insertions,
        deletions=task.deletions,
    )
    outcome.emit(tx, task, told)
    return moved
