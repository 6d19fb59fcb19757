"""Looks whether every part works, for `/health` and the screens."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pilothouse.process import room
from pilothouse.server.services import Services

_ADVISORY = frozenset({"confinement"})
"""Not to be had on every machine, and nothing fails without it."""


@dataclass(frozen=True, slots=True)
class Look:
    checks: Mapping[str, bool]
    problems: Sequence[str]
    keeps: bool
    """Whether what is done now can be kept."""

    @property
    def is_healthy(self) -> bool:
        return all(ok for name, ok in self.checks.items() if name not in _ADVISORY)


class Health:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._began = services.clock.monotonic()

    @property
    def uptime(self) -> float:
        """Seconds since this process began. The runner has its own, since it can stop and start separately."""
        return round(self._services.clock.monotonic() - self._began, 3)

    async def look(self) -> Look:
        services = self._services
        trouble = await services.store.trouble()
        has_room = await asyncio.to_thread(room.is_left, services.settings.data_dir)
        checks = {
            "storage": trouble is None,
            "disk": has_room,
            "git": shutil.which("git") is not None,
            # Their last runs are read from the database.
            "agents": trouble is None and any(looked.health.ready for looked in await services.health.all()),
            "runner": services.runner.state == "running",
            "confinement": services.switchboard.confinement.active,
        }
        named = {"storage": trouble.code if trouble else "", "disk": "disk_full"}
        problems = [named.get(name, name) for name, ok in checks.items() if not ok]
        return Look(checks, problems, keeps=trouble is None and has_room)
