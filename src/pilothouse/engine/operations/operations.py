"""Run, stop, build, restart: what a person asks of the runner itself, one at a time, in recorded phases."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextvars import Context
from pathlib import Path
from uuid import uuid4

from pilothouse.domain.operations import PHASES, Operation, OperationKind, OperationOutcome, Phase
from pilothouse.engine.operations.build_run import BuildFailed, BuildLog, BuildRun, BuildStopped
from pilothouse.engine.operations.builds import Builds, Command
from pilothouse.engine.runner import Runner
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import Conflict, NotFound, NothingToBuild, RunnerBusy, message_of
from pilothouse.store import operations
from pilothouse.store.session import projects, workspaces
from pilothouse.words import say

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]


class _GoingDown(Exception):
    pass


class Operations:
    def __init__(
        self,
        runtime: Runtime,
        runner: Runner,
        builds: Builds,
        hand_over: Callable[[], bool],
        *,
        successor: bool = False,
    ) -> None:
        """`hand_over` has a new process take this one's place; `successor`: this process is one."""
        self._runtime, self._runner = runtime, runner
        self._builds, self._hand_over, self._successor = builds, hand_over, successor
        self._building: BuildRun | None = None
        self._job: asyncio.Task[None] | None = None
        self._booting = self._closing = self._handed_over = False
        self.since = runtime.clock.now()
        self.last: Operation | None = None

    @property
    def build_problem(self) -> str | None:
        """Why Pilothouse itself cannot be built; None when it can."""
        return self._builds.problem

    @property
    def cancellable(self) -> bool:
        return self._building is not None

    async def boot(self) -> None:
        """Settle what an earlier process began, and start the runner."""
        self._booting = True
        try:
            host = self._runtime.host_id
            self.last = last = await self._runtime.store.read(lambda c: operations.newest(c, host))
            awaited = last and self._successor and last.kind is OperationKind.RESTART and last.phase is Phase.START
            if last and not last.outcome and not awaited:
                await self._end(OperationOutcome.CUT_SHORT, say("operation.cut_short"))
            await self._start_runner()
        finally:
            self._booting = False

    async def _start_runner(self) -> None:
        """A restart that brought us here ends with this, well or not."""
        awaited = self.last is not None and self.last.outcome is None
        try:
            await self._runner.start()
        except Exception as error:
            if awaited:
                await self._end(OperationOutcome.FAILED, message_of(error))
            raise
        # Whoever hears that it is done may ask for the next.
        self._booting = False
        if awaited:
            await self._end(OperationOutcome.DONE)

    async def run(self) -> None:
        """Nothing happens when it runs already."""
        if self._free() and self._runner.state == "running":
            return
        await self._begin(OperationKind.RUN, self._runner.start)

    async def stop(self, reason: str = "") -> None:
        if self._free() and self._runner.state == "stopped":
            return
        await self._begin(OperationKind.STOP, lambda: self._runner.stop(reason or say("operation.by_person")))

    async def build(self, project_id: str | None = None) -> None:
        self._free()
        commands = await self._commands(project_id)
        await self._begin(OperationKind.BUILD, lambda: self._build(commands), project_id)

    async def restart(self) -> None:
        self._free()
        await self._begin(OperationKind.RESTART, self._restart)

    async def cancel(self) -> None:
        """End a build; what was running before runs on."""
        if self._building is None:
            raise Conflict(say("operation.no_build"))
        await self._building.stop()
        if self._job:
            await asyncio.wait([self._job])

    async def output(self, operation_id: str, offset: int, limit: int) -> tuple[str, int, int]:
        """(text, next offset, total) of what an operation printed."""
        if await self._runtime.store.read(lambda c: operations.get(c, operation_id)) is None:
            raise NotFound(say("operation.unknown"))
        return await asyncio.to_thread(BuildLog(self._runtime.settings.logs, operation_id).page, offset, limit)

    async def close(self) -> None:
        """The server is shutting down: end a build, and let a stop finish."""
        self._closing = True
        if self._building:
            await self._building.stop()
        if self._job:
            await asyncio.wait([self._job])

    def _free(self) -> bool:
        if self._booting:
            raise RunnerBusy(say("operation.starting"))
        last = self.last
        if last and last.outcome is None:
            details = {"operation_id": last.id, "kind": last.kind.value, "phase": last.phase}
            raise RunnerBusy(say("operation.another", kind=say(f"operation_kind.{last.kind}")), details)
        return True

    async def _commands(self, project_id: str | None) -> list[Command]:
        if project_id is None:
            # Only a trial shows whether Python, which has no build of its own, still holds together.
            return [self._builds.own(), self._builds.trial()]
        project = await self._runtime.store.read(lambda c: projects.get(c, project_id))
        if project is None:
            raise NotFound(say("project.unknown"))
        host = self._runtime.host_id
        workspace = await self._runtime.store.read(lambda c: workspaces.directory_of(c, project_id, host))
        self._runtime.require_here(workspace)
        return await asyncio.to_thread(self._builds.of_project, Path(workspace.path), project.checks)

    async def _begin(self, kind: OperationKind, work: Work, project_id: str | None = None) -> None:
        self._free()
        now = self._runtime.clock.now()
        before = self.last
        boot, host = self._runtime.boot_id, self._runtime.host_id
        operation = Operation(uuid4().hex, kind, boot, host, now, project_id).entered(PHASES[kind][0], now)
        # Before the first await: of two requests at once, one must find the other.
        self.last = operation
        self._building = BuildRun(self._runtime, operation.id) if operation.phase is Phase.BUILD else None
        try:
            await self._runtime.store.write(lambda tx: operations.add(tx, operation))
        except BaseException:
            self.last, self._building = before, None
            raise
        self._tell()
        # A context of its own: the work belongs to no request.
        self._job = asyncio.create_task(self._perform(work), name=f"runner {kind}", context=Context())

    async def _perform(self, work: Work) -> None:
        try:
            await work()
        except BuildFailed as failed:
            await self._end(OperationOutcome.FAILED, failed.cause)
        except BuildStopped:
            await self._end(OperationOutcome.CANCELLED)
        except _GoingDown:
            await self._end(OperationOutcome.CUT_SHORT, say("operation.going_down"))
        except Exception as error:  # whatever broke, the person must see that it ended, and why
            log.exception("the operation broke")
            await self._end(OperationOutcome.FAILED, message_of(error))
        else:
            if not self._handed_over:
                await self._end(OperationOutcome.DONE)

    async def _build(self, commands: Iterable[Command]) -> None:
        assert self._building is not None  # noqa: S101 - made with the operation
        try:
            await self._building.run(commands)
        except BuildStopped:
            if self._closing:
                raise _GoingDown from None
            raise
        finally:
            self._building = None

    async def _restart(self) -> None:
        own: list[Command] = []
        try:
            own = [self._builds.own()]
        except NothingToBuild as nothing:
            why = nothing.message
            await self._change(lambda operation: operation.noted(why))
        await self._build([*own, self._builds.trial()])
        await self._enter(Phase.STOP)
        await self._runner.stop(say("operation.restart"))
        await self._enter(Phase.START)
        if not self._hand_over():
            raise _GoingDown
        # The next process finds this operation in its last phase, and ends it.
        self._handed_over = True

    async def _enter(self, phase: Phase) -> None:
        await self._change(lambda operation: operation.entered(phase, self._runtime.clock.now()))

    async def _end(self, outcome: OperationOutcome, cause: str = "") -> None:
        await self._change(lambda operation: operation.ended(outcome, self._runtime.clock.now(), cause))

    async def _change(self, change: Callable[[Operation], Operation]) -> None:
        assert self.last is not None  # noqa: S101 - there is an operation as long as something is done for it
        self.last = changed = change(self.last)
        await self._runtime.store.write(lambda tx: operations.save(tx, changed))
        self._tell()

    def _tell(self) -> None:
        item: dict[str, object] = {"type": "runner", "state": self._runner.state}
        if self.last:
            item["operation"] = {
                "operation_id": self.last.id,
                "kind": self.last.kind.value,
                "phase": self.last.phase,
                "outcome": self.last.outcome,
            }
        self._runtime.broadcast.item(item)
