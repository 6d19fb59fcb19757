"""What is stored near a task, and decides how its attempt begins."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from pilothouse.domain.ports import Agents
from pilothouse.domain.tasks import AttemptMode, Task
from pilothouse.engine.agents import choice as choosing
from pilothouse.engine.agents.choice import Around
from pilothouse.engine.attempt import continuation as continuing


@dataclass(frozen=True, slots=True)
class Surroundings:
    around: Around
    resume: str | None
    """The agent's own session that the first turn goes on with."""


def of(c: Connection, agents: Agents, task: Task, mode: AttemptMode) -> Surroundings:
    around = choosing.around(c, task)
    if task.agent_session is None and mode is not AttemptMode.ROLLBACK:
        # Its first turn, also where a guard held it or a crash came before that.
        return Surroundings(around, continuing.thread(c, agents, task))
    return Surroundings(around, task.agent_session if mode in (AttemptMode.REPLY, AttemptMode.SOFT) else None)
