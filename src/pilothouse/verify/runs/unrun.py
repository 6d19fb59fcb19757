"""Finds tests that no check ran: a check that passed without a test, and new tests that made no difference.

The files that a runner names tell whether a new test ran, or the number of tests with it and without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pilothouse.domain.task.checks import CheckOutcome, CheckResult
from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.verify.runs.executed import Executed, executed_in, names
from pilothouse.verify.tamper import Added
from pilothouse.verify.tamper.grammar import language_of
from pilothouse.verify.tamper.paths import is_named_as_test
from pilothouse.words import first_few, say

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Told:
    """A check that passed, and what its log says about tests."""

    name: str
    command: str
    tests: Executed


def told(outcomes: Sequence[CheckOutcome]) -> list[Told]:
    passed = [outcome for outcome in outcomes if outcome.result is CheckResult.PASSED and outcome.log_path]
    return [Told(outcome.name, outcome.command, executed_in(Path(outcome.log_path))) for outcome in passed]


def without_tests(now: Sequence[Told]) -> list[Doubt]:
    return [
        Doubt(
            DoubtKind.NO_TESTS_RAN,
            "",
            None,
            check.name,
            say("doubt.no_tests_ran", check=check.name, command=check.command),
        )
        for check in now
        if check.tests.tests == 0
    ]


def not_run(now: Sequence[Told], base: Sequence[Told], added: Added, tests: frozenset[str]) -> list[Doubt]:
    """The new tests that certainly did not run. `tests` names the checks that run tests; `base` has only these."""
    if not any(check.tests.tests for check in now):
        return []
    unlisted = _unlisted(now, added, tests)
    if unlisted:
        return [_doubt(path, added, "unlisted") for path in unlisted]
    if _as_many(now, base, added, tests):
        return [_doubt(path, added, "as_many") for path in _paths(added)]
    return []


def _unlisted(now: Sequence[Told], added: Added, tests: frozenset[str]) -> list[str]:
    """New files that no runner names, where every check that runs tests names the files it runs."""
    running = [check for check in now if check.name in tests or check.tests.tests is not None]
    if not all(check.tests.files for check in running):
        return []
    files = {file for check in running for file in check.tests.files}
    kinds = {language_of(file) for file in files}
    candidates = [path for path in _paths(added) if is_named_as_test(path) and language_of(path) in kinds]
    return [path for path in candidates if not names(files, path)]


def _as_many(now: Sequence[Told], base: Sequence[Told], added: Added, tests: frozenset[str]) -> bool:
    """Whether as many tests ran as before, and nothing else could make up for the new ones."""
    counts = [check.tests.tests for check in now if check.name in tests]
    before = [check.tests.tests for check in base]
    if not added.tests or not added.alone or len(counts) != len(before) or not counts:
        return False
    if any(check.tests.tests is not None for check in now if check.name not in tests):
        return False
    return None not in counts and counts == before


def _paths(added: Added) -> list[str]:
    return sorted({path for path, _, _ in added.tests})


def _doubt(path: str, added: Added, why: str) -> Doubt:
    mine = [(line, name) for where, name, line in added.tests if where == path]
    named = first_few([name for _, name in mine], _NAMED)
    line, name = min(mine)
    return Doubt(DoubtKind.TEST_NOT_RUN, path, line, name, say(f"doubt.not_run.{why}", tests=named))
