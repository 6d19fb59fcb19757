"""Settings, over HTTP: what a person changes at run time, and what the environment fixed at the start."""

from __future__ import annotations

from pydantic import Field

from pilothouse.domain.preferences import (
    AgentPreferences,
    BudgetPreferences,
    ConfinementPreferences,
    Confining,
    Preferences,
    Section,
    WarmPreferences,
)
from pilothouse.server.schemas.fields import In, Out
from pilothouse.words.fields import Words


class SettingsPatch(In):
    """Whole sections; one that is left out stays as it is."""

    agents: AgentPreferences | None = None
    confinement: ConfinementPreferences | None = None
    warm: WarmPreferences | None = None
    budgets: BudgetPreferences | None = None

    def sections(self) -> dict[str, Section]:
        given = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: section for name, section in given.items() if section is not None}


class ConfinementOut(Out):
    """How agents are held in now."""

    mode: Confining
    active: bool = Field(description="Whether it holds for the next spawn.")
    fixed_by: str | None = Field(description="The environment variable that decides it; then the switch does not.")
    available: bool
    problem: Words = Field(description="Why it is not available.")
    fix: Words


class EnvironmentOut(Out):
    """A setting that is read once, when the server starts."""

    name: str
    description: Words
    value: str = Field(description="Secrets are only told to be set.")
    default: str
    given: bool = Field(description="Whether the environment or the command line set it.")


class SettingsOut(Out):
    preferences: Preferences
    unreadable: list[str] = Field(description="Sections whose stored text cannot be read: their defaults hold.")
    confinement: ConfinementOut
    environment: list[EnvironmentOut]
