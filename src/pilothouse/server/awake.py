"""Keeps the machine awake while tasks run, where the system allows it, and says whether it does."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from pilothouse.store.task import tasks
from pilothouse.words import say

if TYPE_CHECKING:
    from pilothouse.domain.clock import Clock
    from pilothouse.domain.event.log import Event
    from pilothouse.store.database import Store

log = logging.getLogger(__name__)

SETTLE_SECONDS = 5.0
"""No machine falls asleep sooner. A task that is over by then spares itself all of this, imports included."""
_TURNS = frozenset({"attempt.started", "attempt.finished", "runner.started", "runner.stopped"})


@dataclass(frozen=True, slots=True)
class Wakefulness:
    state: Literal["idle", "held", "unavailable"]
    """`idle`: nothing runs, so the machine may sleep."""
    method: str = ""
    why_not: str = ""


class WakeLock(Protocol):
    """Keeps the machine awake. Every call comes from the same thread."""

    def take(self) -> Wakefulness: ...

    def release(self) -> None: ...


class SystemWakeLock(WakeLock):
    def __init__(self) -> None:
        self._mode: object = None

    def take(self) -> Wakefulness:
        from wakepy import keep

        mode = keep.running(on_fail="pass")
        mode.__enter__()
        if not mode.active:
            mode.__exit__(None, None, None)
            return Wakefulness("unavailable", why_not=_reason(mode.result.get_failure_text()))
        self._mode = mode
        return Wakefulness("held", method=mode.method.name if mode.method else "")

    def release(self) -> None:
        from wakepy import Mode

        if isinstance(self._mode, Mode):
            self._mode.__exit__(None, None, None)
        self._mode = None


class KeepAwake:
    def __init__(self, store: Store, host: str, clock: Clock, lock: WakeLock | None = None) -> None:
        self._store, self._host, self._clock, self._lock = store, host, clock, lock or SystemWakeLock()
        self._changed = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="awake")
        self.now = Wakefulness("idle")
        store.on_commit(self._heard)

    async def run(self) -> None:
        self._changed.set()
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._clock.sleep(SETTLE_SECONDS)
                await self.look()
        finally:
            if self.now.state == "held":
                self._thread.submit(self._lock.release)
            self._thread.shutdown(wait=False)

    async def look(self) -> None:
        """Keeps the machine awake if anything runs, else lets it sleep. Work continues whatever the system answers."""
        busy = bool(await self._store.read(lambda c: tasks.running_on(c, self._host)))
        loop = asyncio.get_running_loop()
        try:
            if busy and self.now.state != "held":
                self.now = await loop.run_in_executor(self._thread, self._lock.take)
            elif not busy and self.now.state == "held":
                await loop.run_in_executor(self._thread, self._lock.release)
                self.now = Wakefulness("idle")
            elif not busy:
                self.now = Wakefulness("idle")
        except Exception as error:
            log.exception("the machine could not be kept awake")
            self.now = Wakefulness("unavailable", why_not=str(error) or type(error).__name__)

    def _heard(self, events: list[Event]) -> None:
        if any(event.type in _TURNS for event in events):
            self._changed.set()


def _reason(text: str) -> str:
    """What a person can use of the library's report."""
    words = " ".join(text.split())
    if "DBUS_SESSION_BUS_ADDRESS" in words:
        return say("awake.no_desktop")
    return words[:300] or say("awake.no_way")
