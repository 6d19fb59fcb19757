"""Doubts about a verdict: what a person should see before they call a change done. Found without a model."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pilothouse.words.fields import Words


class DoubtKind(StrEnum):
    TEST_DELETED = "test_deleted"
    TEST_SKIPPED = "test_skipped"
    TEST_XFAILED = "test_xfailed"
    """Expected to fail: it passes while what it tests is broken."""
    TEST_EMPTIED = "test_emptied"
    ASSERTION_REMOVED = "assertion_removed"
    ASSERTION_WEAKENED = "assertion_weakened"
    SNAPSHOT_REWRITTEN = "snapshot_rewritten"
    CHECKS_CHANGED = "checks_changed"
    """The change configured the checks of the project differently."""
    PINNED_CHECKS_FAIL = "pinned_checks_fail"
    """The checks as a person accepted them last do not pass on the new code."""
    CHECKS_UNACCEPTED = "checks_unaccepted"
    """The checks are not those a person accepted, but those pass too."""
    PLANTED = "planted"
    """The task left a hook or a setting by which git runs a program."""

    OUTSIDE_PACKAGE = "outside_package"
    OUTSIDE_BOUNDARY = "outside_boundary"
    UNTESTED = "untested"
    """Code changed, and no test did."""
    NO_TESTS_RAN = "no_tests_ran"
    """A check that runs tests passed without one."""
    TEST_NOT_RUN = "test_not_run"
    """The task brought a test that no check ran."""
    BASE_TESTS_FAIL = "base_tests_fail"
    """The tests as they were before the task do not pass on the new code."""
    NOT_INSPECTED = "not_inspected"
    """Something could not be looked at that should have been."""


TAMPERING = frozenset(
    {
        DoubtKind.TEST_DELETED,
        DoubtKind.TEST_SKIPPED,
        DoubtKind.TEST_XFAILED,
        DoubtKind.TEST_EMPTIED,
        DoubtKind.ASSERTION_REMOVED,
        DoubtKind.ASSERTION_WEAKENED,
        DoubtKind.SNAPSHOT_REWRITTEN,
        DoubtKind.CHECKS_CHANGED,
    }
)


class Severity(StrEnum):
    SERIOUS = "serious"
    """The verdict does not stand on its own: a person has to look."""
    NOTE = "note"


_NOTES = frozenset({DoubtKind.UNTESTED, DoubtKind.TEST_NOT_RUN, DoubtKind.CHECKS_UNACCEPTED})


def severity_of(kind: DoubtKind) -> Severity:
    return Severity.NOTE if kind in _NOTES else Severity.SERIOUS


@dataclass(frozen=True, slots=True)
class Accepted:
    """A person looked, and says why it is all right."""

    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Doubt:
    kind: DoubtKind
    path: str
    line: int | None
    """In the new file, or in the old one if the new one has no such place."""
    name: str
    """The test or check concerned."""
    message: Words
    """One plain sentence."""
    accepted: Accepted | None = None

    @property
    def id(self) -> str:
        """The same for the same doubt, so that a person can name the one they looked at."""
        about = "\0".join((self.kind, self.path, str(self.line), self.name, self.message))
        return hashlib.sha256(about.encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def severity(self) -> Severity:
        return severity_of(self.kind)


def standing(doubts: Iterable[Doubt]) -> list[Doubt]:
    """The serious ones that nobody accepted: with one of these a verdict is not green."""
    return [doubt for doubt in doubts if doubt.severity is Severity.SERIOUS and doubt.accepted is None]
