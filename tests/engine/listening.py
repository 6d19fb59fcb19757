"""An agent inside the test's own process whose turns the test plays by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from pilothouse.domain.ports import (
    Agent,
    AgentEvent,
    AgentHealth,
    AgentRun,
    AgentSession,
    Ended,
    ProcessMark,
    SpawnRequest,
    Steered,
    ToolStarted,
)
from pilothouse.domain.session.session import Session, SessionKind
from pilothouse.domain.task.task import Task, TaskOptions
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import WAIT, Workbench


class Turn(AgentRun):
    process = ProcessMark(2**22 + 1, 0.0)

    def __init__(self, request: SpawnRequest, steerable: bool) -> None:
        self.request = request
        self._steerable = steerable
        self._events: asyncio.Queue[AgentEvent] = asyncio.Queue()
        self.handed: dict[str, str] = {}
        self.interrupted = self.stopped = self.unheard = False
        self.withdrawable = True

    def say(self, event: AgentEvent) -> None:
        self._events.put_nowait(event)

    def take_in(self, message_id: str) -> None:
        self.say(Steered(message_id))

    def end(self, text: str = "Done.") -> None:
        self.say(Ended("done", text))

    async def events(self) -> AsyncIterator[AgentEvent]:
        while True:
            event = await self._events.get()
            yield event
            if isinstance(event, Ended):
                return

    def alive(self) -> bool:
        return True

    def tool_alive(self) -> bool:
        return False

    async def stop(self, grace: float = 5.0) -> None:
        self.stopped = True
        self.say(Ended("crashed", message="The agent was stopped."))

    async def interrupt(self) -> None:
        self.interrupted = True
        said = "" if self.unheard else "Half of it."
        self.say(Ended("crashed", said, message="Interrupted.", unheard=self.unheard))

    async def steer(self, message_id: str, text: str) -> bool:
        if self._steerable:
            self.handed[message_id] = text
        return self._steerable

    async def withdraw(self, message_id: str) -> bool:
        return self.withdrawable and self.handed.pop(message_id, None) is not None


class Listening(Agent):
    name = "listening"

    def __init__(self, steerable: bool = True) -> None:
        self._steerable = steerable
        self.turns: list[Turn] = []
        self._began = asyncio.Condition()

    async def health(self) -> AgentHealth:
        return AgentHealth(self.name, "Listening", True, True)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        return None

    async def start(self, request: SpawnRequest) -> AgentRun:
        turn = Turn(request, self._steerable)
        turn.say(AgentSession("conversation"))
        turn.say(ToolStarted("1", "look"))
        self.turns.append(turn)
        async with self._began:
            self._began.notify_all()
        return turn

    async def turn(self, number: int) -> Turn:
        """The run of that number, from 1, once it has begun."""
        async with asyncio.timeout(WAIT), self._began:
            await self._began.wait_for(lambda: len(self.turns) >= number)
        return self.turns[number - 1]

    async def begin(self, bench: Workbench, text: str = "anything", **options: Any) -> tuple[Session, Task]:
        bench.runtime.agents = {**bench.runtime.agents, self.name: self}
        message = Message(text, options=TaskOptions(**options), agent=self.name)
        session, task = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, None, None, message))
        assert task is not None
        return session, task
