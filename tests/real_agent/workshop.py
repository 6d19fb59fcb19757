"""A workspace, the real program in it, and what its runs told."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.agents.claude.conversation import Conversation
from pilothouse.agents.claude.run import ClaudeRun
from pilothouse.agents.pool import Pool
from pilothouse.domain.clock import Clock, SystemClock
from pilothouse.domain.ports import AgentEvent, Ended, SpawnRequest
from pilothouse.process import strays
from pilothouse.process.environment import Environment, instance_of
from tests.agents.playing import Told
from tests.real_agent.messages_api import MessagesApi
from tests.workbench import WAIT


class Workshop:
    def __init__(
        self,
        root: Path,
        api: MessagesApi,
        *,
        clock: Clock | None = None,
        most: int = 3,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.root = root
        self.api = api
        self.home = root / "home"
        self.workspace = root / "workspace"
        self.home.mkdir(exist_ok=True)
        self.workspace.mkdir(exist_ok=True)
        self.memory_mb = 100_000.0
        source = {"PATH": os.environ["PATH"], **api.env(self.home), **(env or {})}
        self.environment = Environment(source, instance_of(root))
        self._pool_options: dict[str, Any] = {"most": most, "idle_seconds": 300.0, "memory_floor_mb": 500.0}
        self.clock = clock or SystemClock()
        self.agent = self.another()
        self._runs = 0

    def another(self) -> ClaudeAgent:
        """As after a restart: nothing is remembered but what is on disk."""
        self.pool: Pool[Conversation] = Pool(self.clock, memory=lambda: self.memory_mb, **self._pool_options)
        self.agent = ClaudeAgent(self.root / "state", self.environment, self.pool)
        return self.agent

    def request(self, prompt: str, **more: Any) -> SpawnRequest:
        self._runs += 1
        log = self.root / "logs" / f"{self._runs}.log"
        given = {"session": "session", **more}
        return SpawnRequest(f"spawn-{self._runs}", self.workspace, prompt, log, **given)

    async def start(self, prompt: str, **more: Any) -> ClaudeRun:
        return await self.agent.start(self.request(prompt, **more))

    async def play(self, prompt: str, **more: Any) -> Told:
        return await follow(await self.start(prompt, **more))

    async def play_alone(self, prompt: str, **more: Any) -> Told:
        """Without a session, so that nothing is kept."""
        return await self.play(prompt, **{"session": "", **more})

    async def close(self) -> None:
        """Also ends what a failed test left running."""
        await self.agent.forget()
        await strays.end(strays.find((), self.environment.instance))


async def follow(run: ClaudeRun) -> Told:
    events: list[AgentEvent] = [event async for event in run.events()]
    assert isinstance(events[-1], Ended)
    return Told(events)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT):
        while not true():  # noqa: ASYNC110 - of a process or a file nobody tells
            await asyncio.sleep(0.01)
