"""What the log says of questions, permissions, messages sent to a running task, and what an agent could not do."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from pilothouse.domain.event.payload import EventData
from pilothouse.words.fields import Saying


class Option(Saying):
    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)
    value: str
    label: str
    recommended: bool = False


class QuestionAsked(EventData):
    type = "question.asked"
    sessionId: str  # noqa: N815
    questionId: str  # noqa: N815
    kind: str = Field(default="text", description="single_choice, multi_choice, text or confirmation")
    text: str
    options: list[Option] = Field(default=[])
    required: bool = True
    header: str = ""


class QuestionAnswered(EventData):
    type = "question.answered"
    sessionId: str  # noqa: N815
    questionId: str  # noqa: N815
    answer: str
    replayed: bool = False


class PermissionAsked(EventData):
    type = "permission.asked"
    attempt: int
    tool: str
    detail: str
    grant: str = ""


class PermissionDecided(EventData):
    type = "permission.decided"
    attempt: int
    tool: str
    detail: str
    choice: Literal["once", "session", "deny"]
    reason: str = ""
    replayed: bool = False


class PermissionRevoked(EventData):
    """What was allowed for the rest of a session is asked for again."""

    type = "permission.revoked"
    grant_id: str
    grant: str


class SteeringEvent(EventData):
    message_id: str
    text: str


class SteeringQueued(SteeringEvent):
    type = "steering.queued"


class SteeringHanded(SteeringEvent):
    """The run that is under way has it, which does not mean that the agent took it in."""

    type = "steering.handed"
    in_prompt: bool = False


class SteeringDelivered(SteeringEvent):
    type = "steering.delivered"
    attempt: int
    in_prompt: bool = False


class SteeringTakenBack(SteeringEvent):
    type = "steering.taken_back"


class SteeringReturned(SteeringEvent):
    """The task ended before the agent took the message in."""

    type = "steering.returned"


class AgentDenied(EventData):
    """A tool was refused, and the agent went on without it."""

    type = "agent.denied"
    step_id: str
    attempt: int
    tool: str
    detail: str = ""


class AgentFresh(EventData):
    """The agent's own session could not be continued; it began anew from what is saved."""

    type = "agent.fresh"
    step_id: str
    attempt: int
    reason: str


EVENTS: tuple[type[EventData], ...] = (
    QuestionAsked,
    QuestionAnswered,
    PermissionAsked,
    PermissionDecided,
    PermissionRevoked,
    SteeringQueued,
    SteeringHanded,
    SteeringDelivered,
    SteeringTakenBack,
    SteeringReturned,
    AgentDenied,
    AgentFresh,
)
