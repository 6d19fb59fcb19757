"""What a person sets at run time, put into effect: at the start, and at once when it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pilothouse.domain.event.setting import SettingsChanged
from pilothouse.domain.preferences import Confining, Preferences, Section
from pilothouse.engine.agents.roster import Roster
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import Conflict, InvalidInput
from pilothouse.process.confine import Bubblewrap, Switch
from pilothouse.store import preferences
from pilothouse.store.database import Tx
from pilothouse.store.preferences import Stored
from pilothouse.words import listed, say, sentences

ENVIRONMENT_MODES: Mapping[str, Confining] = {"auto": "processes", "processes": "processes", "files": "files"}


@dataclass(frozen=True, slots=True)
class ConfinementState:
    """How agents are confined now, and who says so."""

    mode: Confining
    wanted: Confining
    active: bool
    fixed_by: str | None
    """The environment variable that decides it, where one is set."""
    found: Bubblewrap


class Switchboard:
    def __init__(self, runtime: Runtime, switch: Switch, names: list[str]) -> None:
        self._runtime = runtime
        self._switch = switch
        self._names = names
        """Environment variables the person lets agents see; shared with what makes their environment."""
        self.present = Preferences()
        """As put into effect."""

    @classmethod
    async def started(cls, runtime: Runtime, switch: Switch, names: list[str]) -> Self:
        """With what was stored in effect."""
        board = cls(runtime, switch, names)
        await board._apply((await board.stored()).preferences)
        return board

    async def stored(self) -> Stored:
        return await self._runtime.store.read(preferences.load)

    async def change(self, sections: Mapping[str, Section]) -> Stored:
        """Replace whole sections; nothing is changed where one of them cannot be."""
        wanted = (await self.stored()).preferences.model_copy(update=dict(sections))
        self._require(wanted, sections)

        def write(tx: Tx) -> None:
            preferences.save(tx, sections)
            tx.emit(SettingsChanged(sections=sorted(sections)))

        await self._runtime.store.write(write)
        stored = await self.stored()
        await self._apply(stored.preferences)
        return stored

    @property
    def confinement(self) -> ConfinementState:
        switch, wanted = self._switch, self.present.confinement.mode
        fixed = "CONFINE_PROCESSES" if self._fixed is not None else None
        return ConfinementState(switch.mode, wanted, switch.works, fixed, switch.found)

    @property
    def _fixed(self) -> Confining | None:
        """What is set in the environment wins: whoever runs the server may pin it."""
        settings = self._runtime.settings
        if "confine_processes" not in settings.model_fields_set:
            return None
        if settings.confine_processes == "auto" and self._switch.found.program is None:
            return "off"
        return ENVIRONMENT_MODES.get(settings.confine_processes, "off")

    def _require(self, wanted: Preferences, sections: Mapping[str, Section]) -> None:
        if "agents" in sections:
            self._require_agents(wanted)
        found = self._switch.found
        if "confinement" in sections and wanted.confinement.mode != "off" and found.program is None:
            raise Conflict(sentences(say("confine.not_here"), found.problem, found.fix))

    def _require_agents(self, wanted: Preferences) -> None:
        agents = self._runtime.agents
        built_in = agents.built_in if isinstance(agents, Roster) else frozenset(agents)
        for number, custom in enumerate(wanted.agents.custom):
            if custom.name in built_in:
                raise InvalidInput(say("agent.built_in", name=custom.name), f"agents.custom.{number}.name")
        names = built_in | {custom.name for custom in wanted.agents.custom}
        used = {f"agents.roles.{role}.agent": wish.agent for role, wish in wanted.agents.roles.named()}
        for field, name in {"agents.default": wanted.agents.default, **used}.items():
            if name is not None and name not in names:
                raise InvalidInput(say("agent.unknown_of", name=name, known=listed(sorted(names))), field)

    async def _apply(self, wanted: Preferences) -> None:
        runtime, before = self._runtime, self.present
        self.present = wanted
        self._names[:] = wanted.agents.env
        switch = self._switch
        mode, further = self._fixed or self._wanted(wanted), _folders(wanted.confinement.writable)
        changed: set[str] = set()
        if isinstance(runtime.agents, Roster):
            changed = await runtime.agents.take_on(wanted.agents.custom)
        others = (mode, further) != (switch.mode, switch.further) or wanted.agents.env != before.agents.env
        switch.mode, switch.further = mode, further
        if others:
            # What was started under other rules must not serve the next turn.
            changed = set(runtime.agents)
            for agent in runtime.agents.values():
                await agent.forget()
        self._limit_kept(wanted)
        runtime.health.forget(changed)

    def _wanted(self, wanted: Preferences) -> Confining:
        """What nobody chose holds where it is possible; what was chosen holds, or no agent starts."""
        chosen = "confinement" in wanted.model_fields_set
        return wanted.confinement.mode if chosen or self._switch.found.program else "off"

    def _limit_kept(self, wanted: Preferences) -> None:
        """What is set in the environment wins, as for confinement."""
        settings = self._runtime.settings
        fixed = settings.model_fields_set
        most = settings.claude_kept if "claude_kept" in fixed else wanted.warm.processes
        idle = settings.claude_idle_seconds if "claude_idle_seconds" in fixed else wanted.warm.idle_minutes * 60
        for agent in self._runtime.agents.values():
            agent.keep(most, idle)


def _folders(names: Sequence[str]) -> tuple[Path, ...]:
    return tuple(Path(name).expanduser() for name in names)
