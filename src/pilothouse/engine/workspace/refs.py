"""Names of the hidden refs that keep checkpoints."""

from __future__ import annotations

from pilothouse.domain.task.task import Task

ROOT = "refs/pilothouse"


def step(task: Task, number: int) -> str:
    """State after step `number` of the present attempt; step 0 is where the attempt began."""
    return f"{ROOT}/{task.session_id}/{task.id}/{task.attempt}/{number}"


def interrupted(task: Task) -> str:
    """State in which an interrupted attempt was found."""
    return f"{ROOT}/{task.session_id}/{task.id}/{task.attempt}/interrupted"


def of_task(task: Task) -> str:
    """What all the refs of a task begin with."""
    return f"{ROOT}/{task.session_id}/{task.id}"


def scratch(task: Task) -> str:
    """What stood in the scratch of a dry run when the attempt went on in it."""
    return f"{ROOT}/{task.session_id}/{task.id}/{task.attempt}/scratch"


def witness(task: Task) -> str:
    """State of the workspace where a dry run ended, for as long as it is compared."""
    return f"{ROOT}/{task.session_id}/{task.id}/{task.attempt}/witness"


def proposal(task: Task) -> str:
    """What a dry run proposes."""
    return f"{ROOT}/{task.session_id}/{task.id}/{task.attempt}/proposal"


def undo(task: Task, rollback_id: str) -> str:
    """State that a rollback took away."""
    return f"{ROOT}/{task.session_id}/{task.id}/undo/{rollback_id}"


def left(task: Task, rollback_id: str) -> str:
    """State that a rollback left which was written over others' changes."""
    return f"{ROOT}/{task.session_id}/{task.id}/left/{rollback_id}"
