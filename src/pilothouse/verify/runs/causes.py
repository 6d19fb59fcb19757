"""Says why a check did not pass: whether it failed, or could not be run at all.

An agent cannot mend by editing what the machine lacks, so that costs no loop. It can mend what is in the
repository. Exit codes decide, because a test may print anything. The few tools that hide a missing part behind an
ordinary exit code are known by the words they end with.

A check that was killed or ran out of time did run, so it failed: perhaps it took all the memory itself.
Codes 126 and 127 mean “could not be run”, also when a script inside the check ended with them, because that looks
the same. Whether the task caused it is seen elsewhere, from its history.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NOT_EXECUTABLE, NOT_FOUND, KILLED = 126, 127, 137
_LAST_LINES = 12
_LINE = 1000


@dataclass(frozen=True, slots=True)
class Failure:
    command: str
    exit_code: int
    words: str
    """The last of what it printed, without colours."""
    disk_full: bool = False
    """Whether the disk it works on is nearly full."""


@dataclass(frozen=True, slots=True)
class Cause:
    unrunnable: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Rule:
    codes: tuple[int, ...]
    """Empty: any."""
    words: str
    """Searched in the last lines; its groups go into `detail`."""
    detail: str
    unrunnable: bool = True
    command: str = ""
    """Searched in the command, with the groups of `words`."""


_INSTALL = "Install what the project needs, then resume the task."
_MISSING = (
    r"(?:^|[:/\s])(?:sh|bash|dash|zsh|ash|ksh)\b.*?: (?:line )?(?:\d+: )?(?:exec: )?(\S+): (?:command )?not found$",
    r"^zsh:\d+: command not found: (\S+)$",
    r"^(?:/usr/bin/)?env: [‘'\"]?(.+?)[’'\"]?: No such file or directory$",
    r"^(\S+): No such file or directory$",
)

_RULES = (
    # Python ends with the same exit code as a failing test.
    _Rule((1,), r"^\S*python[\d.]*(?:\.exe)?: No module named ([\w-]+)[\w.;' -]*$",
          f"Python has no module “{{0}}” here. {_INSTALL}", command=r"-m\s*{0}\b"),
    _Rule((1,), r"^Command not found: (\S+)$", f"There is no program “{{0}}” here. {_INSTALL}", command="poetry"),
    _Rule((2,), r"^error: Failed to spawn: `(.+)`$", f"There is no program “{{0}}” here. {_INSTALL}", command="uv"),
    # pnpm turns the shell's 127 into a 1.
    _Rule((), r"node_modules missing, did you mean to install\?", f"The folder node_modules is missing. {_INSTALL}"),
    _Rule((1,), r"^npm (?:ERR!|error) could not determine executable to run$",
          f"npm found no program to run. {_INSTALL}"),
    _Rule((101,), r"^error: no such (?:sub)?command: `(.+)`", f"cargo has no command “{{0}}” here. {_INSTALL}"),
    _Rule((1,), r"^error: '(cargo-\w+|rust\w+)(?:\.exe)?' is not installed for the toolchain",
          f"The toolchain has no “{{0}}”. {_INSTALL}"),
    _Rule((1,), r"^error: toolchain '(.+)' is not installed", f"The Rust toolchain “{{0}}” is missing. {_INSTALL}"),
    _Rule((1,), r"^error: rustup could not choose a version of cargo to run",
          f"No Rust toolchain is set up. {_INSTALL}"),
    _Rule((1,), r"JAVA_HOME (?:is not (?:set|defined)|environment variable is not defined|is set to an invalid)",
          f"There is no Java here. {_INSTALL}"),
    _Rule((1, 125), r"Cannot connect to the Docker daemon", "Docker is not running. Start it, then resume the task.",
          command="docker"),
    # These options exist only with a plugin, which is named in no other way.
    _Rule((4,), r"error: unrecognized arguments:.* --?(?:cov|cov-\S+|no-cov)\b", f"pytest-cov is missing. {_INSTALL}"),
    _Rule((4,), r"error: unrecognized arguments:.* (?:-n|--numprocesses|--dist)\b",
          f"pytest-xdist is missing. {_INSTALL}"),
    _Rule((4,), r"error: unrecognized arguments:.* --timeout\b", f"pytest-timeout is missing. {_INSTALL}"),
    _Rule((4,), r"error: unrecognized arguments:.* --asyncio-mode\b", f"pytest-asyncio is missing. {_INSTALL}"),
    # Failures whose exit code says more than their words.
    _Rule((5,), r"(?i)no tests ran", "No tests were found.", unrunnable=False),
    _Rule((4,), r"error: unrecognized arguments:(.*)$", "pytest does not know the options{0}.", unrunnable=False),
    _Rule((4,), r"ERROR: file or directory not found: (.+)$", "pytest found no “{0}”.", unrunnable=False),
    _Rule((1,), r"^npm (?:ERR!|error) Missing script: \"(.+)\"", "package.json has no script “{0}”.", unrunnable=False),
)  # fmt: skip


def cause(failure: Failure) -> Cause:
    """Judges a check that ended with another code than 0."""
    last = [line.strip()[:_LINE] for line in failure.words.splitlines() if line.strip()][-_LAST_LINES:]
    if failure.exit_code == NOT_FOUND:
        return Cause(True, _not_found(last))
    if failure.exit_code == NOT_EXECUTABLE:
        return Cause(True, "The program may not be executed. Set its permissions right, then resume the task.")
    if failure.exit_code == KILLED:
        return Cause(False, "It was killed (SIGKILL), perhaps because memory ran out.")
    if failure.disk_full and re.search(r"No space left on device|ENOSPC|[Dd]isk (?:is )?full", failure.words):
        return Cause(True, "There is no space left on the disk. Make room, then resume the task.")
    for rule in _RULES:
        if found := _match(rule, failure, last):
            return Cause(rule.unrunnable, rule.detail.format(*found.groups()))
    return Cause(False)


def _match(rule: _Rule, failure: Failure, last: list[str]) -> re.Match[str] | None:
    if rule.codes and failure.exit_code not in rule.codes:
        return None
    found = next((match for line in last if (match := re.search(rule.words, line))), None)
    if found and re.search(rule.command.format(*map(re.escape, found.groups(""))), failure.command):
        return found
    return None


def _not_found(last: list[str]) -> str:
    for line in reversed(last):
        for pattern in _MISSING:
            if match := re.search(pattern, line):
                return f"There is no program “{match[1]}” here. {_INSTALL}"
    return f"A program it needs was not found (exit code {NOT_FOUND}). {_INSTALL}"
