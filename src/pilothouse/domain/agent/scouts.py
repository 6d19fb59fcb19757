"""Scouts: what they are asked, how their reports are read and told on, and when a replan should ask them again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from pilothouse.domain.agent.prompts import added_sections, bullets, opening, section
from pilothouse.domain.task.loop import REPLAN_AFTER, Tried
from pilothouse.domain.task.task import Task
from pilothouse.words import say

TRIES = 3
READ_LIMIT = 64 * 1024
"""How much of an answer's end is read: the report stands there."""
REPORT_LIMIT = 8_000
ANSWER_LIMIT = 8_000
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


READ_ONLY = """\
You are a scout: another agent will make the change, you look around for it. Change nothing. No file is written, moved
or deleted, nothing is installed or committed, and no command is run that does any of this. Nobody can answer a
question, so ask none; where you are unsure, say so in the report."""

ABOUT = {
    Scout.A: """\
Find out which code this task concerns: the files someone has to read or change for it and what each is there for,
where a change is likely to break something, which parts the task should stay out of, and which conventions the code
around it keeps to (naming, structure, errors, tests). Prefer the few files that matter to a long list.""",
    Scout.B: """\
Find out how this project is built and tested: the commands, from its manifests, scripts, continuous integration and
documentation, with the narrowest command that tests what this task concerns.""",
}

ABOUT_FAILURE = {
    Scout.A: """\
The change was made and a check keeps failing. Look again with that in mind: which code does the failure lead through,
what was overlooked, and which files matter now.""",
    Scout.B: """\
The change was made and a check keeps failing. Say what causes it, naming file and line where you can, and whether the
check is flaky: would it fail now and then without any change?""",
}

FORMS = {
    Scout.A: """\
{"files": [{"path": "path from the root of the project", "purpose": "what it is there for"}],
 "risks": ["a place where a change is likely to break something, and what"],
 "boundaries": ["a part to stay out of, and why"],
 "conventions": ["a rule the code keeps to"]}""",
    Scout.B: """\
{"build": ["a command that builds"],
 "test": ["a command that tests, the narrowest first"],
 "cause": "what makes the check fail; empty when none has failed",
 "flaky": true, false, or null when you cannot tell}""",
}

ANSWER = "End with one JSON object of this form and nothing behind it. A list may be empty, a key may not be missing."
TITLES = {Scout.A: "Scout A on the code", Scout.B: "Scout B on build and tests"}
HINT = "Reported by an agent that looked around and changed nothing. It can be wrong: check before you rely on it."


def before_edit(scout: Scout, task: Task) -> str:
    what = section("What to do", f"{READ_ONLY}\n\n{ABOUT[scout]}")
    return _prompt(scout, [*opening(task), *added_sections(task), what])


def at_replan(scout: Scout, task: Task, account: Sequence[str]) -> str:
    """`account`: what `prompts.account` tells of the failure."""
    what = f"{READ_ONLY}\n\n{ABOUT[scout]}\n\n{ABOUT_FAILURE[scout]}"
    return _prompt(scout, [*opening(task), *account, section("What to do", what)])


def again(prompt: str, number: int, problem: str, answer: str) -> str:
    """The same prompt, what was wrong, and the answer: one that fails only by its form need not be thought out anew."""
    said = [section("Your answer was", answer[-ANSWER_LIMIT:])] if answer.strip() else []
    wrong = f"This is try {number} of {TRIES}. The last answer could not be used: {problem}"
    return "\n".join([prompt, *said, section("What was wrong", wrong)])


def section_of(scout: Scout, report: Report) -> str:
    """A report as a section of the editing agent's prompt."""
    parts = _code(report) if isinstance(report, CodeMap) else _build(report)
    body = "\n".join(parts) or "Nothing to report."
    if len(body) > REPORT_LIMIT:
        body = f"{body[:REPORT_LIMIT]}\n… cut here."
    return section(TITLES[scout], f"{HINT}\n\n{body}")


def _prompt(scout: Scout, parts: list[str]) -> str:
    return "\n".join([*parts, section("Answer", f"{ANSWER}\n\n{FORMS[scout]}")])


def _code(report: CodeMap) -> list[str]:
    files = tuple(f"{file.path}: {file.purpose}" for file in report.files)
    named = (
        ("Files", files),
        ("Risks", report.risks),
        ("Stay out of", report.boundaries),
        ("Conventions", report.conventions),
    )
    return _lists(named)


def _build(report: BuildGuide) -> list[str]:
    parts = _lists((("Build", report.build), ("Test", report.test)))
    if report.cause.strip():
        parts.append(f"Cause of the failure: {report.cause.strip()}")
    if report.flaky is not None:
        parts.append(f"The failing check is {'flaky' if report.flaky else 'not flaky'}.")
    return parts


def _lists(named: tuple[tuple[str, tuple[str, ...]], ...]) -> list[str]:
    return [f"{title}:\n{bullets(items)}" for title, items in named if items]


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
