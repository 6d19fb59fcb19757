"""An agent inside the test's own process that tells what it is given, one list of events for each spawn."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pilothouse.domain.ports import Agent, AgentEvent, AgentHealth, AgentRun, ProcessMark, SpawnRequest
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Task, TaskOptions
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import Workbench


class Performed(AgentRun):
    process = ProcessMark(2**22 + 1, 0.0)

    def __init__(self, told: Sequence[AgentEvent]) -> None:
        self._told = told

    async def events(self) -> AsyncIterator[AgentEvent]:
        for event in self._told:
            yield event

    def alive(self) -> bool:
        return False

    def tool_alive(self) -> bool:
        return False

    async def stop(self, grace: float = 5.0) -> None:
        return None


class Performer(Agent):
    name = "performer"

    def __init__(self, *spawns: Sequence[AgentEvent]) -> None:
        self._spawns = list(spawns)
        self.requests: list[SpawnRequest] = []

    async def health(self) -> AgentHealth:
        return AgentHealth(self.name, "Performer", True, True)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        return None

    async def start(self, request: SpawnRequest) -> AgentRun:
        self.requests.append(request)
        return Performed(self._spawns[len(self.requests) - 1])

    async def begin(self, bench: Workbench, text: str = "Do it", **options: Any) -> Task:
        bench.runtime.agents = {self.name: self}
        message = Message(text, agent=self.name, options=TaskOptions(**options))
        _, task = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        return task

    async def more(self, bench: Workbench, task: Task, text: str = "More") -> Task:
        """Another message in the thread of `task`."""
        return await bench.chat.send(task.session_id, Message(text, agent=self.name))
