"""Between which two checkpoints the diff of a task, an attempt or a step lies."""

from __future__ import annotations

from sqlalchemy import Connection

from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.engine.workspace import proposals
from pilothouse.engine.workspace.ways import base
from pilothouse.store.task import attempts, steps


def ends(c: Connection, task: Task, attempt: int | None, step: int | None) -> tuple[str, str | None] | None:
    """The two checkpoints a diff lies between; None as the second means the present tree."""
    number = attempt or task.attempt
    of_attempt = attempts.get(c, task.id, number)
    done = [s for s in steps.of_task(c, task.id, number) if s.checkpoint]
    if step is not None:
        wanted = next((s for s in done if s.number == step), None)
        if wanted is None or of_attempt is None:
            return None
        earlier = [s.checkpoint for s in done if s.number < step and s.checkpoint]
        start = earlier[-1] if earlier else of_attempt.checkpoint
        return (start, wanted.checkpoint) if start else None
    if task.proposal and task.awaiting is Awaiting.DRY_RUN and attempt is None:
        return task.proposal.base, task.proposal.commit
    if of_attempt and proposals.is_apart(c, task, number):
        last = done[-1].checkpoint if done else of_attempt.checkpoint
        return (of_attempt.base, last) if of_attempt.base else None
    began = base(c, task)
    if began is None:
        return None
    if task.status is TaskStatus.RUNNING and number == task.attempt:
        return began, None
    return began, done[-1].checkpoint if done else (of_attempt.checkpoint if of_attempt else None)
