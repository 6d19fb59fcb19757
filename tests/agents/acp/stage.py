"""A workspace, an ACP agent in it, and what its runs told."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from pilothouse.agents.acp.adapter import AcpAgent
from pilothouse.agents.acp.conversation import Conversation
from pilothouse.agents.acp.presets import Preset
from pilothouse.agents.pool import Pool
from pilothouse.domain.clock import Clock, SystemClock
from pilothouse.domain.ports import AgentEvent, AgentRun, SpawnRequest
from pilothouse.domain.task.task import PermissionMode
from pilothouse.process.confine import Confinement
from pilothouse.process.environment import Environment, instance_of
from tests.agents.playing import Told

ACTOR = Path(__file__).with_name("actor.py")


class Stage:
    opened: ClassVar[list[Stage]] = []

    def __init__(
        self,
        root: Path,
        preset: Preset,
        source: Mapping[str, str],
        clock: Clock | None = None,
        confine: Confinement | None = None,
    ) -> None:
        self.root = root
        self.workspace = root / "workspace"
        self.workspace.mkdir(exist_ok=True)
        self.environment = Environment({**os.environ, **source}, instance_of(root))
        self.pool: Pool[Conversation] = Pool(clock or SystemClock(), most=2, idle_seconds=600, memory_floor_mb=0)
        self.agent = AcpAgent(preset, self.environment, self.pool, grace=2.0, confine=confine)
        self._runs = 0
        self._started: list[AgentRun] = []
        self.opened.append(self)

    async def close(self) -> None:
        """A loop cannot be closed while a program still runs on it."""
        for run in self._started:
            if run.alive():
                await run.stop(0.5)
        await self.agent.forget()

    def request(self, prompt: str, resume: str | None = None, **more: Any) -> SpawnRequest:
        self._runs += 1
        log = self.root / "logs" / f"{self._runs}.log"
        return SpawnRequest(f"spawn-{self._runs}", self.workspace, prompt, log, resume, **more)

    def log(self, number: int = 1) -> str:
        return (self.root / "logs" / f"{number}.log").read_text()

    async def start(self, *script: list[Any], **more: Any) -> AgentRun:
        return await self.begin(self.request(json.dumps(script), **more))

    async def begin(self, request: SpawnRequest) -> AgentRun:
        run = await self.agent.start(request)
        self._started.append(run)
        return run

    async def play(self, *script: list[Any], **more: Any) -> Told:
        return await told(await self.start(*script, **more))

    async def say(self, prompt: str, **more: Any) -> Told:
        return await told(await self.begin(self.request(prompt, **more)))


async def told(run: AgentRun) -> Told:
    return Told([event async for event in run.events()])


def actor(root: Path, *traits: str, **changes: Any) -> Preset:
    preset = Preset(
        name="actor",
        label="The actor",
        command=(sys.executable, "-I", "-S", str(ACTOR), str(root / "state"), *traits),
        install="It comes with the tests.",
        needs_login=False,
        login="Learn the password.",
    )
    return replace(preset, **changes)


def staged(
    root: Path,
    *traits: str,
    clock: Clock | None = None,
    source: Mapping[str, str] | None = None,
    confine: Confinement | None = None,
    **changes: Any,
) -> Stage:
    return Stage(root, actor(root, *traits, **changes), source or {}, clock, confine)


ALL = PermissionMode.ALL
ASK = PermissionMode.ASK
EDITS = PermissionMode.EDITS
Events = list[AgentEvent]
