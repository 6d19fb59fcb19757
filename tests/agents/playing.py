"""A workspace, an agent in it, and what its runs told."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pilothouse.agents.rehearsal.adapter import RehearsalAgent, RehearsalRun
from pilothouse.domain.ports import AgentEvent, AgentSession, Ended, SpawnRequest, TextOut, Usage
from pilothouse.process.confine import Confinement
from pilothouse.process.environment import Environment, instance_of

Kind = TypeVar("Kind", bound=AgentEvent)


class Told:
    """Everything one run said."""

    def __init__(self, events: list[AgentEvent]) -> None:
        self.events = events
        end = events[-1]
        assert isinstance(end, Ended)
        assert not any(isinstance(event, Ended) for event in events[:-1])
        self.end = end

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextOut))

    @property
    def session(self) -> str:
        return next(event.id for event in self.events if isinstance(event, AgentSession))

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def used(self) -> Usage:
        """All that it told of its use."""
        told = self.of(Usage)
        return Usage(
            sum(one.cost_usd for one in told),
            sum(one.input_tokens for one in told),
            sum(one.output_tokens for one in told),
            sum(one.cache_read_tokens for one in told),
            sum(one.cache_write_tokens for one in told),
            told[-1].model if told else "",
        )


class Theatre:
    def __init__(self, root: Path, scenario_file: Path | None = None, confine: Confinement | None = None) -> None:
        self.root = root
        self.workspace = root / "workspace"
        self.workspace.mkdir(exist_ok=True)
        self.state = root / "state"
        self.environment = Environment(os.environ, instance_of(root))
        self.agent = RehearsalAgent(self.state, self.environment, scenario_file=scenario_file, confine=confine)
        self._runs = 0

    def scenarios(self, text: str) -> None:
        path = self.workspace / ".pilothouse" / "rehearsal.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def steps(self, *steps: str, name: str = "it") -> None:
        """One scenario from the YAML of its steps."""
        self.scenarios(f"scenarios:\n  {name}:\n" + "".join(f"    - {step}\n" for step in steps))

    def git(self, *arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=self.workspace, check=True, capture_output=True, text=True
        ).stdout.strip()

    async def start(
        self,
        prompt: str = "[[it]]",
        resume: str | None = None,
        reply: str | None = None,
        env: Mapping[str, str] | None = None,
        role: str = "edit",
        turn: int = 1,
    ) -> RehearsalRun:
        self._runs += 1
        log = self.root / "logs" / f"{self._runs}.log"
        return await self.agent.start(
            SpawnRequest(f"spawn-{self._runs}", self.workspace, prompt, log, resume, reply, env or {}, role, turn)
        )

    async def play(
        self,
        prompt: str = "[[it]]",
        resume: str | None = None,
        reply: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Told:
        run = await self.start(prompt, resume, reply, env)
        return Told([event async for event in run.events()])
