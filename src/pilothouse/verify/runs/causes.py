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

from pilothouse.words import say, sentences

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
    lacks_program: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    codes: tuple[int, ...]
    """Empty: any."""
    words: str
    """Searched in the last lines; its group is what `detail` speaks of."""
    detail: str
    install: bool = False
    unrunnable: bool = True
    command: str = ""
    """Searched in the command, with the groups of `words`."""


_MISSING = (
    r"(?:^|[:/\s])(?:sh|bash|dash|zsh|ash|ksh)\b.*?: (?:line )?(?:\d+: )?(?:exec: )?(\S+): (?:command )?not found$",
    r"^zsh:\d+: command not found: (\S+)$",
    r"^(?:/usr/bin/)?env: [‘'\"]?(.+?)[’'\"]?: No such file or directory$",
    r"^(\S+): No such file or directory$",
    r"^g?make(?:\[\d+\])?: (\S+): (?:No such file or directory|Command not found)$",
)
# Make, and others that run commands for a check, end with a code of their own and name the one of the command.
_PASSED_ON = re.compile(r"(?i)\b(?:error|exit (?:code|status)|errno|code|exited with(?: code)?):? ?127\b")

_RULES = (
    # Python ends with the same exit code as a failing test.
    _Rule((1,), r"^\S*python[\d.]*(?:\.exe)?: No module named ([\w-]+)[\w.;' -]*$",
          "no_module", install=True, command=r"-m\s*{0}\b"),
    _Rule((1,), r"^Command not found: (\S+)$", "no_program", install=True, command="poetry"),
    _Rule((2,), r"^error: Failed to spawn: `(.+)`$", "no_program", install=True, command="uv"),
    # pnpm turns the shell's 127 into a 1.
    _Rule((), r"node_modules missing, did you mean to install\?", "no_node_modules", install=True),
    _Rule((1,), r"^npm (?:ERR!|error) could not determine executable to run$",
          "npm_no_program", install=True),
    _Rule((101,), r"^error: no such (?:sub)?command: `(.+)`", "cargo_no_command", install=True),
    _Rule((1,), r"^error: '(cargo-\w+|rust\w+)(?:\.exe)?' is not installed for the toolchain",
          "toolchain_lacks", install=True),
    _Rule((1,), r"^error: toolchain '(.+)' is not installed", "no_toolchain", install=True),
    _Rule((1,), r"^error: rustup could not choose a version of cargo to run",
          "no_rust", install=True),
    _Rule((1,), r"JAVA_HOME (?:is not (?:set|defined)|environment variable is not defined|is set to an invalid)",
          "no_java", install=True),
    _Rule((1, 125), r"Cannot connect to the Docker daemon", "no_docker",
          command="docker"),
    # These options exist only with a plugin, which is named in no other way.
    _Rule((4,), r"error: unrecognized arguments:.* --?(?:cov|cov-\S+|no-cov)\b", "pytest_cov", install=True),
    _Rule((4,), r"error: unrecognized arguments:.* (?:-n|--numprocesses|--dist)\b",
          "pytest_xdist", install=True),
    _Rule((4,), r"error: unrecognized arguments:.* --timeout\b", "pytest_timeout", install=True),
    _Rule((4,), r"error: unrecognized arguments:.* --asyncio-mode\b", "pytest_asyncio", install=True),
    # Failures whose exit code says more than their words.
    _Rule((5,), r"(?i)no tests ran", "no_tests", unrunnable=False),
    _Rule((4,), r"error: unrecognized arguments:(.*)$", "pytest_options", unrunnable=False),
    _Rule((4,), r"ERROR: file or directory not found: (.+)$", "pytest_no_file", unrunnable=False),
    _Rule((1,), r"^npm (?:ERR!|error) Missing script: \"(.+)\"", "no_script", unrunnable=False),
)  # fmt: skip


def cause(failure: Failure) -> Cause:
    """Judges a check that ended with another code than 0."""
    last = [line.strip()[:_LINE] for line in failure.words.splitlines() if line.strip()][-_LAST_LINES:]
    if failure.exit_code == NOT_FOUND:
        return Cause(True, _not_found(last), lacks_program=True)
    if failure.exit_code == NOT_EXECUTABLE:
        detail = sentences(say("check_cause.not_executable"), say("check_cause.set_permissions"))
        return Cause(True, detail, lacks_program=True)
    if any(_PASSED_ON.search(line) for line in last) and (named := _named(last)):
        return Cause(True, named, lacks_program=True)
    if failure.exit_code == KILLED:
        return Cause(False, say("check_cause.killed"))
    if failure.disk_full and re.search(r"No space left on device|ENOSPC|[Dd]isk (?:is )?full", failure.words):
        return Cause(True, say("check_cause.disk_full"))
    for rule in _RULES:
        if found := _match(rule, failure, last):
            detail = say(f"check_cause.found.{rule.detail}", what=found[1] if found.groups() else "")
            return Cause(rule.unrunnable, sentences(detail, say("check_cause.install") if rule.install else ""))
    return Cause(False)


def _match(rule: _Rule, failure: Failure, last: list[str]) -> re.Match[str] | None:
    if rule.codes and failure.exit_code not in rule.codes:
        return None
    found = next((match for line in last if (match := re.search(rule.words, line))), None)
    if found and re.search(rule.command.format(*map(re.escape, found.groups(""))), failure.command):
        return found
    return None


def _not_found(last: list[str]) -> str:
    return _named(last) or sentences(say("check_cause.not_found", code=str(NOT_FOUND)), say("check_cause.install"))


def _named(last: list[str]) -> str:
    """Which program is missing, and what to do; empty where no line says it."""
    for line in reversed(last):
        for pattern in _MISSING:
            if match := re.search(pattern, line):
                return sentences(say("check_cause.found.no_program", what=match[1]), say("check_cause.install"))
    return ""
