"""Doubts about a verdict: what a person should see before they call a change done. Found without a model."""

from __future__ import annotations

from dataclasses import dataclass
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
