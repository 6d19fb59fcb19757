"""What the log says of permissions, of messages sent to a running task, and of what an agent could not do."""

from __future__ import annotations

from typing import Literal

from pilothouse.domain.event.payload import EventData


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


TALK_EVENTS: tuple[type[EventData], ...] = (
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
