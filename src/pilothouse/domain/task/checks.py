"""The project's own checks, and the results of running them. No model is involved."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pilothouse.words.fields import Words

DEFAULT_TIMEOUT_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Check:
    """One command that the project is verified with."""

    name: str
    command: str | tuple[str, ...]
    """A string runs by `sh -c`, a tuple is argv."""
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    folder: str = ""
    """Where it runs, relative to the workspace; empty is its root."""
    source: Words = ""
    """Where the command was found, in words for the person; empty when they wrote it."""

    @property
    def argv(self) -> tuple[str, ...]:
        return ("sh", "-c", self.command) if isinstance(self.command, str) else self.command

    @property
    def shown(self) -> str:
        return self.command if isinstance(self.command, str) else shlex.join(self.command)


class CheckResult(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    TIMEOUT = "timeout"
    UNRUNNABLE = "unrunnable"
    """It could not be run at all. This is not a failure, and uses up no loop."""
    SKIPPED = "skipped"
    """Not reached, because an earlier check did not pass."""


class RunResult(StrEnum):
    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    FAIL = "FAIL"
    INFRASTRUCTURE = "INFRASTRUCTURE"


class RunPurpose(StrEnum):
    VERIFY = "verify"
    BASE_TESTS = "base_tests"
    """The tests as they were at the checkpoint, run against the new code."""
    PINNED = "pinned"
    """The checks as a person accepted them last, run against the new code."""


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    name: str
    command: str
    result: CheckResult
    exit_code: int | None = None
    duration_ms: int = 0
    log_path: str = ""
    detail: Words = ""
    """Why it timed out or could not be run."""
    lacks_program: bool = False
    """Whether what it could not be run for is a program that is missing, or may not be executed."""


@dataclass(frozen=True, slots=True)
class VerificationRun:
    """One pass over all checks, in order, up to the first that does not pass."""

    id: str
    task_id: str
    attempt: int
    step_id: str
    purpose: RunPurpose
    loop: int
    """Which verification of the task this is, counted from 1; 0 if it does not count."""
    started_at: datetime
    finished_at: datetime
    result: RunResult
    commit: str | None
    """HEAD while it ran."""
    tree: str
    """Hash of the files it ran against."""
    checks: tuple[CheckOutcome, ...] = ()
    first_failing_line: Words = ""
    tail: str = ""
    """The last lines of the combined log, colours included."""
    log_path: str = ""
    kept: bool = False
    """Never cleaned up: a stuck report refers to it."""

    @property
    def failing(self) -> CheckOutcome | None:
        bad = (CheckResult.FAILED, CheckResult.TIMEOUT, CheckResult.UNRUNNABLE)
        return next((check for check in self.checks if check.result in bad), None)

    def repeats(self, earlier: VerificationRun) -> bool:
        """Whether it failed on the very same files in the very same way. A time-out may go better next time."""
        failing = self.failing
        if failing is None or failing.result is not CheckResult.FAILED or self.tree != earlier.tree:
            return False
        was = earlier.failing
        return was is not None and was.name == failing.name and self.first_failing_line == earlier.first_failing_line
