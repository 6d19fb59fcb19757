"""The commands that a project is verified with, over HTTP."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from pilothouse.domain.task.checks import DEFAULT_TIMEOUT_SECONDS
from pilothouse.server.schemas.doubts import Reason
from pilothouse.server.schemas.fields import In, Out
from pilothouse.verify.agent_yaml import schema
from pilothouse.verify.agent_yaml.document import SIZE_LIMIT
from pilothouse.words import say
from pilothouse.words.fields import Words, wrong


def _is_command(value: object) -> object:
    """Before the choice between text and list, so that an error names the field and not one of its shapes."""
    parts: list[Any] = value if isinstance(value, list) else [value]
    if not parts or not all(isinstance(part, str) for part in parts):
        raise wrong("command", say("field_problem.command"))
    if not str(parts[0]).strip():
        raise wrong("blank", say("field_problem.blank"))
    if len(parts) > schema.ARGUMENT_LIMIT or any(len(part) > schema.COMMAND_LIMIT for part in parts):
        raise wrong("too_large", say("field_problem.too_large"))
    return value


def _is_folder(value: str) -> str:
    folder = "/".join(part for part in value.split("/") if part not in ("", "."))
    if value.startswith("/") or (folder and not re.fullmatch(schema.FOLDER.removesuffix("$"), folder)):
        raise wrong("folder", say("field_problem.folder"))
    return folder


def _is_small(value: str) -> str:
    if len(value.encode("utf-8", "replace")) > SIZE_LIMIT:
        raise wrong("too_large", say("field_problem.too_many_bytes", limit=SIZE_LIMIT))
    return value


Command = Annotated[str | list[str], BeforeValidator(_is_command)]
FileText = Annotated[str, AfterValidator(_is_small)]


class CheckIn(In):
    name: Annotated[str, StringConstraints(max_length=schema.NAME_LIMIT, pattern=schema.NAME)]
    command: Command = Field(description="Text runs by `sh -c`; a list is a program and its arguments.")
    timeout_seconds: float = Field(DEFAULT_TIMEOUT_SECONDS, gt=0, le=schema.SECONDS_LIMIT)
    folder: Annotated[str, StringConstraints(max_length=schema.PATH_LIMIT), AfterValidator(_is_folder)] = Field(
        "", description="Where it runs, relative to the repository's root."
    )


class CommandsIn(In):
    checks: list[CheckIn] | None = Field(
        max_length=schema.CHECK_LIMIT, description="Null goes back to what is detected; empty verifies nothing."
    )


class SaveIn(In):
    text: FileText = Field(description="What agent.yaml shall hold.")
    seen: FileText | None = Field(None, description="What it held when the person looked; null when there was none.")


class CheckOut(Out):
    name: str
    command: str | list[str]
    shown: str
    timeout_seconds: float
    folder: str
    source: Words = Field(description="Where it was found; empty when a person wrote it.")


class ProblemOut(Out):
    line: int
    column: int
    message: Words
    suggestion: Words


class CommandsOut(Out):
    """What the next task will be verified with, and why."""

    origin: Literal["agent.yaml", "edited", "detected"]
    checks: list[CheckOut]
    package: str | None
    problems: list[ProblemOut] = Field(description="What is wrong with agent.yaml; no task starts while there is one.")
    notes: list[Words] = Field(description="What detection avoided and why, and which programs are missing.")
    detected: list[CheckOut]
    text: str | None = Field(description="agent.yaml as it is; null where there is none, or none that can be shown.")
    proposed: str = Field(description="agent.yaml as it would be with these checks.")


class PinnedOut(Out):
    """The checks as a person accepted them last."""

    at: datetime
    reason: str = Field(description="Empty where the first message was sent with these checks before the person.")
    checks: list[CheckOut]
    files: list[str] = Field(description="What they rest on: runner configuration, scripts.")


class DifferenceOut(Out):
    path: str | None = Field(description="Null for the commands themselves.")
    diff: str = Field(description="From what was accepted to what is there now.")


class PinOut(Out):
    pinned: PinnedOut | None = Field(description="Null until a message is sent while there are checks.")
    differences: list[DifferenceOut]
    seen: str = Field(description="Names the present state, to be accepted.")


class AcceptChecksIn(In):
    reason: Reason
    seen: Annotated[str, StringConstraints(max_length=64)]
