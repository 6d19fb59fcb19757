"""What the log says of attempts, their steps, and the tools an agent used in a step."""

from __future__ import annotations

from pilothouse.domain.event.payload import EventData


class AttemptStarted(EventData):
    type = "attempt.started"
    attempt: int
    mode: str
    checkpoint: str | None = None


class AttemptFinished(EventData):
    type = "attempt.finished"
    attempt: int
    outcome: str
    duration_ms: int


class StepStarted(EventData):
    type = "step.started"
    step_id: str
    attempt: int
    number: int
    kind: str
    name: str = ""


class StepFinished(EventData):
    type = "step.finished"
    step_id: str
    attempt: int
    number: int
    kind: str
    outcome: str
    name: str = ""
    detail: str = ""
    run_id: str | None = None
    duration_ms: int = 0
    files_changed: int = 0
    insertions: int = 0
    deletions: int = 0
    cost_usd: float = 0.0


class ToolEvent(EventData):
    step_id: str
    attempt: int
    tool_id: str
    name: str
    detail: str = ""


class StepToolStarted(ToolEvent):
    type = "step.tool_started"


class StepToolFinished(ToolEvent):
    type = "step.tool_finished"
    ok: bool = True
    exit_code: int | None = None
    duration_ms: int = 0


EVENTS: tuple[type[EventData], ...] = (
    AttemptStarted,
    AttemptFinished,
    StepStarted,
    StepFinished,
    StepToolStarted,
    StepToolFinished,
)
