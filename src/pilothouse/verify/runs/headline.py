"""Finds the line of a failing check's output that a person wants to read first."""

from __future__ import annotations

import re

LIMIT = 300
_LINE = 2000
"""A longer line is data, and matching it would take too long."""

# Tried in this order, each on all lines. The most telling come first, not the most common.
_LINES = tuple(
    re.compile(pattern)
    for pattern in (
        # pytest: its summary names the test and mostly the reason, an E line the reason alone
        r"^(?:FAILED|ERROR) \S+\.py(?:::\S.*?)? - .*",
        r"^E   +\S.*",
        r"^(?:FAILED|ERROR) \S+\.py(?:::\S.*)?$",
        r"^ERROR: file or directory not found: .*|^\S+: error: unrecognized arguments: .*",
        # unittest
        r"^(?:FAIL|ERROR): \w+ \(.+\)",
        # TypeScript
        r"\S+\(\d+,\d+\): error TS\d+: .*|\S+:\d+:\d+ - error TS\d+: .*|^error TS\d+: .*",
        # Jest, Vitest, Mocha, node --test
        r"^\s*● .*(?: › .*|Test suite failed to run)",
        r"^\s*FAIL  +\S+.* > .*",
        r"^\s*● \S.*",
        r"^\s*FAIL  ?\S+\.[cm]?[jt]sx?\b.*",
        r"^not ok \d+.*",
        # Go
        r"^--- FAIL: .*",
        r"^panic: .*",
        r"^(?:\./)?[\w./-]+\.go:\d+:\d+: .*",
        # Rust
        r"^error\[E\d+\]: .*",
        r"^thread '.+' (?:\(\d+\) )?panicked at .*",
        r"^test .+ \.\.\. FAILED$",
        # Maven, Gradle
        r"^\[ERROR\] +\S+\.java:\[\d+,\d+\] .*|^\[ERROR\] /\S+\.java:.*",
        r"^\[ERROR\] +[\w.$]+[.:]\S+.*(?:expected|<<< (?:FAILURE|ERROR)!).*",
        r"^\S+(?: > .+)+ FAILED$",
        # ESLint's stylish rows
        r"^\s+\d+:\d+\s+error\s+\S.*",
        # mypy, ruff, gcc, clang and all who write like them
        r"^\S+?:\d+(?::\d+)?: (?:fatal )?error\b:? .*",
        r"^\S+?\.\w+:\d+:\d+: [A-Z]+\d+ .*",
        r"^[A-Z]{1,5}\d{3,4} \S.*",
        # RSpec, PHPUnit, Mocha, node --test
        r"^rspec \S+:\d+ .*",
        r"^\s*1\) \S.*",
        r"^\s*✖ \S.*",
        # Python's last words
        r"^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b: .*",
    )
)
_TROUBLE = re.compile(r"(?i)\b(?:error|errors|fail|failed|failure|failures|fatal|exception|panic(?:ked)?)\b")
# “0 errors” is good news, and make's own line says only that something before it was not.
_NO_TROUBLE = re.compile(
    r"(?i)\b(?:0|no|without) (?:\w+ )?(?:errors?|fail(?:ed|ures?|ing)?|exceptions?)\b|^make(?:\[\d+\])?: \*\*\*"
)
_ESLINT_ROW = re.compile(r"^\s+\d+:\d+\s+error\s")


def headline(text: str) -> str:
    """At most 300 characters, from text without colours; empty when there is nothing to read."""
    lines = [line.rstrip()[:_LINE] for line in text.splitlines() if line.strip()]
    for pattern in _LINES:
        for place, line in enumerate(lines):
            if pattern.search(line):
                return _cut(_with_reason(lines, place))
    trouble = (line for line in lines if _TROUBLE.search(line) and not _NO_TROUBLE.search(line))
    return _cut(next(trouble, lines[-1] if lines else ""))


def _with_reason(lines: list[str], place: int) -> str:
    """The line, with the half that some tools put on a neighbouring line."""
    line = lines[place].strip()
    if _ESLINT_ROW.match(lines[place]):
        file = next((above for above in reversed(lines[:place]) if not above.startswith(" ")), "")
        return f"{file.strip()}: {line}" if file else line
    following = lines[place + 1].strip() if place + 1 < len(lines) else ""
    if following.startswith("--> "):
        return f"{following[4:]}: {line}"
    if following and re.match(r"thread '.+' (?:\(\d+\) )?panicked at \S+:$|● Test suite failed to run$", line):
        return f"{line} {following}"
    return line


def _cut(line: str) -> str:
    line = re.sub(r"\s+", " ", line).strip()
    return line if len(line) <= LIMIT else line[: LIMIT - 1] + "…"
