"""What the log says of operations on the runner; their phases are in the operation's own row."""

from __future__ import annotations

from typing import Literal

from pilothouse.domain.event.payload import EventData

Kind = Literal["run", "stop", "build", "restart"]


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
