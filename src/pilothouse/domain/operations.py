"""Operations on the runner itself: run, stop, build, restart. One at a time, in a fixed order of phases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from pilothouse.words.fields import Words


class OperationKind(StrEnum):
    RUN = "run"
    STOP = "stop"
    BUILD = "build"
    RESTART = "restart"


class Phase(StrEnum):
    BUILD = "build"
    STOP = "stop"
    START = "start"


class OperationOutcome(StrEnum):
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    CUT_SHORT = "cut_short"
    """The server ended in the middle of it; found at the next start."""


PHASES: dict[OperationKind, tuple[Phase, ...]] = {
    OperationKind.RUN: (Phase.START,),
    OperationKind.STOP: (Phase.STOP,),
    OperationKind.BUILD: (Phase.BUILD,),
    # Built before anything is stopped: a failed build keeps what runs.
    OperationKind.RESTART: (Phase.BUILD, Phase.STOP, Phase.START),
}


@dataclass(frozen=True, slots=True)
class PhaseRun:
    phase: Phase
    started_at: datetime
    finished_at: datetime | None = None
    note: Words = ""
    """What to say about it, such as that there was nothing to build."""


@dataclass(frozen=True, slots=True)
class Operation:
    id: str
    kind: OperationKind
    boot_id: str
    """Of the process that began it; a restart is ended by another of the same host."""
    host: str
    started_at: datetime
    project_id: str | None = None
    """Whose build it is; None is Pilothouse's own."""
    phases: tuple[PhaseRun, ...] = ()
    """Those that were begun."""
    finished_at: datetime | None = None
    outcome: OperationOutcome | None = None
    cause: str = ""

    @property
    def phase(self) -> Phase | None:
        """The one it is in, or ended in."""
        return self.phases[-1].phase if self.phases else None

    def entered(self, phase: Phase, now: datetime) -> Operation:
        return replace(self, phases=(*self._closed(now), PhaseRun(phase, now)))

    def noted(self, note: str) -> Operation:
        return replace(self, phases=(*self.phases[:-1], replace(self.phases[-1], note=note)))

    def ended(self, outcome: OperationOutcome, now: datetime, cause: str = "") -> Operation:
        return replace(self, phases=self._closed(now), finished_at=now, outcome=outcome, cause=cause)

    def _closed(self, now: datetime) -> tuple[PhaseRun, ...]:
        return tuple(run if run.finished_at else replace(run, finished_at=now) for run in self.phases)
