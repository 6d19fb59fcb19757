"""The Settings page: agents, what a person set, and what the environment says."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import SecretStr

from pilothouse.engine.agents.health import Looked
from pilothouse.engine.agents.roster import Roster
from pilothouse.server.schemas.settings import ConfinementOut, EnvironmentOut, SettingsOut
from pilothouse.server.schemas.system import AgentErrorOut, AgentOut
from pilothouse.server.services import Services
from pilothouse.settings import Settings
from pilothouse.store.preferences import Stored
from pilothouse.words import say

_HIDDEN = ("pilothouse_token", "database_url")
"""Only whether they are set is shown: each holds a secret, or may."""


def agents_out(services: Services, found: Sequence[Looked]) -> list[AgentOut]:
    own = services.agents.custom if isinstance(services.agents, Roster) else frozenset()
    return [_agent_out(looked, custom=looked.health.name in own) for looked in found]


def _agent_out(looked: Looked, *, custom: bool) -> AgentOut:
    health, error = looked.health, looked.last_error
    return AgentOut(
        name=health.name,
        label=health.label,
        installed=health.installed,
        ready=health.ready,
        version=health.version,
        problem=health.problem,
        fix=health.fix,
        program=health.program,
        credentials=health.credentials,
        models=list(health.models),
        efforts=list(health.efforts),
        capabilities=sorted(health.capabilities),
        custom=custom,
        checked_at=looked.checked_at,
        last_error=AgentErrorOut.model_validate(error) if error else None,
    )


def settings_out(services: Services, stored: Stored) -> SettingsOut:
    confinement = services.switchboard.confinement
    return SettingsOut(
        preferences=stored.preferences,
        unreadable=list(stored.unreadable),
        confinement=ConfinementOut(
            mode=confinement.mode,
            active=confinement.active,
            fixed_by=confinement.fixed_by,
            available=confinement.found.program is not None,
            problem=confinement.found.problem,
            fix=confinement.found.fix,
        ),
        environment=_environment(services.settings),
    )


def _environment(settings: Settings) -> list[EnvironmentOut]:
    return [
        EnvironmentOut(
            name=name.upper(),
            description=say(f"setting.{name}"),
            value=_shown(name, getattr(settings, name), field.default),
            default=_shown(name, field.default, field.default),
            given=name in settings.model_fields_set,
        )
        for name, field in type(settings).model_fields.items()
    ]


def _shown(name: str, value: object, default: object) -> str:
    if value is None or value == default == ():
        return ""
    if value == ():
        # An empty list that was given on purpose; not giving it would mean something else.
        return "none"
    if name in _HIDDEN or isinstance(value, SecretStr):
        return "(set)"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
