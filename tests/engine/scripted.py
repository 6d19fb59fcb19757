"""An agent inside the test's own process: it says what it is told to, or nothing until it is stopped."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from pilothouse.domain.ports import Agent, AgentEvent, AgentHealth, AgentRun, Ended, ProcessMark, SpawnRequest, Usage
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Task, TaskOptions
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import WAIT, Workbench


class Scripted(AgentRun):
    """A run; each costs a quarter of a dollar."""

    process = ProcessMark(2**22 + 1, 0.0)

    def __init__(self, says: str | None) -> None:
        self._says = says
        self._stopped = asyncio.Event()
        self.heard = asyncio.Event()
        """Set when all it has to say so far has been taken in."""

    async def events(self) -> AsyncIterator[AgentEvent]:
        yield Usage(cost_usd=0.25)
        if self._says is None:
            self.heard.set()
            await self._stopped.wait()
            yield Ended("crashed", message="The agent was stopped.")
        else:
            yield Ended("done", self._says)
            self.heard.set()

    def alive(self) -> bool:
        return not self._stopped.is_set()

    def tool_alive(self) -> bool:
        return False

    async def stop(self, grace: float = 5.0) -> None:
        self._stopped.set()


class ScriptedAgent(Agent):
    name = "scripted"

    def __init__(self, says: Mapping[str, str | None]) -> None:
        self._says = says
        self.requests: list[SpawnRequest] = []
        self.runs: dict[str, Scripted] = {}
        self.started = asyncio.Condition()

    async def health(self) -> AgentHealth:
        return AgentHealth(self.name, "Scripted", True, True)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        return None

    async def start(self, request: SpawnRequest) -> AgentRun:
        self.requests.append(request)
        run = self.runs[request.role] = Scripted(self._says[request.role])
        async with self.started:
            self.started.notify_all()
        return run

    async def heard(self, *roles: str, times: int = 1) -> None:
        """Wait until these were asked that many times, and what they say then has been taken in."""

        def asked() -> bool:
            begun = Counter(request.role for request in self.requests)
            return all(begun[role] >= times for role in roles)

        async with asyncio.timeout(WAIT), self.started:
            await self.started.wait_for(asked)
        async with asyncio.timeout(WAIT):
            for role in roles:
                await self.runs[role].heard.wait()

    async def begin(self, bench: Workbench) -> Task:
        bench.runtime.agents = {self.name: self}
        message = Message("anything", agent=self.name, options=TaskOptions(scouts=True))
        _, task = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        return task

    async def more(self, bench: Workbench, task: Task) -> Task:
        """Another message in the thread of `task`."""
        bench.runtime.agents = {self.name: self}
        message = Message("more", agent=self.name, options=TaskOptions(scouts=True))
        return await bench.chat.send(task.session_id, message)
