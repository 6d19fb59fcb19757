"""The report of a task that gave up. People read it, and a new task can start from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pilothouse.domain.task.scope import Scope
from pilothouse.words.fields import Words

_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s+(\S.*)")
_HEADING = re.compile(r"\s*(?:#{1,6}\s+|\*\*)?(?P<title>[A-Za-z][A-Za-z ]{0,40}?)(?:\*\*)?:?(?:\*\*)?\s*")
HYPOTHESES_LIMIT = 10


@dataclass(frozen=True, slots=True)
class StuckRun:
    """One failed verification, as the report lists it."""

    run_id: str
    loop: int
    check: str
    first_failing_line: str
    log_path: str


@dataclass(frozen=True, slots=True)
class StuckReport:
    task_id: str
    attempt: int
    created_at: datetime
    request: str
    hypotheses: tuple[str, ...]
    account: str
    """The editor's own words."""
    runs: tuple[StuckRun, ...]
    files: tuple[str, ...]
    scope: Scope = field(default_factory=Scope)
    """The limits of the task, which hold for one that starts from the report too."""
    reason: Words = ""
    """Why it was stopped before its loops were used up; empty where they were."""

    def markdown(self) -> str:
        quoted = "\n".join(f"> {line}" for line in self.request.splitlines())
        runs = [f"| {r.loop} | `{r.run_id}` | {_cell(r.check)} | {_cell(r.first_failing_line)} |" for r in self.runs]
        table = ["| Loop | Run | Failing check | First failing line |", "|---|---|---|---|", *runs]
        parts = [
            "# Stuck report",
            f"The checks did not pass within {len(self.runs)} verifications.",
            *([f"{self.reason}"] if self.reason else []),
            f"## Request\n\n{quoted}",
            *(f"## {title}\n\n{_bullets(items, '')}" for title, items in self.scope.titled if items),
            "## Hypotheses\n\n" + _bullets(self.hypotheses, "The agent named none."),
            *([f"## The agent's account\n\n{self.account.strip()}"] if self.account.strip() else []),
            "## Verifications\n\n" + "\n".join(table),
            "## Files touched\n\n" + _bullets([f"`{path}`" for path in self.files], "None."),
            "## Logs\n\n" + _bullets([f"`{r.run_id}`: `{r.log_path}`" for r in self.runs], "None."),
        ]
        return "\n\n".join(parts) + "\n"


def hypotheses_in(text: str) -> tuple[str, ...]:
    """The items under a heading about hypotheses or causes; without such a heading, every list item."""
    under: list[str] = []
    all_items: list[str] = []
    wanted = False
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item:
            all_items.append(item[1].strip())
            if wanted:
                under.append(item[1].strip())
            continue
        heading = _HEADING.fullmatch(line)
        if heading and line.strip():
            title = heading["title"].lower()
            wanted = "hypothes" in title or "cause" in title
    return tuple((under or all_items)[:HYPOTHESES_LIMIT])


def _bullets(items: Sequence[str], none: str) -> str:
    return "\n".join(f"- {item}" for item in items) or none


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
