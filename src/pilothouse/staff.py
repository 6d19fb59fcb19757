"""Which agents there are, and the switches they share: the part of the composition that adapters are chosen in."""

from __future__ import annotations

import os
from dataclasses import dataclass

from pilothouse.agents.rehearsal.adapter import RehearsalAgent
from pilothouse.domain.ports import Agent
from pilothouse.domain.preferences import Preferences
from pilothouse.engine.roster import Roster
from pilothouse.process.confine import Confinement, Switch, look
from pilothouse.process.environment import Environment, instance_of
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


async def hire_as_stored(settings: Settings, stored: Preferences) -> Staff:
    """For a look from outside, without a server: with the person's own agents too."""
    staff = await hire(settings)
    staff.names[:] = stored.agents.env
    await staff.roster.take_on(stored.agents.custom)
    return staff


def _real() -> dict[str, Agent]:
    return {}
