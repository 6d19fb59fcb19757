"""Which agents there are, and the switches they share: the part of the composition that adapters are chosen in."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

from pilothouse.agents.rehearsal.adapter import RehearsalAgent
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import Agent
from pilothouse.domain.preferences import Preferences
from pilothouse.engine.agent_health import asked
from pilothouse.engine.roster import Roster
from pilothouse.process.confine import Confinement, Switch, look
from pilothouse.process.environment import Environment, instance_of
from pilothouse.server.checks import Check, agent_check, confinement_check
from pilothouse.settings import Settings


@dataclass(frozen=True)
class Staff:
    roster: Roster
    switch: Switch
    names: list[str]
    """Environment variables that the person lets agents see; what changes here holds from the next spawn on."""

    async def close(self) -> None:
        for agent in self.roster.values():
            await agent.forget()


async def hire(settings: Settings) -> Staff:
    names: list[str] = []
    switch = Switch(await look())
    confinement = Confinement(switch, (settings.data_dir / "agents",))
    environment = Environment(os.environ, instance_of(settings.data_dir), settings.pilothouse_agent_env, names)
    rehearsal = RehearsalAgent(
        settings.data_dir / "agents" / "rehearsal",
        environment,
        scenario_file=settings.pilothouse_rehearsal,
        grace=settings.stop_grace_seconds,
        confine=confinement,
    )
    return Staff(Roster(_real(), {rehearsal.name: rehearsal}), switch, names)


async def checks(settings: Settings, stored: Preferences | None) -> list[Check]:
    """A look from outside, without a server: every agent, the person's own too, and whether they can be confined."""
    staff = await hire(settings)
    if stored:
        staff.names[:] = stored.agents.env
        await staff.roster.take_on(stored.agents.custom)
    clock, limit = SystemClock(), settings.agent_check_seconds
    found = await asyncio.gather(*(asked(name, agent, clock, limit) for name, agent in staff.roster.items()))
    return [*map(agent_check, found), confinement_check(staff.switch.found, settings.confine_processes)]


def _real() -> dict[str, Agent]:
    return {}
