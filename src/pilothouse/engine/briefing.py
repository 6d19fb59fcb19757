"""What an agent is started with: the request for its step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pilothouse.domain.instructions import InstructionsFile
from pilothouse.domain.ports import Choice, SpawnRequest, Workbench
from pilothouse.domain.tasks import Step, StepKind
from pilothouse.engine.agents import instructions as instructing

if TYPE_CHECKING:
    from pilothouse.engine.attempt.steps import Steps, Turn


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
