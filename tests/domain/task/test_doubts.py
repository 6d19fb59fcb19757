"""Doubts as part of a verdict."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pilothouse.domain.task.doubts import TAMPERING, Accepted, Doubt, DoubtKind, Severity, severity_of, standing

SKIPPED = Doubt(DoubtKind.TEST_SKIPPED, "test_calc.py", 3, "test_add", "The test is skipped.")


def test_weakened_tests_and_checks_are_serious_and_a_missing_test_is_not() -> None:
    """BYD-17"""
    serious = {kind for kind in DoubtKind if severity_of(kind) is Severity.SERIOUS}
    assert serious > TAMPERING | {DoubtKind.BASE_TESTS_FAIL, DoubtKind.PINNED_CHECKS_FAIL, DoubtKind.OUTSIDE_PACKAGE}
    assert DoubtKind.UNTESTED not in serious


def test_only_what_a_person_accepted_no_longer_stands() -> None:
    """BYD-17"""
    note = Doubt(DoubtKind.UNTESTED, "calc.py", None, "", "No test changed.")
    accepted = replace(SKIPPED, accepted=Accepted("The service is gone.", datetime.now(UTC)))
    assert standing((SKIPPED, note, accepted)) == [SKIPPED]


def test_a_doubt_has_the_same_id_as_long_as_it_says_the_same() -> None:
    """BYD-17"""
    assert SKIPPED.id == replace(SKIPPED, accepted=Accepted("Fine.", datetime.now(UTC))).id
    assert len({SKIPPED.id, replace(SKIPPED, line=4).id, replace(SKIPPED, path="other.py").id}) == 3
