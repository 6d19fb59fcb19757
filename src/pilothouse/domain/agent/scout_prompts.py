"""The words handed to a scout, and how its report is told to the agent that edits."""

from __future__ import annotations

from collections.abc import Sequence

from pilothouse.domain.agent.prompts import added_sections, bullets, opening, section
from pilothouse.domain.agent.scouting import TRIES, BuildGuide, CodeMap, Report, Scout
from pilothouse.domain.task.task import Task

REPORT_LIMIT = 8_000
ANSWER_LIMIT = 8_000

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
    """`account`: what `debug_prompts.account` tells of the failure."""
    what = f"{READ_ONLY}\n\n{ABOUT[scout]}\n\n{ABOUT_FAILURE[scout]}"
    return _prompt(scout, [*opening(task), *account, section("What to do", what)])


def again(prompt: str, number: int, problem: str, answer: str) -> str:
    """The same prompt, what was wrong, and the answer: one that fails only by its form need not be thought out anew."""
    said = [section("Your answer was", answer[-ANSWER_LIMIT:])] if answer.strip() else []
    wrong = f"This is try {number} of {TRIES}. The last answer could not be used: {problem}"
    return "\n".join([prompt, *said, section("What was wrong", wrong)])


def told(scout: Scout, report: Report) -> str:
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
