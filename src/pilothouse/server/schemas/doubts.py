"""Doubts about a verdict, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from pilothouse.domain.task.doubts import DoubtKind, Severity
from pilothouse.server.schemas.fields import In, Out, SeenAttempt
from pilothouse.words.fields import Words

Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]


class AcceptedOut(Out):
    reason: str
    at: datetime


class DoubtOut(Out):
    id: str
    kind: DoubtKind
    severity: Severity = Field(description="A verdict with a `serious` one that nobody accepted is not green.")
    path: str
    line: int | None
    name: str = Field(description="The test or check concerned.")
    message: Words
    accepted: AcceptedOut | None = Field(description="Set once a person accepted it.")


class AcceptIn(In):
    reason: Reason
    attempt: SeenAttempt = None
