"""Telling an agent's program what it is about to be asked while the attempt's checkpoint is made: it takes that in, and
no model hears of it before the step is a row."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pilothouse.domain.instructions import InstructionsFile
from pilothouse.domain.ports import Choice, SpawnRequest, Workbench
from pilothouse.domain.tasks import Step, StepKind
from pilothouse.engine.agents import choice as choosing
from pilothouse.engine.agents import instructions as instructing

if TYPE_CHECKING:
    from pilothouse.engine.attempt.steps import Steps, Turn

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Draft:
    """A step that comes next, before it is a row, and the instructions that go with it."""

    step: Step
    instructions: str
    files: tuple[InstructionsFile, ...]


async def drafted(steps: Steps, turn: Turn, agent: str) -> Draft:
    name = turn.role if turn.kind is StepKind.SCOUT else ""
    # Before anything is waited for: scouts side by side are numbered in their own order.
    step = steps.draft(turn.kind, name, agent)
    text, files = await instructing.gather(steps.runtime.settings, turn.directory or steps.directory)
    return Draft(step, text, files)


def request_of(
    steps: Steps, turn: Turn, draft: Draft, choice: Choice, tools: tuple[str, ...], workbench: Workbench | None
) -> SpawnRequest:
    task, step = steps.task, draft.step
    return SpawnRequest(
        spawn_id=step.id,
        workspace=turn.directory or steps.directory,
        prompt=turn.prompt,
        log_path=Path(step.log_path or ""),
        resume=turn.resume,
        reply=turn.reply,
        role=turn.role,
        turn=turn.number,
        read_only=turn.read_only,
        session=task.session_id,
        choice=choice,
        permission_mode=task.options.permission_mode,
        tools=tools,
        answers=turn.answers,
        instructions=draft.instructions,
        workbench=workbench,
    )


async def brief(steps: Steps, turn: Turn, assigned: choosing.Assigned) -> None:
    """Nothing depends on it: what is asked in the end may be another thing, or nothing."""
    try:
        name, choice, tools = assigned.post(turn.role)
        agent = choosing.known(steps.runtime, name)
        if turn.decision or not agent.takes_briefs:
            return
        steps.ahead = draft = await drafted(steps, turn, name)
        place = steps.runtime.seats.place(steps.task)
        await agent.brief(request_of(steps, turn, draft, choice, tools, place))
    except Exception:  # the run tells it itself
        log.info("the agent of task %s was told nothing ahead", steps.task.id, exc_info=True)


def drop(steps: Steps) -> None:
    """What was told ahead will not be asked: the step that it belonged to never was."""
    if steps.ahead:
        steps.ahead = None
        steps.drop_draft()
