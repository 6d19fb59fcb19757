"""Login, health and agents, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from pilothouse.server.schemas.fields import In, Out
from pilothouse.server.schemas.runner import RunnerOut


class LoginIn(In):
    token: Annotated[str, StringConstraints(max_length=512)]


class AgentOut(Out):
    name: str
    label: str
    installed: bool
    ready: bool
    version: str | None
    problem: str
    fix: str


class AgentList(Out):
    items: list[AgentOut]


class NoticeOut(Out):
    """Something the person must know about the installation itself."""

    id: str
    code: str
    message: str
    details: list[str] = Field(default=[])
    at: datetime


class StateOut(Out):
    """What the page needs first."""

    version: str
    seq: int
    runner: RunnerOut
    agents: list[AgentOut]
    notices: list[NoticeOut]
    lan: bool


class HealthOut(Out):
    status: Literal["healthy", "degraded"]
    version: str
    uptime: float
    checks: dict[str, bool]
