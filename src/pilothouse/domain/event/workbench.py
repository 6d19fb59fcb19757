"""What the log says of agents that use our tools."""

from __future__ import annotations

from typing import Any

from pilothouse.domain.event.payload import EventData


class WorkbenchCalled(EventData):
    """`arguments` as they were validated."""

    type = "workbench.called"
    attempt: int
    step_id: str
    tool: str
    arguments: dict[str, Any]


EVENTS: tuple[type[EventData], ...] = (WorkbenchCalled,)
