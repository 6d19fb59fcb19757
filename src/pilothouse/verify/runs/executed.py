"""Reads from a check's log which tests it ran: how many, and from which files.

A runner that finds no test ends like one whose tests all passed. Only words tell, so what is not certain stays
unknown: a log that is not recognised, or too long to be read whole, says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pilothouse.verify.runs.logs import plain

LONGEST = 4_000_000
_LINE = 1000
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
