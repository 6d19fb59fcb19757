"""What of a project's checks is accepted, and how the present ones differ from that."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

from pilothouse.domain.task.checks import Check
from pilothouse.domain.task.pins import Pin
from pilothouse.errors import BadAgentYaml
from pilothouse.git.repository import inspect
from pilothouse.server.schemas.checks import DifferenceOut, PinnedOut, PinOut
from pilothouse.server.views.checks import check_out
from pilothouse.server.views.projects import ProjectState
from pilothouse.verify import pins
from pilothouse.verify.chosen_checks import checks_of

_LIMIT = 40_000


def describe(known: ProjectState, pin: Pin | None) -> PinOut:
    """With a broken agent.yaml there are no checks that could be accepted; the files can still be looked at."""
    root = Path(known.workspace.path)
    inspect(root)
    try:
        checks = checks_of(root, known.project.checks).checks
    except BadAgentYaml:
        checks = ()
    shown = None
    if pin is not None:
        files = [file.path for file in pin.files]
        shown = PinnedOut(at=pin.at, reason=pin.reason, checks=[check_out(check) for check in pin.checks], files=files)
    return PinOut(
        pinned=shown,
        differences=list(_differences(pin, root, checks)) if pin else [],
        seen=pins.digest(root, checks),
    )


def _differences(pin: Pin, root: Path, checks: Sequence[Check]) -> Iterator[DifferenceOut]:
    was, now = _commands(pin.checks), _commands(checks)
    if was != now:
        yield DifferenceOut(path=None, diff=_diff(was, now))
    for one in pins.differences(pin, root, checks):
        yield DifferenceOut(path=one.path, diff=_diff(_lines(one.was), _lines(one.now)))


def _commands(checks: Sequence[Check]) -> list[str]:
    return [f"{check.name}: {check.shown}" + (f" ({check.folder})" if check.folder else "") for check in checks]


def _lines(content: bytes | None) -> list[str]:
    return content.decode("utf-8", "replace").splitlines() if content is not None else []


def _diff(was: list[str], now: list[str]) -> str:
    lines = list(difflib.unified_diff(was, now, lineterm=""))[2:]
    return "\n".join(lines)[:_LIMIT]
