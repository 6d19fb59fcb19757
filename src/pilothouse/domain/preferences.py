"""What a person changes while Pilothouse runs. What belongs to the machine stays in the environment (`settings.py`).

Each section is stored by itself. A new one is a model here and a field of `Preferences`; every field has a default,
so that what an older version stored still loads. No secret belongs here: a credential is named by the environment
variable that holds it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from pilothouse.domain.agent.crew import AgentName, Wish, Wishes
from pilothouse.domain.agent.tool_policy import TOOL
from pilothouse.words import say
from pilothouse.words.fields import wrong

EnvironmentName = Annotated[str, StringConstraints(max_length=200, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Argument = Annotated[str, StringConstraints(max_length=4096, pattern=r"^[^\u0000]*$")]
Folder = Annotated[str, StringConstraints(max_length=4096, pattern=r"^(~|/)[^\u0000]*$")]
Tool = Annotated[str, StringConstraints(max_length=300, pattern=TOOL)]
Confining = Literal["off", "processes", "files"]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_serialization_defaults_required=True)


class CustomAgent(Section):
    """A program of the person's own that speaks the Agent Client Protocol on its standard input and output."""

    name: AgentName
    label: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] = ""
    command: tuple[Argument, ...] = Field(min_length=1, max_length=100, description="A program and its arguments.")
    env: tuple[EnvironmentName, ...] = Field(
        (), max_length=50, description="Names of further environment variables it gets; their values stay outside."
    )

    @model_validator(mode="after")
    def _has_program(self) -> CustomAgent:
        if not self.command[0].strip():
            raise wrong("no_program", say("field_problem.no_program"))
        return self


class AgentPreferences(Section):
    default: AgentName | None = Field(None, description="Who works where nothing nearer names an agent.")
    roles: Wishes = Field(default_factory=Wishes, description="Agent, model and effort of each role.")
    custom: tuple[CustomAgent, ...] = Field((), max_length=20)
    env: tuple[EnvironmentName, ...] = Field(
        (), max_length=50, description="Names of further environment variables that agents get."
    )
    tools: tuple[Tool, ...] = Field(
        (), max_length=100, description="Tools beyond the whitelist, for agents that may write."
    )

    @model_validator(mode="after")
    def _says_whose(self) -> AgentPreferences:
        for role, wish in self.roles.named():
            if wish.agent is None:
                raise wrong("whose_model", say("field_problem.whose_model", role=say(f"role.{role}")))
        names = [custom.name for custom in self.custom]
        if len(set(names)) != len(names):
            raise wrong("same_name", say("field_problem.same_name"))
        return self

    def wish(self) -> list[Wish]:
        """Of the editor, in the order they count."""
        return [self.roles.editor, Wish(self.default)]


class ConfinementPreferences(Section):
    mode: Confining = Field(
        "processes", description="off, processes (processes and DATA_DIR of its own), or files (and writes)."
    )
    writable: tuple[Folder, ...] = Field((), max_length=50, description="Further folders agents may write to.")


class WarmPreferences(Section):
    processes: int = Field(2, ge=0, le=16, description="Agent processes kept ready at most; 0 keeps none.")
    idle_minutes: float = Field(5, gt=0, le=24 * 60, description="When one that is not used is ended.")


class BudgetPreferences(Section):
    """Defaults for every task; empty sets no limit. At a limit the task pauses and asks."""

    task_usd: float | None = Field(None, gt=0, le=100_000)
    session_usd: float | None = Field(None, gt=0, le=100_000)
    task_minutes: float | None = Field(None, gt=0, le=100_000)
    session_minutes: float | None = Field(None, gt=0, le=100_000)
    task_tokens: int | None = Field(None, gt=0, le=10**12)
    session_tokens: int | None = Field(None, gt=0, le=10**12)


class Preferences(Section):
    agents: AgentPreferences = Field(default_factory=AgentPreferences)
    confinement: ConfinementPreferences = Field(default_factory=ConfinementPreferences)
    warm: WarmPreferences = Field(default_factory=WarmPreferences)
    budgets: BudgetPreferences = Field(default_factory=BudgetPreferences)


SECTIONS = tuple(Preferences.model_fields)
