"""Who works on a task: an agent and its model for each role, chosen from what several places ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import StringConstraints

from pilothouse.domain.ports import Choice

AGENT_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
NAME_LIMIT = 100
MODEL_NAME = r"^[^\s\u0000-\u001f\u007f-][^\u0000-\u001f\u007f]*$"
"""Never begins with a dash: it becomes an argument of a program."""
AgentName = Annotated[str, StringConstraints(max_length=NAME_LIMIT, pattern=AGENT_NAME)]
ModelName = Annotated[str, StringConstraints(max_length=NAME_LIMIT, pattern=MODEL_NAME)]

REHEARSAL = "rehearsal"
SMALL_MODELS: Mapping[str, str] = {"claude": "haiku"}
"""What a small question costs least with, where nothing else is chosen; other agents are not asked small questions."""


class Role(StrEnum):
    EDITOR = "editor"
    SCOUT = "scout"
    SMALL = "small"


@dataclass(frozen=True, slots=True)
class Wish:
    """What one place asks for. A model or an effort belongs to the agent named beside it."""

    agent: AgentName | None = None
    model: ModelName | None = None
    effort: ModelName | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    editor: Wish = field(default_factory=Wish)
    scout: Wish = field(default_factory=Wish)
    small: Wish = field(default_factory=Wish)

    def named(self) -> list[tuple[Role, Wish]]:
        every = ((Role.EDITOR, self.editor), (Role.SCOUT, self.scout), (Role.SMALL, self.small))
        return [(role, wish) for role, wish in every if wish != Wish()]


@dataclass(frozen=True, slots=True)
class Member:
    agent: str
    choice: Choice = field(default_factory=Choice)


@dataclass(frozen=True, slots=True)
class Crew:
    editor: Member
    scout: Member
    small: Member | None = None
    """None if a small question would need a model that nobody chose and that costs as much as a large one."""

    def member(self, role: Role) -> Member | None:
        return {Role.EDITOR: self.editor, Role.SCOUT: self.scout, Role.SMALL: self.small}[role]


def first_agent(wishes: Sequence[Wish]) -> str | None:
    return next((wish.agent for wish in wishes if wish.agent), None)


def choice_of(agent: str, wishes: Sequence[Wish]) -> Choice:
    """Model and effort from the first place that names them for this agent; a place that names a model ends the search.

    A place without an agent means the one that would work here without the places before it.
    """
    effort: str | None = None
    for at, wish in enumerate(wishes):
        if first_agent(wishes[at:]) != agent:
            continue
        effort = effort or wish.effort
        if wish.model:
            return Choice(wish.model, effort)
    return Choice(None, effort)


def crew(editor: str, asked: Sequence[Wish], repository: Wishes, person: Wishes) -> Crew:
    """`asked` are the places that speak of the editor, the nearest first.

    Who rehearses, rehearses altogether: what the person set for every project sends no real agent there.
    """
    everywhere = Wishes() if editor == REHEARSAL else person
    chief = Member(editor, choice_of(editor, asked))
    scout = _other([repository.scout, everywhere.scout]) or chief
    small = _other([repository.small, everywhere.small]) or _small(editor)
    return Crew(chief, scout, small)


def _other(wishes: Sequence[Wish]) -> Member | None:
    agent = first_agent(wishes)
    return Member(agent, choice_of(agent, wishes)) if agent else None


def _small(editor: str) -> Member | None:
    model = SMALL_MODELS.get(editor)
    return Member(editor, Choice(model)) if model else None
