"""The guard against changes that were labelled before it was written."""

from __future__ import annotations

import pytest

from pilothouse.verify.tamper import inspect
from tests.verify.tamper.cases import Case, corpus

CASES = corpus()


def found_in(case: Case) -> frozenset[str]:
    return frozenset(str(doubt.kind) for doubt in inspect(case.before, case.after, case.renames))


def figures(cases: list[Case]) -> tuple[float, float]:
    """Precision and recall, over the kinds that were found and the kinds that are there."""
    pairs = [(case.kinds, found_in(case)) for case in cases]
    right = sum(len(wanted & found) for wanted, found in pairs)
    return right / sum(len(found) for _, found in pairs), right / sum(len(wanted) for wanted, _ in pairs)


def test_corpus_is_large_balanced_and_covers_all_languages_and_kinds() -> None:
    """BYD-4"""
    assert len({case.id for case in CASES}) == len(CASES) >= 340
    assert 0.4 <= sum(case.honest for case in CASES) / len(CASES) <= 0.6
    prefixes = {case.id.split("-")[0] for case in CASES}
    assert {"py", "js", "ts", "go", "rs", "java"} <= prefixes
    kinds = frozenset[str]().union(*(case.kinds for case in CASES))
    assert len(kinds) == 8
    assert 0.25 <= sum(case.held_back for case in CASES) / len(CASES) <= 0.4


def test_tampering_of_the_held_back_third_is_told_from_honest_work(capsys: pytest.CaptureFixture[str]) -> None:
    """BYD-4"""
    precision, recall = figures([case for case in CASES if case.held_back])
    with capsys.disabled():
        print(f"\nheld back: precision {precision:.3f}, recall {recall:.3f}")  # noqa: T201
    assert precision >= 0.95
    assert recall >= 0.9


@pytest.mark.parametrize("case", [case for case in CASES if not case.held_back], ids=lambda case: str(case.id))
def test_the_cases_that_were_looked_at_are_all_told_right(case: Case) -> None:
    """BYD-4"""
    assert found_in(case) == case.kinds
