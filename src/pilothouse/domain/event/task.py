"""What the log says of tasks."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from pilothouse.domain.event.payload import EventData
from pilothouse.domain.task.doubts import DoubtKind, Severity
from pilothouse.words.fields import Saying


class FindingOut(Saying):
    """A doubt, by the name that it has in the log and over HTTP."""

    model_config = ConfigDict(frozen=True, from_attributes=True, json_schema_serialization_defaults_required=True)
    kind: DoubtKind
    path: str
    message: str
    line: int | None = None
    name: str = ""
    id: str = Field("", exclude_if=lambda id: not id)
    severity: Severity | None = Field(None, exclude_if=lambda severity: severity is None)


class TaskStarted(EventData):
    """The first stored event of a task: until it is claimed, a task leaves no trace."""

    type = "task.started"
    prompt: str
    agent: str
    workspace_id: str
    submitted_at: datetime
    constraints: list[str] = Field(default=[])
    non_goals: list[str] = Field(default=[])
    boundaries: list[str] = Field(default=[])
    timeout_profile: str = "standard"


class TaskMilestone(EventData):
    """What is happening, in plain words; `code` lets a screen translate it."""

    type = "task.milestone"
    attempt: int
    code: str
    text: str
    current: int | None = None
    total: int | None = None


class TaskAwaiting(EventData):
    type = "task.awaiting"
    attempt: int
    awaiting: str
    reason: str
    holds_workspace: bool = False


class TaskCompleted(EventData):
    type = "task.completed"
    attempt: int
    verdict: str
    summary: str
    files_changed: int = 0
    insertions: int = 0
    deletions: int = 0
    doubts: int = 0
    """How many serious ones the verdict carries."""


class TaskFailed(EventData):
    type = "task.failed"
    attempt: int
    error_kind: str
    message: str


class TaskCancelled(EventData):
    type = "task.cancelled"
    attempt: int
    old_status: str
    holds: bool = False
    """Whether the person also held the queue."""


class TaskReplied(EventData):
    type = "task.replied"
    attempt: int
    reply: str
    question: str = ""
    replayed: bool = False


class TaskResumed(EventData):
    type = "task.resumed"
    attempt: int
    mode: str


class TaskRolledBack(EventData):
    type = "task.rolled_back"
    rollback_id: str
    checkpoint: str
    undo: str
    files: int
    insertions: int
    deletions: int
    replay: bool = False
    other_branches: list[str] = Field(default=[])


class TaskRollbackUndone(EventData):
    type = "task.rollback_undone"
    rollback_id: str
    checkpoint: str


class TaskRefRestored(EventData):
    """A person had a branch, a tag or a stash set to what it was when the task began."""

    type = "task.ref_restored"
    kind: Literal["branch", "tag", "stash"]
    name: str
    commit: str
    was: str | None = None
    """What it was until then; null where it was gone."""


class TaskCommitted(EventData):
    type = "task.committed"
    commit: str
    message: str
    files: int
    project_id: str = ""
    accepted: list[str] = Field(default=[])
    """Digests of the repository's own programs that the person let run with it."""


class TaskVerified(EventData):
    """The project's checks were run. `loop` is 0 where no loop was consumed."""

    type = "task.verified"
    attempt: int
    run_id: str
    purpose: Literal["verify", "base_tests", "pinned"] = "verify"
    result: Literal["PASS", "FAIL", "INFRASTRUCTURE"]
    loop: int
    of: int
    failing: str = ""
    first_failing_line: str = ""
    duration_ms: int


class TaskFindings(EventData):
    """What a person should see before they call the change done; replaces what was found before."""

    type = "task.findings"
    attempt: int
    findings: list[FindingOut]


class TaskDoubtAccepted(EventData):
    """A person looked at a doubt and says why it is all right."""

    type = "task.doubt_accepted"
    attempt: int
    doubt: str
    kind: DoubtKind
    path: str
    reason: str
    left: int
    """How many serious ones are left."""


class TaskStuck(EventData):
    type = "task.stuck"
    attempt: int
    loops: int
    message: str
    run_ids: list[str]


class TaskApplied(EventData):
    """A dry run's proposal was written to the workspace."""

    type = "task.applied"
    attempt: int
    merged: bool
    files: int


class TaskDiscarded(EventData):
    type = "task.discarded"
    attempt: int


EVENTS: tuple[type[EventData], ...] = (
    TaskStarted,
    TaskMilestone,
    TaskAwaiting,
    TaskCompleted,
    TaskFailed,
    TaskCancelled,
    TaskReplied,
    TaskResumed,
    TaskRolledBack,
    TaskRollbackUndone,
    TaskRefRestored,
    TaskCommitted,
    TaskVerified,
    TaskFindings,
    TaskDoubtAccepted,
    TaskStuck,
    TaskApplied,
    TaskDiscarded,
)
