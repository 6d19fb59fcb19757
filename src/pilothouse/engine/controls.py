"""What a person can do to a task and its workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.event.session import WorkspaceReleased
from pilothouse.domain.event.task import TaskCommitted, TaskResumed
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.moves import Action, allowed
from pilothouse.domain.task.task import AttemptMode, Awaiting, ResumeMode, Task, TaskStatus, state_words
from pilothouse.engine.attempt.run import AttemptRun
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.guard import decisions
from pilothouse.engine.runner import Runner
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.talk.talk import Talk
from pilothouse.engine.transition import Move, cancel, hold_queue
from pilothouse.engine.workspace import artifacts, commits, diff_ends, moved, occupancy, proposals, rollback, ways
from pilothouse.engine.workspace.artifacts import SavedPart
from pilothouse.engine.workspace.commits import Begun
from pilothouse.engine.workspace.rollback import NOTHING, RolledBack
from pilothouse.engine.workspace.ways import WayView
from pilothouse.errors import IllegalTransition, NotFound, ResumeUnavailable
from pilothouse.git.changes import commit, status
from pilothouse.git.landed import head
from pilothouse.git.model import BranchMove, DiffStat
from pilothouse.git.threads import beside
from pilothouse.store.database import Tx
from pilothouse.store.session import projects, workspaces
from pilothouse.store.task import attempts, steps, tasks
from pilothouse.words import chained, say

CLAIM_SECONDS = 0.005
ASKING = (Awaiting.QUESTION, Awaiting.BLOCKER, Awaiting.PERMISSION)


@dataclass(frozen=True, slots=True)
class ResumeView:
    happened: str
    why: str
    default: ResumeMode
    saved: list[SavedPart]
    soft_available: bool
    soft_problem: str | None
    takes_away: DiffStat
    replies: int


@dataclass(frozen=True, slots=True)
class Diff:
    stat: DiffStat
    patch: str
    truncated: bool


class _BeingClaimed(Exception):
    """The task has just been taken from the queue, and its run is not known yet."""


class Controls:
    def __init__(self, runtime: Runtime, runner: Runner) -> None:
        self._runtime = runtime
        self._runner = runner
        self.talk = Talk(runtime, runner)

    async def reply(self, task_id: str, text: str, attempt: int | None = None) -> tuple[Task, Task]:
        return await self.talk.reply(task_id, text, attempt)

    async def cancel(self, task_id: str, hold: bool = False) -> tuple[Task, Task | None]:
        """End a task. One that never started is gone without a trace: None comes back for it."""
        seen: Task | None = None
        while True:
            run = self._runner.dispatcher.run_of(task_id)
            if run:
                seen = seen or run.task
                after = await self._cancel_running(run, hold)
                if after.status is TaskStatus.CANCELLED:
                    await self._runtime.forget(seen.session_id)
                    return seen, after
                # It came to wait in that moment, and is not to go on from there either.
                continue
            try:
                before, after = await self._runtime.move(
                    task_id, lambda tx, task: self._cancel_waiting(tx, task, hold), insists=True
                )
            except _BeingClaimed:
                await asyncio.sleep(CLAIM_SECONDS)
                continue
            if before.never_started:
                return before, None
            await self._clear(after)
            return seen or before, after

    async def _clear(self, ended: Task) -> None:
        """Let go of what was kept for a task that a person ended."""
        await proposals.drop_settled(self._runtime, ended)
        await self._runtime.forget(ended.session_id)

    async def _cancel_running(self, run: AttemptRun, hold: bool) -> Task:
        run.stop(Stop.CANCELLED, hold)
        await self._runtime.milestone(run.task, "stopping")
        await run.over.wait()
        after = await self._task(run.task.id)
        if after.ended and after.status is not TaskStatus.CANCELLED:
            raise IllegalTransition(
                say("task.just_ended", state=say(f"status.{after.status}")), {"status": after.status}
            )
        if after.status is TaskStatus.AWAITING_RESPONSE and await self._runtime.store.read(lambda c: _broke(c, after)):
            # It holds the workspace over work that nothing describes: a person must have seen that first.
            raise IllegalTransition(say("task.not_cancelled", why=after.error_message or ""), {"status": after.status})
        return after

    def _cancel_waiting(self, tx: Tx, task: Task, hold: bool) -> Move:
        if task.status is TaskStatus.RUNNING:
            self._runtime.require_here(_workspace(tx.conn, task.workspace_id))
            if task.runner and task.runner.boot_id == self._runtime.boot_id:
                raise _BeingClaimed
        return cancel(task, hold=hold)

    async def apply(self, task_id: str, merge: str | None, attempt: int | None = None) -> tuple[Task, Task]:
        """Have the proposal of a dry run written to the workspace and verified; `merge` names a confirmed merge."""
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id, attempt)
        return task, await proposals.queue(self._runtime, task, workspace, merge)

    async def discard(self, task_id: str, attempt: int | None = None) -> tuple[Task, Task]:
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id, attempt)
        return task, await proposals.discard(self._runtime, task, workspace)

    async def resume(self, task_id: str, mode: ResumeMode, attempt: int | None = None) -> Task:
        """Run the task again: from its beginning after a rollback, or from where it stopped with the tree kept."""
        self._runtime.require_recovered()

        seen = await self._task(task_id, attempt)
        saved = await self._runtime.store.read(lambda c: self._saved(c, seen)) if mode is ResumeMode.SOFT else []
        missing = [part for part in saved if not part.saved]
        if mode is ResumeMode.ROLLBACK and Action.RESUME in allowed(seen.status, seen.awaiting):
            await self._require_replayable(seen)

        def again(tx: Tx, task: Task) -> Move:
            changes: dict[str, object] = {}
            if missing:
                parts = chained(map(_named, missing))
                details = {"missing": [part.name for part in missing]}
                raise ResumeUnavailable(say("resume.missing", parts=parts), details)
            if mode is ResumeMode.ROLLBACK:
                if occupancy.may_have_changed(tx.conn, task):
                    occupancy.require_idle(tx.conn, task.workspace_id)
                changes |= {"pending_reply": None, "agent_session": None}
            # What never began has nothing to go on from: it begins.
            how = mode if mode is ResumeMode.ROLLBACK or _began(tx.conn, task) else None
            told = TaskResumed(attempt=task.attempt + 1, mode=how or AttemptMode.FIRST)
            return Move(action=Action.RESUME, changes={"resume_mode": how, **changes}, events=(told,))

        # What is saved was looked up for that attempt alone.
        _, queued = await self._runtime.move(task_id, again, seen.attempt)
        return queued

    async def decide(
        self, task_id: str, choice: decisions.Choice, amount: float | None = None, attempt: int | None = None
    ) -> tuple[Task, Task]:
        """What becomes of a task that a guard holds."""
        self._runtime.require_recovered()
        settings, seen = self._runtime.settings, await self._task(task_id, attempt)
        missing = await decisions.unsaved(self._runtime, task_id)
        before, after = await self._runtime.move(
            task_id, lambda tx, task: decisions.decide(tx, settings, task, choice, amount, missing), seen.attempt
        )
        self._runtime.limits_changed.set()
        if after.status is TaskStatus.CANCELLED:
            await self._clear(after)
        return before, after

    async def resume_options(self, task_id: str) -> ResumeView:
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id)
        if Action.RESUME not in allowed(task.status, task.awaiting):
            state = state_words(task.status, task.awaiting)
            raise IllegalTransition(say("resume.nothing", state=state), {"status": task.status})
        saved = await self._runtime.store.read(lambda c: self._saved(c, task))
        began = await self._runtime.store.read(lambda c: _began(c, task))
        base = await self._runtime.store.read(lambda c: ways.base(c, task))
        takes_away = (await self._away(task, workspace)).changes if base else NOTHING
        missing = [part for part in saved if not part.saved]
        return ResumeView(
            happened=task.error_message or say("attempt.asks") if task.awaiting else task.error_message or "",
            why=_why(task, began=began),
            default=ResumeMode.ROLLBACK,
            saved=saved,
            soft_available=not missing,
            soft_problem=chained(map(_named, missing)) or None,
            takes_away=takes_away,
            replies=sum(1 for reply in task.replies if not reply.replayed),
        )

    async def preview(self, task_id: str) -> WayView:
        """What a rollback would take away now, and how."""
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id)
        return await self._away(task, workspace)

    async def undo_preview(self, task_id: str, rollback_id: str | None, *, exact: bool) -> WayView:
        """What an undo would change now, and how."""
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id)
        async with self._runtime.lock(workspace.id):
            row = await self._runtime.store.read(lambda c: rollback.undoable(c, task.id, rollback_id))
            way = await ways.back(self._runtime, workspace, row, exact=exact)
            if way.fit:
                return WayView(way.fit.stat or NOTHING, way)
            taken = await self._runtime.on_tree(workspace, lambda tree: tree.preview(way.target))
            return WayView(ways.turned(taken), way)

    async def rollback(self, task_id: str, merge: str | None = None) -> RolledBack:
        """Take a task's changes away without running it again. `merge` names what a preview showed."""
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id)
        async with self._runtime.lock(workspace.id):
            task = await self._task(task_id)
            if not (task.ended or task.status is TaskStatus.AWAITING_RESPONSE):
                state = say(f"status.{task.status}")
                raise IllegalTransition(say("task.cancel_first", state=state), {"status": task.status})
            return await rollback.take_away(self._runtime, task, workspace, merge)

    async def undo_rollback(
        self, task_id: str, rollback_id: str | None, merge: str | None = None, *, exact: bool = False
    ) -> RolledBack:
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id)
        async with self._runtime.lock(workspace.id):
            return await rollback.take_back(self._runtime, task, workspace, rollback_id, merge, exact=exact)

    async def bring_back(self, task_id: str, kind: str, name: str, then: str | None) -> BranchMove:
        """Set a branch, a tag or a stash that was moved or dropped to what it was when the task began."""
        self._runtime.require_recovered()
        task, workspace = await self._task_and_workspace(task_id)
        async with self._runtime.lock(workspace.id):
            return await moved.bring_back(self._runtime, task, workspace, kind, name, then)

    async def diff(
        self, task_id: str, attempt: int | None = None, step: int | None = None, path: str | None = None
    ) -> Diff:
        """What a task changed, or one step of it; against the present tree while the task is at work."""
        task, workspace = await self._task_and_workspace(task_id)
        discarded = await asyncio.to_thread(proposals.kept, self._runtime, task, path)
        if discarded:
            return Diff(discarded.stat, discarded.patch.text, discarded.patch.truncated)
        ends = await self._runtime.store.read(lambda c: diff_ends.ends(c, task, attempt, step))
        if ends is None:
            return Diff(NOTHING, "", False)
        old, new = ends
        async with self._runtime.lock(workspace.id):
            stat = await self._runtime.on_tree(workspace, lambda tree: tree.stat(old, new))
            patch = await self._runtime.on_tree(workspace, lambda tree: tree.diff(old, new, path or None))
        return Diff(stat, patch.text, patch.truncated)

    async def committed_in(self, project_id: str, task_id: str | None) -> tuple[Workspace, Task | None]:
        """The project's directory, or, with a task, that task's workspace."""
        task = await self._task(task_id) if task_id else None
        if task and task.project_id != project_id:
            raise NotFound(say("task.not_of_project"))
        workspace = await self._runtime.store.read(
            lambda c: (
                _workspace(c, task.workspace_id)
                if task
                else workspaces.directory_of(c, project_id, self._runtime.host_id)
            )
        )
        self._runtime.require_here(workspace)
        return workspace, task

    async def changed_by(self, task: Task, workspace: Workspace) -> frozenset[str]:
        return await commits.changed_by(self._runtime, task, workspace)

    async def commit(
        self,
        project_id: str,
        message: str,
        paths: list[str] | None,
        task_id: str | None,
        accept: Collection[str] = (),
    ) -> tuple[str, int]:
        """Commit what stands in a working tree; as a task's changes only files that are as it left them.

        `accept`: digests of programs of the repository that the person lets this and every later commit run.
        """
        self._runtime.require_recovered()
        workspace, task = await self.committed_in(project_id, task_id)
        root = Path(workspace.path)
        async with self._runtime.lock(workspace.id):
            accepted = await self._runtime.store.write(lambda tx: projects.accept_programs(tx, project_id, accept))
            made = await commits.of_this_request(workspace, message)
            if made is None:
                await self._runtime.store.read(lambda c: occupancy.require_no_half_work(c, workspace.id))
                if task:
                    await commits.require_as_left(self._runtime, task, workspace, paths)
                begun = await beside(root, lambda: _begun(root, paths))
                await self._runtime.store.write(lambda tx: tx.begin(begun.text()))
                made = await beside(root, lambda: commit(root, message, paths, accepted)), begun.files
        sha, files = made
        told = TaskCommitted(
            commit=sha, message=message, files=files, project_id=project_id, accepted=sorted(set(accept))
        )
        whose = {"session_id": task.session_id, "task_id": task.id} if task else {}

        def tell(tx: Tx) -> None:
            if not commits.is_told(tx.conn, sha):
                tx.emit(told, **whose)

        await self._runtime.store.write(tell)
        return made

    async def hold(self, workspace_id: str, reason: str) -> None:
        def write(tx: Tx) -> None:
            _workspace(tx.conn, workspace_id)
            hold_queue(tx, workspace_id, reason)
            tx.queue_changed(workspace_id)

        await self._runtime.store.write(write)

    async def release(self, workspace_id: str) -> None:
        def write(tx: Tx) -> None:
            _workspace(tx.conn, workspace_id)
            workspaces.release(tx, workspace_id)
            tx.emit(WorkspaceReleased(workspace_id=workspace_id))
            tx.queue_changed(workspace_id)

        await self._runtime.store.write(write)

    def _saved(self, c: Connection, task: Task) -> list[SavedPart]:
        """What a soft resume needs; a patch that no longer describes the tree counts as missing."""
        if not _began(c, task):
            return []
        saved = artifacts.inspect(self._runtime.settings.data_dir, attempts.last_begun(c, task.id))
        problem = rollback.patch_problem(c, task)
        return [
            replace(part, saved=False, detail=problem) if problem and part.name == "patch" else part for part in saved
        ]

    async def _require_replayable(self, task: Task) -> None:
        workspace = await self._runtime.store.read(lambda c: _workspace(c, task.workspace_id))
        async with self._runtime.lock(workspace.id):
            await rollback.to_replay(self._runtime, task, workspace)

    async def _away(self, task: Task, workspace: Workspace) -> WayView:
        async with self._runtime.lock(workspace.id):
            way = await ways.away(self._runtime, task, workspace)
            if way.fit:
                others = await self._runtime.on_tree(workspace, lambda tree: tree.moved(way.target))
                return WayView(ways.turned(way.fit.stat or NOTHING), way, others)
            taken = await self._runtime.on_tree(workspace, lambda tree: tree.preview(way.target))
            return WayView(taken, way, taken.other_branches_moved)

    async def _task(self, task_id: str, attempt: int | None = None) -> Task:
        return await self._runtime.store.read(lambda c: tasks.require(c, task_id, attempt))

    async def _task_and_workspace(self, task_id: str, attempt: int | None = None) -> tuple[Task, Workspace]:
        task = await self._task(task_id, attempt)
        return task, await self._runtime.store.read(lambda c: _workspace(c, task.workspace_id))


def _named(part: SavedPart) -> str:
    return say("resume.named", name=say(f"saved_part.{part.name}"), detail=part.detail)


def _workspace(c: Connection, workspace_id: str) -> Workspace:
    workspace = workspaces.get(c, workspace_id)
    if workspace is None:
        raise NotFound(say("workspace.unknown"))
    return workspace


def _begun(root: Path, paths: list[str] | None) -> Begun:
    return Begun(head(root), len(paths) if paths is not None else len(status(root)))


def _why(task: Task, *, began: bool) -> str:
    if task.awaiting in ASKING:
        return say("resume.why_asked")
    return say("resume.why_rollback" if began else "resume.why_either")


def _began(c: Connection, task: Task) -> bool:
    """The first step's row is there before the agent is."""
    return bool(steps.of_task(c, task.id))


def _broke(c: Connection, task: Task) -> bool:
    """Whether its attempt could not be carried through to its end."""
    attempt = attempts.get(c, task.id, task.attempt)
    return attempt is not None and attempt.outcome == "failed"
