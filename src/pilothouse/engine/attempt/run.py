"""One execution of a claimed task: it begins, goes its course, and is settled.

The order is what makes a `kill -9` harmless: the attempt is a row before the tree is touched, the checkpoint is a ref
before the agent starts, and the outcome of a step, the task's new status and their events commit together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.task import AttemptMode, ErrorKind, Purpose, Task
from pilothouse.engine.attempt import apply, outcome
from pilothouse.engine.attempt.ask import ask
from pilothouse.engine.attempt.begin import begin
from pilothouse.engine.attempt.change import change
from pilothouse.engine.attempt.context import Began, Control
from pilothouse.engine.attempt.ending import Result
from pilothouse.engine.attempt.propose import propose
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.guard.spawn_guard import SpawnGuard
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.talk.steering import Live
from pilothouse.engine.workspace import proposals, retraction
from pilothouse.errors import BadConfiguration, MergeNeeded, NoCredentials, PilothouseError, ProposalRefused, message_of

COURSES: Mapping[Purpose, Callable[[Began], Awaitable[Result]]] = {
    Purpose.CHANGE: change,
    Purpose.PROPOSE: propose,
    Purpose.ASK: ask,
}


class AttemptRun:
    """What the dispatcher knows of an attempt: how to run it, and how to stop it."""

    def __init__(self, runtime: Runtime, task: Task, workspace: Workspace, mode: AttemptMode) -> None:
        self.task = task
        """As it was claimed."""
        self.over = asyncio.Event()
        """Set when the task is settled and the attempt is forgotten."""
        self._runtime, self._workspace, self._mode = runtime, workspace, mode
        self._control = Control()
        self._guard = SpawnGuard(runtime, task, self._control)
        self._hold_after = False

    @property
    def spawned(self) -> bool:
        """Whether an agent was started that may have changed the workspace."""
        return self._control.spawned and self.task.purpose is Purpose.CHANGE

    @property
    def live(self) -> Live | None:
        return self._control.live

    def stop(self, reason: Stop, hold: bool = False) -> None:
        """End what runs; the attempt then settles the task by the reason."""
        self._hold_after = self._hold_after or hold
        self._control.stop(reason)

    async def budget_changed(self) -> None:
        await self._guard.look_again()

    async def run(self) -> Task:
        """Run to the end and return the settled task."""
        settled = await self._run()
        await proposals.drop_settled(self._runtime, settled)
        return settled

    async def _run(self) -> Task:
        runtime, task = self._runtime, self.task
        try:
            began = await begin(runtime, task, self._workspace, self._mode, self._control, self._guard)
            result = await COURSES[task.purpose](began)
            settled = await outcome.settle(runtime, result, hold=self._hold_after)
        except (MergeNeeded, ProposalRefused) as error:
            return await apply.returned(runtime, task, error)
        except BadConfiguration as error:
            return await self._broke(error, ErrorKind.CONFIGURATION)
        except NoCredentials as error:
            return await self._broke(error, ErrorKind.CREDENTIALS)
        except (PilothouseError, OSError) as error:
            return await self._broke(error, ErrorKind.INFRASTRUCTURE)
        if task.purpose is Purpose.CHANGE and retraction.is_due(settled):
            await retraction.take_back(runtime, settled, self._workspace)
        return settled

    async def _broke(self, error: Exception, kind: ErrorKind) -> Task:
        return await outcome.broke(self._runtime, self.task, message_of(error), self.spawned, kind)
