"""An agent that stands before another one and passes everything on, for tests that change or note a part of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from pilothouse.domain.ports import Agent, AgentEvent, AgentHealth, AgentRun, ProcessMark, SpawnRequest


class PassingRun(AgentRun):
    def __init__(self, run: AgentRun) -> None:
        self._run = run

    @property
    def process(self) -> ProcessMark:
        return self._run.process

    def events(self) -> AsyncIterator[AgentEvent]:
        return self._run.events()

    def alive(self) -> bool:
        return self._run.alive()

    def tool_alive(self) -> bool:
        return self._run.tool_alive()

    async def stop(self, grace: float = 5.0) -> None:
        await self._run.stop(grace)


class PassingAgent(Agent):
    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @property
    def name(self) -> str:
        return self._agent.name

    async def health(self) -> AgentHealth:
        return await self._agent.health()

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        await self._agent.check(prompt, workspace, env)

    async def start(self, request: SpawnRequest) -> AgentRun:
        return await self._agent.start(request)

    async def prepare(self, request: SpawnRequest) -> None:
        await self._agent.prepare(request)

    async def forget(self, session: str | None = None) -> None:
        await self._agent.forget(session)
