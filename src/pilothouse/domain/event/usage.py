"""What the log says of cost, models and the agent's memory."""

from __future__ import annotations

from typing import Literal

from pilothouse.domain.event.payload import EventData


class UsageRecorded(EventData):
    """A spawn has ended; tokens are told apart as providers bill them."""

    type = "usage.recorded"
    step_id: str
    attempt: int
    agent: str
    role: str
    model: str
    requested_model: str | None = None
    cost_usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    context_tokens: int = 0
    context_window: int = 0


class UsageModelDiffers(EventData):
    type = "usage.model_differs"
    step_id: str
    attempt: int
    agent: str
    requested_model: str
    model: str


class ContextFilled(EventData):
    """A mark was passed for the first time in this agent session."""

    type = "context.filled"
    step_id: str
    attempt: int
    tokens: int
    window: int
    level: Literal[80, 95]


class ContextCompacted(EventData):
    """The next turn begins a fresh agent session from what is saved."""

    type = "context.compacted"
    step_id: str
    """The step that records it."""
    attempt: int
    reason: Literal["full", "pressure"]
    """`full`: 95 % were in use. `pressure`: the agent said that it can take in no more."""
    tokens: int = 0
    window: int = 0
    agent_session: str | None = None
    """The one that was left."""


EVENTS: tuple[type[EventData], ...] = (
    UsageRecorded,
    UsageModelDiffers,
    ContextFilled,
    ContextCompacted,
)
