"""Login, health and agents, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from pilothouse.domain.task.task import ErrorKind
from pilothouse.server.schemas.fields import In, Out
from pilothouse.server.schemas.runner import RunnerOut
from pilothouse.words.fields import Words


class LoginIn(In):
    token: Annotated[str, StringConstraints(max_length=512)]


class AgentErrorOut(Out):
    at: datetime
    message: Words
    kind: ErrorKind | None


class AgentOut(Out):
    name: str
    label: str
    installed: bool
    ready: bool
    version: str | None
    problem: Words
    fix: Words
    program: str = Field(description="Which program runs; empty where there is none of its own.")
    credentials: bool | None = Field(description="Null where only a run can tell.")
    models: list[str] = Field(description="Those it is known to have; it may take others.")
    efforts: list[str]
    capabilities: list[str] = Field(
        description="Of questions, permissions, steering, mcp, read_only, cost and context."
    )
    custom: bool = Field(description="Whether a person added it in the settings.")
    checked_at: datetime | None = Field(description="Null while it is being checked for the first time.")
    last_error: AgentErrorOut | None = Field(description="How its last run failed; null once one has not.")


class AgentList(Out):
    items: list[AgentOut]


class AgentCheckIn(In):
    name: str | None = Field(None, max_length=100, description="Only this one; null checks them all.")


class NoticeOut(Out):
    """Something the person must know about the installation itself."""

    id: str
    code: str
    message: Words
    details: list[Words] = Field(default=[])
    at: datetime


class StateOut(Out):
    """What the page needs first."""

    version: str
    seq: int
    runner: RunnerOut
    agents: list[AgentOut]
    notices: list[NoticeOut]
    lan: bool


class LinkOut(Out):
    token: str = Field(description="The part of a login link behind `#token=`.")


class HealthOut(Out):
    status: Literal["healthy", "degraded"]
    version: str
    uptime: float
    checks: dict[str, bool]
    problems: list[str] = Field(description="What is wrong, by code; the errors of the same name say what to do.")
