"""Taking work from the queues: strictly in order, one task per workspace, woken by commits and never by polling."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError

from pilothouse.domain.events import TaskStarted
from pilothouse.domain.sessions import Workspace
from pilothouse.domain.tasks import Attempt, AttemptMode, ResumeMode, RunnerMark, Task, TaskStatus
from pilothouse.engine import surroundings
from pilothouse.engine.attempt import outcome
from pilothouse.engine.attempt.run import AttemptRun
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.runtime import MILESTONES, Runtime, emit_milestone
from pilothouse.engine.surroundings import Surroundings
from pilothouse.store import attempts, tasks, workspaces
from pilothouse.store.database import Tx

log = logging.getLogger(__name__)
RETRY_SECONDS = 5.0
T = TypeVar("T")
R = TypeVar("R")
Claimed = tuple[Task, Workspace, AttemptMode, Surroundings | None]


class Dispatcher:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._accepting = False
        self._interrupting = False
        self._runs: dict[str, AttemptRun] = {}
        self._jobs: dict[str, asyncio.Task[Any]] = {}
        self._again: set[str] = set()

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

    def is_free(self, workspace_id: str) -> bool:
        """Whether work that is queued there now would be looked at now."""
        return self._accepting and workspace_id not in self._jobs

    async def queue(self, workspace_id: str, add: Callable[[Tx], T], tell: Callable[[Tx, T, Task | None], R]) -> R:
        """Write work down. Where nothing is before it, it is taken up in the same transaction: nobody waits for two.

        Gives what `tell` says of it, with the task that was taken up.
        """
        free = self.is_free(workspace_id)

        def write(tx: Tx) -> tuple[R, Claimed | None]:
            added, claimed = add(tx), self._claim_at_once(tx, workspace_id) if free else None
            return tell(tx, added, claimed[0] if claimed else None), claimed

        # Whoever asked may go away; what is written is looked at all the same.
        writing = asyncio.create_task(self._runtime.store.write(write))
        if free:
            self._jobs[workspace_id] = writing
        writing.add_done_callback(lambda done: self._written(workspace_id, done, free))
        told, _ = await asyncio.shield(writing)
        return told

    def _written(self, workspace_id: str, writing: asyncio.Task[tuple[R, Claimed | None]], free: bool) -> None:
        refused = writing.cancelled() or writing.exception() is not None
        claimed = None if refused else writing.result()[1]
        if claimed:
            self._begin(workspace_id, claimed)
        elif free:
            self._drained(workspace_id)
        else:
            self.wake(workspace_id)

    def _claim_at_once(self, tx: Tx, workspace_id: str) -> Claimed | None:
        """What cannot be claimed now is written down all the same, and looked at again."""
        told = len(tx.emitted)
        try:
            with tx.conn.begin_nested():
                return self._claim(tx, workspace_id) if self._accepting else None
        except Exception as error:
            if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
                raise  # the transaction itself may be gone
            log.exception("cannot claim what was queued in workspace %s", workspace_id)
            del tx.emitted[told:]
            self._again.add(workspace_id)
            return None

    def wake(self, workspace_id: str) -> None:
        """Look for work in this workspace, now or as soon as what runs there has ended."""
        if not self._accepting:
            return
        if workspace_id in self._jobs:
            self._again.add(workspace_id)
            return
        self._begin(workspace_id)

    def _begin(self, workspace_id: str, claimed: Claimed | None = None) -> None:
        # A context of its own: the work belongs to no request, whoever woke the queue.
        draining = self._drain(workspace_id, claimed)
        job = asyncio.create_task(draining, name=f"workspace {workspace_id}", context=Context())
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

    async def _drain(self, workspace_id: str, claimed: Claimed | None) -> None:
        """Run what is claimed, then whatever comes next."""
        while claimed or self._accepting:
            if claimed:
                await self._run(*claimed)
                claimed = None
                continue
            self._again.discard(workspace_id)
            try:
                claimed = await self._runtime.store.write(lambda tx: self._claim(tx, workspace_id))
            except Exception:  # a full disk must not leave the queue standing once there is room again
                log.exception("cannot look for work in workspace %s yet", workspace_id)
                await self._runtime.clock.sleep(RETRY_SECONDS)
                continue
            if claimed is None:
                return

    def _claim(self, tx: Tx, workspace_id: str) -> Claimed | None:
        upcoming = tasks.upcoming(tx, workspace_id)
        workspace = workspaces.get(tx.conn, workspace_id) if upcoming else None
        if upcoming is None or workspace is None:
            return None
        mode = _mode(upcoming)
        code = "rollback" if mode is AttemptMode.ROLLBACK else "checkpoint"
        mark, said = RunnerMark(self._runtime.boot_id), MILESTONES[code]
        # One change of the row, not one after the other: the agent waits for it.
        task = tasks.claim(tx, upcoming, mark, resume_mode=None, milestone=said)
        attempts.start(tx, Attempt(task_id=task.id, number=task.attempt, mode=mode, started_at=tx.now))
        if task.attempt == 1:
            tx.emit(_started(task), session_id=task.session_id, task_id=task.id)
        emit_milestone(tx, task, code, said)
        return task, workspace, mode, self._found(tx, task, mode)

    def _found(self, tx: Tx, task: Task, mode: AttemptMode) -> Surroundings | None:
        """Read here so that the attempt need not. What is amiss it tells of itself when it reads that again."""
        try:
            return surroundings.of(tx.conn, self._runtime.agents, task, mode)
        except DBAPIError:
            raise
        except Exception:
            log.info("what is near task %s could not be read with its claim", task.id, exc_info=True)
            return None

    async def _run(self, task: Task, workspace: Workspace, mode: AttemptMode, found: Surroundings | None) -> None:
        run = AttemptRun(self._runtime, task, workspace, mode, found)
        self._runs[task.id] = run
        if self._interrupting:
            run.stop(Stop.INTERRUPTED)
        self._runtime.queue_changed(workspace.id, task)
        try:
            await run.run()
        except Exception as error:  # whatever broke, no task may stay RUNNING with nobody behind it
            log.exception("attempt %s of task %s broke", task.attempt, task.id)
            await self._give_up(run, error)
        finally:
            del self._runs[task.id]
            run.over.set()
            self._runtime.queue_changed(workspace.id, task)

    async def _give_up(self, run: AttemptRun, error: Exception) -> None:
        """Settle a broken attempt; while the store itself is the trouble, keep trying."""
        task = run.task
        while True:
            try:
                now = await self._runtime.store.read(lambda c: tasks.get(c, task.id))
                if now and now.status is TaskStatus.RUNNING and now.attempt == task.attempt:
                    await outcome.broke(self._runtime, now, f"Something broke: {error}", run.spawned)
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
