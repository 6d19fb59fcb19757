"""Reads the reports of scouts from an agent's words, and decides when a replan should ask them again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from pilothouse.domain.agent.debug_prompts import Tried
from pilothouse.domain.task.loop import REPLAN_AFTER
from pilothouse.words import say

TRIES = 3
READ_LIMIT = 64 * 1024
"""How much of an answer's end is read: the report stands there."""
_STARTS = 2_000
_PROBLEMS = 5


class Scout(StrEnum):
    """Which one, by the name of its role and of its steps."""

    A = "scout A"
    B = "scout B"


def _listed(value: Any) -> Any:
    """One entry without its list, no list at all and blank entries are slips of form, not of content."""
    if value is None:
        return ()
    if isinstance(value, str):
        value = [value]
    return [item for item in value if item is not None and str(item).strip()] if isinstance(value, list) else value


def _files(value: Any) -> Any:
    if isinstance(value, dict) and not {"path", "purpose"} & value.keys():
        return [{"path": path, "purpose": purpose} for path, purpose in value.items()]
    return [value] if isinstance(value, dict) else _listed(value)


def _unsure(value: Any) -> Any:
    return None if isinstance(value, str) and value.strip().lower() in ("", "unknown", "unsure", "null") else value


Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Lines = Annotated[tuple[Line, ...], BeforeValidator(_listed)]


class _Report(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class RelevantFile(_Report):
    path: Line
    purpose: Line


class CodeMap(_Report):
    """Scout A's report."""

    files: Annotated[tuple[RelevantFile, ...], BeforeValidator(_files)]
    risks: Lines = ()
    boundaries: Lines = ()
    conventions: Lines = ()


class BuildGuide(_Report):
    """Scout B's report. Cause and flakiness are asked for once a check has failed."""

    build: Lines = ()
    test: Lines
    cause: Annotated[str, BeforeValidator(lambda value: "" if value is None else value)] = ""
    flaky: Annotated[bool | None, BeforeValidator(_unsure)] = None
    """None: it cannot tell."""


Report = CodeMap | BuildGuide
SHAPES: dict[Scout, type[CodeMap] | type[BuildGuide]] = {Scout.A: CodeMap, Scout.B: BuildGuide}


@dataclass(frozen=True, slots=True)
class Reading:
    report: Report | None
    problem: str = ""
    """Why there is no report, in words that the scout is told."""


def read(scout: Scout, text: str, failing: bool = False) -> Reading:
    """The report in an answer: the last JSON object that has its shape, whatever stands around it.

    `failing`: a check has failed, so scout B must name a cause. Never raises, whatever the text is.
    """
    shape = SHAPES[scout]
    closest = -1
    problem: str = say("scout.no_json")
    for found in _objects(text[-READ_LIMIT:]):
        try:
            report = shape.model_validate(found)
        except ValidationError as error:
            known = len(shape.model_fields.keys() & found.keys())
            if known >= closest:
                closest, problem = known, _in_words(error)
            continue
        if failing and isinstance(report, BuildGuide) and not report.cause.strip():
            return Reading(None, say("scout.no_cause"))
        return Reading(report)
    return Reading(None, problem)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every balanced object in the text, the one that begins last first; so one inside another comes before it."""
    # Line breaks inside strings are not JSON, and agents write them.
    decoder = json.JSONDecoder(strict=False)
    start = len(text)
    for _ in range(_STARTS):
        start = text.rfind("{", 0, start)
        if start < 0:
            return
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield found


def _in_words(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{'.'.join(str(part) for part in entry['loc'])}: {entry['msg']}" for entry in found[:_PROBLEMS]]
    more = len(found) - len(said)
    return "; ".join([*said, *([f"and {more} more"] if more else [])])


_PASSING = re.compile(r"\b0x[0-9a-f]+\b|\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|min|minutes)\b", re.IGNORECASE)
"""What differs from run to run although the failure is the same."""
_AT_A_LOSS = re.compile(
    r"""
    \b(?:do\ not|don['’]t|does\ not|doesn['’]t|cannot|can\ not|can['’]t|could\ not|couldn['’]t)\ (?:\w+\ ){0,2}
      (?:understand|explain|reproduce|figure\ out|(?:see|tell|say)\ (?:why|what)|find\ (?:the|any)\ (?:cause|reason))\b
    | \b(?:no\ idea|not\ (?:sure|clear|certain)\ (?:why|what)|unclear\ (?:to\ me\ )?(?:why|what))\b
    | \b(?:puzzl|mystif|baffl)\w+
    | (?:理解でき|分かり|わかり)ませ | 原因[がは]?(?:不明|分から|わから)
    """,
    re.IGNORECASE | re.VERBOSE,
)


def reason_to_ask(tried: Sequence[Tried]) -> str:
    """Why scouts should look again before a replan, judged without a model; empty where they need not.

    Over the failures that led to the replan: the failing check changed, so that a fix broke something else; or the very
    same line failed each time, so that no fix had any effect; or the agent said that it does not understand.
    A failure that moves within one check shows an agent that gets somewhere: that needs no second look.
    """
    last = tried[-REPLAN_AFTER:]
    checks = list(dict.fromkeys(one.check for one in last))
    if len(checks) > 1:
        return f"The failing check changed: {', then '.join(checks)}."
    lines = {" ".join(_PASSING.sub("", one.first_failing_line).split()) for one in last}
    if len(last) == REPLAN_AFTER and len(lines) == 1:
        return f"The same line failed {REPLAN_AFTER} times: {last[-1].first_failing_line}"
    said = next((one.answer for one in reversed(last) if one.answer.strip()), "")
    return "The agent says that it does not understand the failure." if _AT_A_LOSS.search(said) else ""
