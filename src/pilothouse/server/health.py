"""How the parts are, for `/health` and the screens."""

from __future__ import annotations

import asyncio
import shutil

from sqlalchemy.exc import SQLAlchemyError

from pilothouse.domain.ports import AgentHealth
from pilothouse.errors import PilothouseError
from pilothouse.server.services import Services
from pilothouse.store import events

AGENTS_FRESH_SECONDS = 30.0


class Health:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._agents: list[AgentHealth] = []
        self._asked: float | None = None
        self._asking = asyncio.Lock()
        self._began = services.clock.monotonic()

    @property
    def uptime(self) -> float:
        """Seconds of this process; the runner, which can be stopped and started within it, has its own."""
        return round(self._services.clock.monotonic() - self._began, 3)

    async def agents(self) -> list[AgentHealth]:
        """Asking an agent may start its program, so an answer is good for a while."""
        clock = self._services.clock
        async with self._asking:
            if self._asked is None or clock.monotonic() - self._asked > AGENTS_FRESH_SECONDS:
                self._agents = [await agent.health() for agent in self._services.agents.values()]
                self._asked = clock.monotonic()
        return self._agents

    async def checks(self) -> dict[str, bool]:
        return {
            "storage": await self._storage(),
            "git": shutil.which("git") is not None,
            "agents": any(agent.ready for agent in await self.agents()),
            "runner": self._services.runner.state == "running",
        }

    async def _storage(self) -> bool:
        try:
            await self._services.store.read(events.head)
        except (SQLAlchemyError, PilothouseError):
            return False
        return True
