"""Reads from a check's log which tests it ran, and tells where tests made no difference.

A runner that finds no test ends like one whose tests all passed. Only words tell, so what is not certain stays
unknown: a log that is not recognised, or too long to be read whole, says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pilothouse.domain.task.checks import CheckOutcome, CheckResult
from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.verify.runs.logs import plain
from pilothouse.verify.tamper import Added
from pilothouse.verify.tamper.grammar import language_of
from pilothouse.verify.tamper.paths import is_named_as_test
from pilothouse.words import first_few, say

LONGEST = 4_000_000
_LINE = 1000
_NAMED = 3
_CUT = re.compile(r"\[… [\d.]+ MB are left out here: ")
_JS = r"\S+\.[cm]?[jt]sx?"

# The first group is the number of tests. The numbers of one log are added up.
_COUNTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^Ran (\d+) tests? in ",  # unittest
        r"^(?:#|ℹ) tests (\d+)$",  # node --test
        r"^Tests: +.*?(\d+) total$",  # Jest
        r"^ *Tests +\S.*\((\d+)\)$",  # Vitest
        r"^ +(\d+) (?:passing|failing|pending)\b",  # Mocha
        r"^running (\d+) tests?$",  # cargo
        r"^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: \d+$",  # Maven's sum
        r"^(\d+) examples?, \d+ failures?",  # RSpec
        r"^(\d+) runs, \d+ assertions",  # Minitest
        r"^OK \((\d+) tests?, ",  # PHPUnit
        r"^Tests: (\d+), Assertions: ",
        r"tests passed, \d+ tests failed out of (\d+)$",  # CTest
        r"^\s*Executed (\d+) tests?, with ",  # Swift
        r"^ok \| (\d+) passed ",  # Deno
    )
)
_PYTEST = re.compile(r"^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$")
_PYTEST_PART = re.compile(r"(\d+) (?:passed|failed|skipped|xfailed|xpassed|errors?)\b")
_NONE = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(?:=+ )?no tests ran in [\d.]+s",  # pytest
        r"^No tests found, exiting with code 0$",  # Jest
        r"^No test files found, exiting with code 0$",  # Vitest
        r"^\?? *\t?\S+\t\[no test files\]$",  # go
        r"^ok +\t?\S+\t.*\[no tests to run\]$",
        r"^No tests executed!$",  # PHPUnit
        r"^(?:\[\w+\] )?No tests to run\.$",  # Maven
        r"^No tests were found!!!$",  # CTest
        r"^There are no tests to run$",  # ExUnit
        r"^> Task :\S*[tT]est NO-SOURCE$",  # Gradle
    )
)
# Tests were run, and nobody says how many.
_SOME = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(?:ok|FAIL) +\t?\S+\t(?:[\d.]+s|\(cached\))",
        r"^> Task :\S*[tT]est(?: UP-TO-DATE| FROM-CACHE)?$",
    )
)
_FILES = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(\S+\.py)(?:::.+ (?:PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)| [.FEsxX]+(?: |$))",  # pytest
        rf"^(?:PASS|FAIL) +(?:\S+ )??({_JS})(?: |$)",  # Jest
        rf"^ *[✓❯×↓] +(?:\|[^|]+\| +)?({_JS}) +\(\d+ tests?\b",  # Vitest
    )
)


@dataclass(frozen=True, slots=True)
class Executed:
    tests: int | None = None
    """None: unknown."""
    files: frozenset[str] = frozenset()
    """The files it names, as it writes them. A runner that names one names all."""


def executed(lines: Iterable[str]) -> Executed:
    """Reads a whole log without colours."""
    count: int | None = None
    some = False
    files: set[str] = set()
    for line in lines:
        line = line.rstrip()[:_LINE]
        if _CUT.match(line):
            return Executed()
        files.update(found[1] for pattern in _FILES if (found := pattern.match(line)))
        if any(pattern.match(line) for pattern in _SOME) and not any(pattern.match(line) for pattern in _NONE):
            some = True
            continue
        number = _number(line)
        if number is not None:
            count = (count or 0) + number
    return Executed(None if some else count, frozenset(files))


def executed_in(log: Path) -> Executed:
    try:
        if log.stat().st_size > LONGEST:
            return Executed()
        return executed(plain(log.read_text("utf-8", "replace")).splitlines())
    except OSError:
        return Executed()


def _number(line: str) -> int | None:
    for pattern in _COUNTS:
        if found := pattern.search(line):
            return int(found[1])
    if found := _PYTEST.match(line):
        return sum(map(int, _PYTEST_PART.findall(found[1])))
    return 0 if any(pattern.match(line) for pattern in _NONE) else None


def names(files: Iterable[str], path: str) -> bool:
    """Whether `path` in the repository is one of these files, as a runner writes them."""
    for file in files:
        bare = re.sub(r"^(?:\.{1,2}/)+", "", file)
        if path == bare or path.endswith(f"/{bare}") or bare.endswith(f"/{path}"):
            return True
    return False


@dataclass(frozen=True, slots=True)
class PassedCheck:
    """A check that passed, and what its log says about tests."""

    name: str
    command: str
    tests: Executed


def passed_checks(outcomes: Sequence[CheckOutcome]) -> list[PassedCheck]:
    passed = [outcome for outcome in outcomes if outcome.result is CheckResult.PASSED and outcome.log_path]
    return [PassedCheck(outcome.name, outcome.command, executed_in(Path(outcome.log_path))) for outcome in passed]


def without_tests(now: Sequence[PassedCheck]) -> list[Doubt]:
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


def not_run(
    now: Sequence[PassedCheck], base: Sequence[PassedCheck], added: Added, tests: frozenset[str]
) -> list[Doubt]:
    """The new tests that certainly did not run. `tests` names the checks that run tests; `base` has only these."""
    if not any(check.tests.tests for check in now):
        return []
    unlisted = _unlisted(now, added, tests)
    if unlisted:
        return [_doubt(path, added, "unlisted") for path in unlisted]
    if _as_many(now, base, added, tests):
        return [_doubt(path, added, "as_many") for path in _paths(added)]
    return []


def _unlisted(now: Sequence[PassedCheck], added: Added, tests: frozenset[str]) -> list[str]:
    """New files that no runner names, where every check that runs tests names the files it runs."""
    running = [check for check in now if check.name in tests or check.tests.tests is not None]
    if not all(check.tests.files for check in running):
        return []
    files = {file for check in running for file in check.tests.files}
    kinds = {language_of(file) for file in files}
    candidates = [path for path in _paths(added) if is_named_as_test(path) and language_of(path) in kinds]
    return [path for path in candidates if not names(files, path)]


def _as_many(now: Sequence[PassedCheck], base: Sequence[PassedCheck], added: Added, tests: frozenset[str]) -> bool:
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
