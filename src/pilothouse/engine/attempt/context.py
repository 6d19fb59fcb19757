"""What an attempt works with, and the one thing about it that changes: whether it may still go on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from pilothouse.domain.guard.limits import Hold
from pilothouse.domain.ports import Decision
from pilothouse.domain.session.session import Project, Session, Workspace, slugify
from pilothouse.domain.task.task import AttemptMode, Step, StepKind, Task
from pilothouse.domain.task.timeouts import TimeoutProfile
from pilothouse.engine.attempt.thread import Thread
from pilothouse.engine.attempt.watch import Stop
from pilothouse.git.model import Checkpoint
from pilothouse.git.scratch import Scratch
from pilothouse.verify.chosen_checks import ChosenChecks

if TYPE_CHECKING:
    from pilothouse.engine.agents.choice import Assigned
    from pilothouse.engine.guard.spawn_guard import SpawnGuard
    from pilothouse.engine.runtime import Runtime
    from pilothouse.engine.talk.steering import Live


@dataclass(frozen=True, slots=True)
class Turn:
    """What the agent is asked for, once."""

    kind: StepKind
    prompt: str
    role: str = "edit"
    number: int = 1
    resume: str | None = None
    reply: str | None = None
    decision: Decision | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    read_only: bool = False
    directory: Path | None = None
    """Where the agent works, when not where the attempt does."""
    milestone: str = "analysing"
    seeded: bool = False
    """Whether it is the second try, afresh, of one that the agent could not take in."""
    since: str = ""
    """What happened since the agent spoke last, for an answer that goes without its prompt."""
    fresh: str = ""
    """Why it begins a conversation though the thread had one, in words for the person."""

    @property
    def is_aside(self) -> bool:
        """Whether its words are not the task's: a scout looks around, the small model reads a marker."""
        return self.kind in (StepKind.SCOUT, StepKind.READ)


class Control:
    """Stops an attempt, and counts what it has begun and printed. Only its own methods change it."""

    def __init__(self) -> None:
        self.stopped: Stop | None = None
        """Set when nothing more may begin."""
        self.hold: Hold | None = None
        """Set where a guard stopped it: what it says, and until when."""
        self.ending = False
        """Whether what runs is ended too."""
        self.spawned = False
        """Whether an agent was started, so that the tree may have changed."""
        self.live: Live | None = None
        """The agent's run, while messages can be handed to it."""
        self.printed = 0
        """Bytes of the attempt's output."""
        self._steps = 0
        self._enders: list[Callable[[Stop], None]] = []

    def stop(self, reason: Stop, *, begun: bool = True, hold: Hold | None = None) -> None:
        """Start nothing more, and end running work; without `begun` that may finish."""
        if self.stopped is None or reason.outranks(self.stopped):
            self.stopped = reason
        self.hold = self.hold or hold
        if begun:
            self.ending = True
            for end in self._enders:
                end(reason)

    def go_on(self) -> None:
        """What stopped it no longer counts."""
        self.stopped, self.ending, self.hold = None, False, None

    @asynccontextmanager
    async def ended_by(self, end: Callable[[Stop], None], *, begun: bool = False) -> AsyncIterator[None]:
        """`end` is called when the attempt is stopped meanwhile, or was before; what is `begun`, where that ends it."""
        self._enders.append(end)
        try:
            if self.stopped and (self.ending or not begun):
                end(self.stopped)
            yield
        finally:
            self._enders.remove(end)

    def next_step(self) -> int:
        self._steps += 1
        return self._steps

    def spawn(self) -> None:
        self.spawned = True

    def hears(self, live: Live | None) -> None:
        self.live = live

    def print(self, end: int) -> None:
        self.printed = end


@dataclass(frozen=True, slots=True)
class Context:
    """What one attempt works with. It does not change: steps take it, and return what they did."""

    runtime: Runtime
    control: Control
    guard: SpawnGuard
    project: Project
    session: Session
    workspace: Workspace
    mode: AttemptMode
    checks: ChosenChecks
    """What the task is verified with."""
    assigned: Assigned
    profile: TimeoutProfile
    base: str
    """Commit of the checkpoint that the task's own work is measured against."""
    place: Path
    """Where the agent works: the workspace, or a scratch copy of it."""
    scouting: bool
    """Whether scouts look around before the edit."""
    thread: Thread = field(default_factory=Thread)
    """Where the first turn finds the thread's conversation with the agent."""
    scratch: Scratch | None = None
    """Set in a dry run: its steps leave their state there, and the workspace is not looked at."""

    @property
    def resume(self) -> str | None:
        """The agent's own conversation that the first turn goes on in."""
        return self.thread.conversation

    def draft(self, task: Task, kind: StepKind, *, name: str = "", agent: str = "") -> Step:
        """The step that comes next, before it is a row."""
        now = self.runtime.clock.now()
        return Step(
            id=uuid4().hex,
            task_id=task.id,
            attempt=task.attempt,
            number=self.control.next_step(),
            kind=kind,
            prompt="",
            started_at=now,
            log_path=str(self._log_of(task, kind, name, agent, now)),
            output_from=self.control.printed,
            output_to=self.control.printed,
            name=name,
        )

    def _log_of(self, task: Task, kind: StepKind, name: str, agent: str, now: datetime) -> Path:
        # Two scouts may begin in the same instant, and each has its own log.
        what = {StepKind.VERIFY: "verify", StepKind.SCOUT: f"{agent}-{slugify(name)}"}.get(kind, agent or task.agent)
        return self.runtime.settings.logs / f"{what}_{task.session_id}_{now:%Y%m%dT%H%M%S%f}.log"


@dataclass(frozen=True, slots=True)
class Began:
    """An attempt that has begun, with the state it began from."""

    context: Context
    task: Task
    checkpoint: Checkpoint
