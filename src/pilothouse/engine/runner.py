"""The part that executes tasks. It can be stopped and started while the web part stays up."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

from pilothouse import __version__
from pilothouse.domain.event.runner import RunnerStopped
from pilothouse.engine.dispatch import Dispatcher
from pilothouse.engine.guard.decisions import Retries
from pilothouse.engine.recovery import recover
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace.retention import Kept, forget_old, forget_old_of, forget_old_runs, kept_of, undo_refs
from pilothouse.store.session import workspaces

log = logging.getLogger(__name__)
DAY = 24 * 3600.0


class Runner:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._changing = asyncio.Lock()
        self.dispatcher = Dispatcher(runtime)
        self._retries = Retries(runtime)
        self.boot_id, self.host_id = runtime.boot_id, runtime.host_id
        self.started_at = runtime.clock.now()
        self.state: Literal["running", "stopping", "stopped"] = "stopped"
        self._tidying: asyncio.Task[None] | None = None

    @property
    def running(self) -> int:
        return self.dispatcher.running

    async def start(self) -> None:
        """Recover what an earlier run left, then take work."""
        async with self._changing:
            if self.state == "running":
                return
            # What this life keeps ready is no stray of an earlier one.
            await self._runtime.forget()
            self._runtime.recovered.clear()
            await recover(self._runtime, __version__)
            self._runtime.recovered.set()
            self.started_at = self._runtime.clock.now()
            self.state = "running"
            self.dispatcher.open()
            host = self._runtime.host_id
            for workspace_id in await self._runtime.store.read(lambda c: workspaces.with_queued(c, host)):
                self.dispatcher.wake(workspace_id)
            self._retries.start()
            self._tidying = asyncio.create_task(self._tidy_daily(), name="tidy checkpoints")
            self._tell()

    async def stop(self, reason: str, wait_seconds: float | None = None) -> None:
        """Take no more work, wait for what runs, then interrupt it; it waits for the person afterwards."""
        async with self._changing:
            if self.state == "stopped":
                return
            self.state = "stopping"
            self._tell()
            if self._tidying:
                self._tidying.cancel()
            await self._retries.stop()
            self.dispatcher.close()
            wait = self._runtime.settings.shutdown_wait_seconds if wait_seconds is None else wait_seconds
            await self._let_finish(wait)
            self.dispatcher.interrupt_all()
            await self.dispatcher.settled()
            await self._runtime.forget()
            self.state = "stopped"
            await self._runtime.store.write(
                lambda tx: tx.emit(RunnerStopped(boot_id=self.boot_id, reason=reason)),
            )
            self._tell()

    async def kept(self, project_id: str) -> Kept:
        return await kept_of(self._runtime, project_id)

    async def undo_refs(self) -> dict[str, frozenset[str]]:
        """Of each workspace here, the refs that undo something and are still kept."""
        return await undo_refs(self._runtime)

    async def tidy(self, project_id: str) -> int:
        """Deletes the project's expired checkpoints. Returns how many."""
        return await forget_old_of(self._runtime, project_id)

    async def _tidy_daily(self) -> None:
        while True:
            try:
                await forget_old(self._runtime)
                await forget_old_runs(self._runtime)
            except Exception:  # tomorrow is another day
                log.exception("cannot tidy the checkpoints and verifications")
            await self._runtime.clock.sleep(DAY)

    async def _let_finish(self, seconds: float) -> None:
        settled = asyncio.create_task(self.dispatcher.settled())
        timer = asyncio.create_task(self._runtime.clock.sleep(seconds))
        await asyncio.wait({settled, timer}, return_when=asyncio.FIRST_COMPLETED)
        for waiting in (settled, timer):
            waiting.cancel()
        await asyncio.gather(settled, timer, return_exceptions=True)

    def _tell(self) -> None:
        self._runtime.broadcast.item({"type": "runner", "state": self.state})
