"""Verification runs, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from pydantic import Field

from pilothouse.domain.task.checks import CheckResult, RunPurpose, RunResult, VerificationRun
from pilothouse.server.schemas.fields import Out
from pilothouse.words.fields import Words


class CheckOutcomeOut(Out):
    number: int = Field(description="Counted from 1; names the check's log.")
    name: str
    command: str
    result: CheckResult
    exit_code: int | None
    duration_ms: int
    log_path: str = Field(description="Empty when it never started.")
    detail: Words = Field(description="Why it timed out or could not be run.")


class RunSummary(Out):
    run_id: str
    task_id: str
    attempt: int
    step_id: str
    purpose: RunPurpose
    loop: int = Field(description="Which verification of the task this is, from 1; 0 where it consumed none.")
    started_at: datetime
    finished_at: datetime
    result: RunResult
    commit: str | None = Field(description="HEAD while it ran.")
    tree: str = Field(description="Hash of the files it ran against.")
    checks: list[CheckOutcomeOut]
    first_failing_line: Words
    log_path: str
    kept: bool = Field(description="Never cleaned up: a stuck report refers to it.")

    @classmethod
    def of(cls, run: VerificationRun) -> Self:
        checks = [
            {"number": number, **{name: getattr(outcome, name) for name in outcome.__slots__}}
            for number, outcome in enumerate(run.checks, 1)
        ]
        own = {name: getattr(run, name) for name in cls.model_fields if hasattr(run, name)}
        return cls.model_validate({**own, "run_id": run.id, "checks": checks})


class RunList(Out):
    items: list[RunSummary] = Field(description="Newest first.")


class RunOut(RunSummary):
    tail: str = Field(description="The last 200 lines of the combined log, colours included.")


class RunLogPage(Out):
    run_id: str
    check: str
    offset: int
    text: str
    next_offset: int = Field(description="Where the next page begins; equals `total` at the end.")
    total: int
