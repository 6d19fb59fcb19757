"""Rehearsals whose bill comes with their end, as many agents' does: what is spent ends no run before it is over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from pilothouse.domain.ports import Agent, AgentEvent, AgentHealth, AgentRun, Ended, ProcessMark, SpawnRequest, Usage
from tests.workbench import Workbench


class BilledRun(AgentRun):
    def __init__(self, run: AgentRun) -> None:
        self._run = run

    @property
    def process(self) -> ProcessMark:
        return self._run.process

    async def events(self) -> AsyncIterator[AgentEvent]:
        bill: list[Usage] = []
        async for event in self._run.events():
            if isinstance(event, Usage):
                bill.append(event)
                continue
            for usage in bill if isinstance(event, Ended) else ():
                yield usage
            yield event

    def alive(self) -> bool:
        return self._run.alive()

    def tool_alive(self) -> bool:
        return self._run.tool_alive()

    async def stop(self, grace: float = 5.0) -> None:
        await self._run.stop(grace)


class Billed(Agent):
    name = "rehearsal"

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def health(self) -> AgentHealth:
        return await self._agent.health()

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        await self._agent.check(prompt, workspace, env)

    async def start(self, request: SpawnRequest) -> AgentRun:
        return BilledRun(await self._agent.start(request))


def bill_at_the_end(bench: Workbench) -> None:
    bench.runtime.agents = {"rehearsal": Billed(bench.runtime.agents["rehearsal"])}
