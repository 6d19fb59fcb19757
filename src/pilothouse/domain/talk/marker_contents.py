"""Reads markers into plain records; `Broken` if too little of one can be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pilothouse.domain.ports import QuestionOption
from pilothouse.domain.talk.markers import Marker, MarkerName, parse
from pilothouse.words import say

PRIORITIES = (1, 2, 3)
LAST_PRIORITY = 3
OPTIONS_LIMIT = 26


class WorkType(StrEnum):
    IMPLEMENTATION = "IMPLEMENTATION"
    TESTING = "TESTING"
    REFACTORING = "REFACTORING"


QuestionKind = Literal["single_choice", "multi_choice", "text", "confirmation"]


@dataclass(frozen=True, slots=True)
class DecisionSaid:
    """Something a person must decide; 1 is asked first."""

    text: str
    options: tuple[QuestionOption, ...] = ()
    priority: int = LAST_PRIORITY
    category: str = ""
    kind: QuestionKind = "text"
    file: str = ""
    line: int | None = None
    immediate: bool = False
    in_review: bool = False


@dataclass(frozen=True, slots=True)
class PlanStepSaid:
    id: str
    title: str
    description: str = ""
    parent: str | None = None
    status: str = "pending"


@dataclass(frozen=True, slots=True)
class StepCompleteSaid:
    id: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class StatusSaid:
    step_id: str = ""
    status: Literal["IN_PROGRESS", "COMPLETE", "BLOCKED", ""] = ""
    files_modified: int | None = None
    tests_status: Literal["PASSING", "FAILING", "NOT_RUN", ""] = ""
    work_type: WorkType | None = None
    progress: int | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class PullRequestSaid:
    title: str
    branch: str = ""
    base: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class CiStatusSaid:
    status: Literal["passing", "failing", "pending"]
    results: str = ""


@dataclass(frozen=True, slots=True)
class PlanFileSaid:
    path: str


@dataclass(frozen=True, slots=True)
class MarkerSaid:
    """A marker that says all by its name: approved, entered, exited, complete, the frame of a review."""

    name: MarkerName
    text: str = ""


Content = (
    DecisionSaid
    | PlanStepSaid
    | StepCompleteSaid
    | StatusSaid
    | PullRequestSaid
    | CiStatusSaid
    | PlanFileSaid
    | MarkerSaid
)


@dataclass(frozen=True, slots=True)
class Broken:
    """Too little of it can be read. The small model is asked; without one, the person sees it raw."""

    name: MarkerName
    raw: str
    problem: str


def contents(text: str) -> list[Content | Broken]:
    """What the markers of a text say, in the order they end."""
    return [content_of(marker) for marker in parse(text)]


def decisions(text: str) -> list[DecisionSaid]:
    """The decisions of a text that can be read, in the order to ask them."""
    found = [content for content in contents(text) if isinstance(content, DecisionSaid)]
    return sorted(found, key=lambda decision: decision.priority)


def content_of(marker: Marker) -> Content | Broken:
    """Reads also an unclosed or garbled marker, as far as it makes sense."""
    found = _READERS.get(marker.name, _said)(marker)
    return Broken(marker.name, marker.raw, found) if isinstance(found, str) else found


_ITEM = re.compile(r"\s{0,20}(?:[-*+•]|\d{1,2}[.)])\s{1,8}(?P<text>\S.*)")
_NAMED = re.compile(r"(?:[*_]{0,2})(?:option|choice)\s{1,4}(?P<name>\w{1,3})[*_]{0,2}\s{0,4}[:.)–—-]\s{0,4}", re.I)
_LETTERED = re.compile(r"(?P<name>[A-Z]|\d{1,2})[):.]\s{1,4}")
_RECOMMENDED = re.compile(r"\s{0,4}[*_]{0,2}[(\[]\s?recommended\s?[)\]][*_]{0,2}", re.IGNORECASE)
_YES_NO = frozenset({"yes", "no"})


def _decision(marker: Marker) -> DecisionSaid | str:
    text, options = _question(marker.body)
    if not text and not options:
        return "it holds no question"
    if len(options) == 1:
        return "it offers a single option, which is no choice"
    given = marker.attributes
    line = given.get("line", "")
    return DecisionSaid(
        text=text or say("question.proceed"),
        options=options,
        priority=_priority(given.get("priority", "")),
        category=given.get("category", ""),
        kind=_kind(given.get("type", ""), options),
        file=given.get("file", ""),
        line=int(line) if _is_count(line) else None,
        immediate=given.get("immediate", "").lower() == "true",
        in_review=marker.within is MarkerName.REVIEW_CHECKPOINT,
    )


def _kind(asked: str, options: tuple[QuestionOption, ...]) -> QuestionKind:
    if not options:
        return "text"
    if asked in ("multi_choice", "multiple"):
        return "multi_choice"
    return "confirmation" if {option.label.strip(" .").lower() for option in options} == _YES_NO else "single_choice"


def _question(body: str) -> tuple[str, tuple[QuestionOption, ...]]:
    """The words, and the options of the list they end with."""
    lines = body.split("\n")
    first = _options_begin(lines)
    items: list[list[str]] = []
    for line in lines[first:]:
        item = _ITEM.match(line)
        if item:
            items.append([item["text"].strip()])
        elif items and line.strip():
            items[-1].append(line.strip())
    options = tuple(_option(" ".join(item), number) for number, item in enumerate(items[:OPTIONS_LIMIT]))
    return "\n".join(lines[:first]).strip(), options


def _options_begin(lines: list[str]) -> int:
    """Where the last list of the body begins; a list in the middle is part of the question."""
    items = [number for number, line in enumerate(lines) if _ITEM.match(line)]
    named = [number for number in items if (item := _ITEM.match(lines[number])) and _NAMED.match(item["text"])]
    if named:
        return named[0]
    if not items:
        return len(lines)
    begin = items[-1]
    for number in reversed(items[:-1]):
        if any(line.strip() and not line[:1].isspace() for line in lines[number + 1 : begin]):
            break
        begin = number
    # Unindented words behind the list are a sentence of their own, so it was no list of options.
    after = [line for line in lines[items[-1] + 1 :] if line.strip() and not line[:1].isspace()]
    return len(lines) if after else begin


def _option(text: str, number: int) -> QuestionOption:
    recommended = bool(_RECOMMENDED.search(text))
    text = _RECOMMENDED.sub("", text).strip()
    named = _NAMED.match(text) or _LETTERED.match(text)
    value = named["name"].upper() if named else chr(ord("A") + number)
    label = text[named.end() :].strip() if named else text
    return QuestionOption(value, label or value, recommended)


def _plan_step(marker: Marker) -> PlanStepSaid | str:
    title, _, description = marker.body.strip().partition("\n")
    name = marker.attributes.get("id", "").strip()
    if not name or not title.strip():
        return "it has no id" if not name else "it has no title"
    parent = marker.attributes.get("parent", "").strip()
    return PlanStepSaid(
        id=name,
        title=title.strip(),
        description=description.strip(),
        parent=None if parent.lower() in ("", "null", "none") else parent,
        status=marker.attributes.get("status", "pending"),
    )


def _step_complete(marker: Marker) -> StepCompleteSaid | str:
    name = marker.attributes.get("id", "").strip()
    return StepCompleteSaid(name, marker.body.strip()) if name else "it does not say which step"


_STATUSES: tuple[Literal["IN_PROGRESS", "COMPLETE", "BLOCKED"], ...] = ("IN_PROGRESS", "COMPLETE", "BLOCKED")
_TESTS: tuple[Literal["PASSING", "FAILING", "NOT_RUN"], ...] = ("PASSING", "FAILING", "NOT_RUN")
_CI: tuple[Literal["passing", "failing", "pending"], ...] = ("passing", "failing", "pending")


def _status(marker: Marker) -> StatusSaid | str:
    said = dict(_fields(marker.body))
    kind = said.get("work_type", "")
    found = StatusSaid(
        step_id=said.get("step_id", ""),
        status=next((word for word in _STATUSES if word == said.get("status", "")), ""),
        files_modified=_count(said.get("files_modified", "")),
        tests_status=next((word for word in _TESTS if word == said.get("tests_status", "")), ""),
        work_type=WorkType(kind) if kind in set(WorkType) else None,
        progress=_percent(said.get("progress", "")),
        message=said.get("message", ""),
    )
    return "none of its fields can be read" if found == StatusSaid() else found


def _fields(body: str) -> Iterator[tuple[str, str]]:
    for line in body.split("\n"):
        name, colon, value = line.partition(":")
        if colon:
            yield name.strip().lower().replace(" ", "_"), value.strip()


_BRANCH = re.compile(r"(?P<branch>\S{1,255})\s{0,4}(?:→|->|⇒|=>|into)\s{0,4}(?P<base>\S{1,255})")


def _pull_request(marker: Marker) -> PullRequestSaid | str:
    lines = marker.body.strip().split("\n")
    said: dict[str, str] = {}
    for line in lines[:10]:
        for name, value in _fields(line):
            said.setdefault(name, value)
    title = said.get("title", "")
    if not title:
        return "it has no title"
    branches = _BRANCH.match(said.get("branch", ""))
    rest = "\n".join(line for line in lines if not line.lower().startswith(("title:", "branch:")))
    return PullRequestSaid(
        title=title,
        branch=branches["branch"] if branches else said.get("branch", ""),
        base=branches["base"] if branches else "",
        description=rest.strip(),
    )


def _ci_status(marker: Marker) -> CiStatusSaid | str:
    said = marker.attributes.get("status", "").lower()
    status = next((word for word in _CI if word == said), None)
    return CiStatusSaid(status, marker.body.strip()) if status else "it does not say whether the checks pass"


def _plan_file(marker: Marker) -> PlanFileSaid | str:
    path = marker.attributes.get("path", "").strip()
    return PlanFileSaid(path) if path else "it names no file"


def _said(marker: Marker) -> MarkerSaid:
    return MarkerSaid(marker.name, marker.body.strip())


_READERS: dict[MarkerName, Callable[[Marker], Content | str]] = {
    MarkerName.DECISION_NEEDED: _decision,
    MarkerName.PLAN_STEP: _plan_step,
    MarkerName.STEP_COMPLETE: _step_complete,
    MarkerName.IMPLEMENTATION_STATUS: _status,
    MarkerName.PR_CREATED: _pull_request,
    MarkerName.CI_STATUS: _ci_status,
    MarkerName.PLAN_FILE: _plan_file,
}


def _priority(text: str) -> int:
    return int(text) if text in {str(priority) for priority in PRIORITIES} else LAST_PRIORITY


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9


def _count(text: str) -> int | None:
    return int(text) if _is_count(text) else None


def _percent(text: str) -> int | None:
    number = _count(text.removesuffix("%").strip())
    return None if number is None else min(number, 100)
