"""What the log says of the runner, and of operations on it; their phases are in the operation's own row."""

from __future__ import annotations

from typing import Literal

from pilothouse.domain.event.payload import EventData

Kind = Literal["run", "stop", "build", "restart"]


class RunnerStarted(EventData):
    type = "runner.started"
    boot_id: str
    version: str
    interrupted: int = 0


class RunnerStopped(EventData):
    type = "runner.stopped"
    boot_id: str
    reason: str


class RunnerOperationStarted(EventData):
    type = "runner.operation_started"
    operation_id: str
    kind: Kind
    project_id: str | None = None


class RunnerOperationFinished(EventData):
    type = "runner.operation_finished"
    operation_id: str
    kind: Kind
    outcome: Literal["done", "failed", "cancelled", "cut_short"]
    phase: Literal["build", "stop", "start"]
    """The one it ended in."""
    cause: str = ""
    duration_ms: int


EVENTS: tuple[type[EventData], ...] = (
    RunnerStarted,
    RunnerStopped,
    RunnerOperationStarted,
    RunnerOperationFinished,
)
