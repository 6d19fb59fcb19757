"""Taking work from the queues: strictly in order, one task per workspace, woken by commits and never by polling."""

from __future__ import annotations

import asyncio
import logging
from contextvars import Context

from pilothouse.domain.event.task import TaskMilestone, TaskStarted
from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import AttemptMode, Purpose, ResumeMode, RunnerMark, Task, TaskStatus
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.run import AttemptRun
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import Move, transition
from pilothouse.engine.workflow import Workflows
from pilothouse.errors import message_of
from pilothouse.process import room
from pilothouse.store.database import Tx
from pilothouse.store.session import workspaces
from pilothouse.store.task import tasks
from pilothouse.words import say

log = logging.getLogger(__name__)
RETRY_SECONDS = 5.0
Claimed = tuple[Task, Workspace, AttemptMode]


class Dispatcher:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._accepting = False
        self._interrupting = False
        self._runs: dict[str, AttemptRun] = {}
        self._jobs: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        runtime.store.on_queue(lambda change: self.wake(change.workspace_id))

    def open(self) -> None:
        self._accepting, self._interrupting = True, False

    def close(self) -> None:
        self._accepting = False

    @property
    def running(self) -> int:
        return len(self._runs)

    def run_of(self, task_id: str) -> AttemptRun | None:
        return self._runs.get(task_id)

    def runs_of(self, session_id: str) -> list[AttemptRun]:
        return [run for run in self._runs.values() if run.task.session_id == session_id]

    def wake(self, workspace_id: str) -> None:
        """Look for work in this workspace, now or as soon as what runs there has ended."""
        if not self._accepting:
            return
        if workspace_id in self._jobs:
            self._again.add(workspace_id)
            return
        # A context of its own: the work belongs to no request, whoever woke the queue.
        job = asyncio.create_task(self._drain(workspace_id), name=f"workspace {workspace_id}", context=Context())
        self._jobs[workspace_id] = job
        job.add_done_callback(lambda _: self._drained(workspace_id))

    async def settled(self) -> None:
        """Wait until nothing runs."""
        while self._jobs:
            await asyncio.wait(list(self._jobs.values()))

    def interrupt_all(self) -> None:
        """What runs, and what is being claimed in this moment."""
        self._interrupting = True
        for run in self._runs.values():
            run.stop(Stop.INTERRUPTED)

    def _drained(self, workspace_id: str) -> None:
        self._jobs.pop(workspace_id, None)
        if workspace_id in self._again:
            self._again.discard(workspace_id)
            self.wake(workspace_id)

    async def _drain(self, workspace_id: str) -> None:
        """Run whatever comes next, until nothing does."""
        while self._accepting:
            self._again.discard(workspace_id)
            if not await asyncio.to_thread(room.is_left, self._runtime.settings.data_dir):
                # A task that begins now would fail, and each of the queue after it.
                log.warning("the disk is full: workspace %s waits", workspace_id)
                await self._runtime.clock.sleep(RETRY_SECONDS)
                continue
            try:
                claimed = await self._runtime.insist(lambda tx, told: self._claim(tx, told, workspace_id))
            except Exception:  # a full disk must not leave the queue standing once there is room again
                log.exception("cannot look for work in workspace %s yet", workspace_id)
                await self._runtime.clock.sleep(RETRY_SECONDS)
                continue
            if claimed is None:
                return
            await self._run(*claimed)

    def _claim(self, tx: Tx, workflows: Workflows, workspace_id: str) -> Claimed | None:
        upcoming = tasks.upcoming(tx, workspace_id)
        workspace = workspaces.get(tx.conn, workspace_id) if upcoming else None
        if upcoming is None or workspace is None or workspace.host != self._runtime.host_id:
            return None
        mode, number = _mode(upcoming), upcoming.attempt + 1
        code = "rollback" if mode is AttemptMode.ROLLBACK else "checkpoint"
        said = say(f"milestone.{code}")
        claim = Move(
            action=Action.CLAIM,
            changes={"runner": RunnerMark(self._runtime.boot_id), "resume_mode": None, "milestone": said, **_for(mode)},
            begins=mode,
            events=[
                *([_started(upcoming)] if number == 1 else []),
                TaskMilestone(attempt=number, code=code, text=said),
            ],
        )
        return transition(tx, workflows, upcoming, claim), workspace, mode

    async def _run(self, task: Task, workspace: Workspace, mode: AttemptMode) -> None:
        run = AttemptRun(self._runtime, task, workspace, mode)
        self._runs[task.id] = run
        if self._interrupting:
            run.stop(Stop.INTERRUPTED)
        try:
            await run.run()
        except Exception as error:  # whatever broke, no task may stay RUNNING with nobody behind it
            log.exception("attempt %s of task %s broke", task.attempt, task.id)
            await self._give_up(run, error)
        finally:
            del self._runs[task.id]
            run.over.set()

    async def _give_up(self, run: AttemptRun, error: Exception) -> None:
        """Settle a broken attempt; while the store itself is the trouble, keep trying."""
        task = run.task
        while True:
            try:
                now = await self._runtime.store.read(lambda c: tasks.get(c, task.id))
                if now and now.status is TaskStatus.RUNNING and now.attempt == task.attempt:
                    said = say("attempt.broke", problem=message_of(error))
                    await outcome.broke(self._runtime, now, said, run.spawned)
                return
            except Exception:  # the disk may be full; the task must be settled once it is not
                log.exception("cannot settle task %s yet", task.id)
                await self._runtime.clock.sleep(RETRY_SECONDS)


def _mode(task: Task) -> AttemptMode:
    if task.resume_mode is ResumeMode.SOFT:
        return AttemptMode.SOFT
    if task.resume_mode is ResumeMode.ROLLBACK:
        return AttemptMode.ROLLBACK
    if task.proposal is not None and task.pending_reply is None:
        return AttemptMode.APPLY
    return AttemptMode.REPLY if task.pending_reply is not None else AttemptMode.FIRST


def _for(mode: AttemptMode) -> dict[str, Purpose]:
    """A proposal is a change from the attempt on that writes it."""
    return {"purpose": Purpose.CHANGE} if mode is AttemptMode.APPLY else {}


def _started(task: Task) -> TaskStarted:
    return TaskStarted(
        prompt=task.prompt,
        agent=task.agent,
        workspace_id=task.workspace_id,
        submitted_at=task.submitted_at,
        constraints=list(task.scope.constraints),
        non_goals=list(task.scope.non_goals),
        boundaries=list(task.scope.boundaries),
        timeout_profile=task.options.timeout_profile,
    )
