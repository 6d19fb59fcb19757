"""A step that ended, and what it left behind."""

from __future__ import annotations

from dataclasses import dataclass, field

from pilothouse.domain.guard.breaker import Observation
from pilothouse.domain.guard.limits import Hold
from pilothouse.domain.ports import Ended
from pilothouse.domain.talk.detection import Detection, detect
from pilothouse.domain.task.task import Step, Task
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.talk import questions
from pilothouse.git.model import Checkpoint, DiffStat


@dataclass(frozen=True, slots=True)
class Spoken:
    """One run of an agent, to its end."""

    task: Task
    """As the run left it."""
    step: Step
    ended: Ended
    stop: Stop | None
    hold: Hold | None = None
    """Set where a guard stopped it."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A step that ended, with the state it left behind."""

    task: Task
    step: Step
    ended: Ended
    stop: Stop | None
    checkpoint: Checkpoint
    total: DiffStat
    """What changed since the task began."""
    changed: bool
    """Whether the tree differs from where the task began."""
    vouchers: dict[str, str] = field(default_factory=dict)
    """The attempt's columns that vouch for the saved parts of a soft resume."""
    recorded: bool = False
    """Whether the step is closed and paid for already."""
    apart: bool = False
    """Whether it happened in a scratch, so that nothing of it is in the workspace."""
    hold: Hold | None = None
    """Set where a guard stopped it."""
    seen: Observation | None = None
    """What it tells the breaker."""

    @property
    def holds(self) -> bool:
        """Whether a task that waits now has changes in the workspace, which nobody else may work on then."""
        return self.changed and not self.apart

    @property
    def plain(self) -> bool:
        """Whether the agent simply finished: it was not stopped, did not fail, and asks nothing."""
        done = self.stop is None and self.ended.outcome == "done" and not self.ended.blocker
        return done and self.question is None

    @property
    def question(self) -> Detection | None:
        """What the person is asked, structured by the agent or found in its last words."""
        if self.stop or self.ended.blocker or self.ended.outcome not in ("asked", "done"):
            return None
        if self.ended.outcome == "asked":
            return questions.detected(self.ended)
        found = detect(self.ended.text)
        return found if found.asks else None
