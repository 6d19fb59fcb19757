"""The runner and the operations on it, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from pilothouse.domain.operations import PHASES, Operation, OperationKind, OperationOutcome, Phase
from pilothouse.server.schemas.fields import In, Out
from pilothouse.words.fields import Words


class RunnerOut(Out):
    state: Literal["running", "stopping", "stopped"]
    boot_id: str
    version: str
    started_at: datetime
    uptime_seconds: float
    running: int
    queued: int


class RunningTask(Out):
    task_id: str
    session_slug: str
    session_title: str
    project_id: str
    milestone: Words
    started_at: datetime | None


class PhaseOut(Out):
    phase: Phase
    started_at: datetime | None = Field(None, description="Not set while it has not begun.")
    finished_at: datetime | None = None
    note: Words = ""


class OperationOut(Out):
    operation_id: str
    kind: OperationKind
    project_id: str | None
    started_at: datetime
    finished_at: datetime | None
    outcome: OperationOutcome | None = Field(description="Not set while it is under way.")
    cause: Words
    duration_ms: int | None
    phases: list[PhaseOut] = Field(description="All it has, in order.")
    cancellable: bool

    @classmethod
    def of(cls, operation: Operation, cancellable: bool) -> OperationOut:
        begun = {run.phase: PhaseOut.model_validate(run) for run in operation.phases}
        took = operation.finished_at - operation.started_at if operation.finished_at else None
        return cls(
            operation_id=operation.id,
            kind=operation.kind,
            project_id=operation.project_id,
            started_at=operation.started_at,
            finished_at=operation.finished_at,
            outcome=operation.outcome,
            cause=operation.cause,
            duration_ms=None if took is None else round(took.total_seconds() * 1000),
            phases=[begun.get(phase) or PhaseOut(phase=phase) for phase in PHASES[operation.kind]],
            cancellable=cancellable and operation.outcome is None,
        )


class AwakeOut(Out):
    state: Literal["idle", "held", "unavailable"] = Field(description="idle: nothing runs, so the machine may sleep.")
    method: str
    why_not: Words


class RunnerDetail(RunnerOut):
    pid: int
    since: datetime = Field(description="When this process began.")
    stop_wait_seconds: float = Field(description="How long a stop waits for running tasks.")
    tasks: list[RunningTask]
    operation: OperationOut | None = Field(description="The one under way, else the last.")
    awake: AwakeOut = Field(description="Whether the machine is kept from falling asleep while tasks run.")
    build_problem: Words | None = Field(description="Why Pilothouse itself cannot be built here.")


class RunnerStopIn(In):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""


class BuildIn(In):
    project_id: Annotated[str, StringConstraints(max_length=64)] | None = Field(
        None, description="Whose build check to run; Pilothouse's own build when left out."
    )


class OperationOutput(Out):
    operation_id: str
    offset: int
    text: str
    next_offset: int
    total: int
    live: bool
