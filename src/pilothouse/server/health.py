"""Looks whether every part works, for `/health` and the screens."""

from __future__ import annotations

import shutil

from sqlalchemy.exc import SQLAlchemyError

from pilothouse.errors import PilothouseError
from pilothouse.server.services import Services
from pilothouse.store import events


class Health:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._began = services.clock.monotonic()

    @property
    def uptime(self) -> float:
        """Seconds since this process began. The runner has its own, since it can stop and start separately."""
        return round(self._services.clock.monotonic() - self._began, 3)

    async def checks(self) -> dict[str, bool]:
        return {
            "storage": await self._storage(),
            "git": shutil.which("git") is not None,
            "agents": any(looked.health.ready for looked in await self._services.health.all()),
            "runner": self._services.runner.state == "running",
        }

    async def _storage(self) -> bool:
        try:
            await self._services.store.read(events.head)
        except (SQLAlchemyError, PilothouseError):
            return False
        return True
