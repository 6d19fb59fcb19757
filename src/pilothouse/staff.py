"""Chooses the agents and what stands behind each, and makes the switches they share."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pilothouse.agents.acp.adapter import AcpAgent
from pilothouse.agents.acp.presets import PRESETS, Preset, custom
from pilothouse.agents.claude import credentials
from pilothouse.agents.claude.adapter import ClaudeAgent
from pilothouse.agents.rehearsal.adapter import RehearsalAgent
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import Agent
from pilothouse.domain.preferences import CustomAgent, Preferences
from pilothouse.engine.agents.health import ask_health
from pilothouse.engine.agents.roster import Roster
from pilothouse.process.confine import Confinement, Switch, look
from pilothouse.process.environment import Environment, instance_of
from pilothouse.server import requirements
from pilothouse.server.requirements import Requirement
from pilothouse.settings import Settings
from pilothouse.words import say

STATE: Mapping[str, tuple[str, ...]] = {
    "gemini": (".gemini",),
    "codex": (".codex",),
    "opencode": (".local/share/opencode", ".local/state/opencode", ".config/opencode", ".cache/opencode"),
    "goose": (".config/goose", ".local/share/goose", ".local/state/goose"),
    "claude-acp": (".claude",),
}
"""Where each agent keeps its own files, below the home directory. It may write there when it is confined."""


@dataclass(frozen=True)
class Staff:
    roster: Roster
    switch: Switch
    names: list[str]
    """Environment variables that the person lets agents see. A change holds from the next spawn on."""

    async def close(self) -> None:
        for agent in self.roster.values():
            await agent.forget()


@dataclass(frozen=True)
class _Office:
    settings: Settings
    environment: Environment
    confinement: Confinement

    def claude(self) -> ClaudeAgent:
        config = credentials.config_dir(credentials.environment(self.environment).for_spawn())
        # A file beside the folder; Claude replaces it in place where it cannot rename it.
        beside = Path.home() / ".claude.json"
        state = [config, *([beside] if beside.is_file() else [])]
        return ClaudeAgent.of(self.settings, self.environment, self.confinement.keeping(self._own("claude"), *state))

    def preset(self, preset: Preset) -> AcpAgent:
        state = [Path.home() / folder for folder in STATE.get(preset.name, ())]
        confined = self.confinement.keeping(*state)
        return AcpAgent.of(preset, self.settings, self.environment, confined)

    def custom(self, custom: CustomAgent) -> AcpAgent:
        preset = Preset(
            name=custom.name,
            label=custom.label or custom.name,
            command=custom.command,
            install=say("agent.install.custom"),
            variables=custom.env,
            needs_login=False,
            login=say("agent.login.custom"),
        )
        return self.preset(preset)

    def rehearsal(self) -> RehearsalAgent:
        return RehearsalAgent(
            self._own("rehearsal"),
            self.environment,
            scenario_file=self.settings.pilothouse_rehearsal,
            grace=self.settings.stop_grace_seconds,
            confine=self.confinement.keeping(self._own("rehearsal")),
        )

    def _own(self, agent: str) -> Path:
        """What we keep for an agent. It sees none of the others'."""
        return self.settings.data_dir / "agents" / agent


async def hire(settings: Settings) -> Staff:
    names: list[str] = []
    switch = Switch(await look(), data_dir=settings.data_dir)
    environment = Environment(os.environ, instance_of(settings.data_dir), settings.pilothouse_agent_env, names)
    office = _Office(settings, environment, Confinement(switch))
    named = [custom(settings.pilothouse_acp_command)] if settings.pilothouse_acp_command else []
    real: list[Agent] = [office.claude(), *(office.preset(preset) for preset in (*PRESETS, *named))]
    rehearsal = office.rehearsal()
    roster = Roster({agent.name: agent for agent in real}, {rehearsal.name: rehearsal}, office.custom)
    return Staff(roster, switch, names)


async def requirements_of(settings: Settings, stored: Preferences | None) -> list[Requirement]:
    """Looks at every agent, the person's own too, and whether they can be confined. Needs no server."""
    staff = await hire(settings)
    if stored:
        staff.names[:] = stored.agents.env
        await staff.roster.take_on(stored.agents.custom)
    clock, limit = SystemClock(), settings.agent_check_seconds
    found = await asyncio.gather(*(ask_health(name, agent, clock, limit) for name, agent in staff.roster.items()))
    return [*map(requirements.agent, found), requirements.confinement(staff.switch.found, settings.confine_processes)]
