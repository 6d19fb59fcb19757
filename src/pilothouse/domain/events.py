"""The append-only log: frozen, tagged, numbered facts that every screen is drawn from.

One payload model per type. A stored event never changes shape: a new field gets a default, so that old events always
load (tests/golden/ holds one of each). `question.*` keeps the camelCase names of the file format it shares.
"""

from __future__ import annotations

from datetime import datetime
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from pilothouse.domain.event_data import EventData as EventData
from pilothouse.domain.findings import FindingKind
from pilothouse.domain.guard_events import GuardBreaker, GuardBudget, GuardDecided, GuardLimit
from pilothouse.domain.operation_events import RunnerOperationFinished, RunnerOperationStarted
from pilothouse.domain.setting_events import ProjectChanged, SettingsChanged
from pilothouse.domain.talk_events import TALK_EVENTS
from pilothouse.domain.usage_events import USAGE_EVENTS
from pilothouse.domain.workbench_events import WorkbenchCalled
from pilothouse.words.fields import Saying


class FindingOut(Saying):
    model_config = ConfigDict(frozen=True, from_attributes=True, json_schema_serialization_defaults_required=True)
    kind: FindingKind
    path: str
    message: str
    line: int | None = None
    name: str = ""


class ProjectAdded(EventData):
    type = "project.added"
    project_id: str
    path: str
    name: str


class ProjectChecksChanged(EventData):
    type = "project.checks_changed"
    project_id: str
    checks: list[str] | None = None


class SessionCreated(EventData):
    type = "session.created"
    project_id: str
    workspace_id: str
    slug: str
    kind: str
    title: str
    agent: str | None = None


class SessionChanged(EventData):
    """Only what changed is set."""

    type = "session.changed"
    title: str | None = None
    status: str | None = None
    archived: bool | None = None
    deleted: bool | None = None
    budget: dict[str, float | None] | None = None


class WorkspaceHeld(EventData):
    type = "workspace.held"
    workspace_id: str
    reason: str


class WorkspaceReleased(EventData):
    type = "workspace.released"
    workspace_id: str


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


class TaskCommitted(EventData):
    type = "task.committed"
    commit: str
    message: str
    files: int
    project_id: str = ""


class TaskVerified(EventData):
    """The project's checks were run. `loop` is 0 where no loop was consumed."""

    type = "task.verified"
    attempt: int
    run_id: str
    purpose: Literal["verify", "base_tests"] = "verify"
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


class AttemptStarted(EventData):
    type = "attempt.started"
    attempt: int
    mode: str
    checkpoint: str | None = None


class AttemptFinished(EventData):
    type = "attempt.finished"
    attempt: int
    outcome: str
    duration_ms: int


class StepStarted(EventData):
    type = "step.started"
    step_id: str
    attempt: int
    number: int
    kind: str
    name: str = ""


class StepFinished(EventData):
    type = "step.finished"
    step_id: str
    attempt: int
    number: int
    kind: str
    outcome: str
    name: str = ""
    detail: str = ""
    run_id: str | None = None
    duration_ms: int = 0
    files_changed: int = 0
    insertions: int = 0
    deletions: int = 0
    cost_usd: float = 0.0


class ToolEvent(EventData):
    step_id: str
    attempt: int
    tool_id: str
    name: str
    detail: str = ""


class StepToolStarted(ToolEvent):
    type = "step.tool_started"


class StepToolFinished(ToolEvent):
    type = "step.tool_finished"
    ok: bool = True
    exit_code: int | None = None
    duration_ms: int = 0


class Option(BaseModel):
    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)
    value: str
    label: str
    recommended: bool = False


class QuestionAsked(EventData):
    type = "question.asked"
    sessionId: str  # noqa: N815
    questionId: str  # noqa: N815
    kind: str = Field(default="text", description="single_choice, multi_choice, text or confirmation")
    text: str
    options: list[Option] = Field(default=[])
    required: bool = True
    header: str = ""


class QuestionAnswered(EventData):
    type = "question.answered"
    sessionId: str  # noqa: N815
    questionId: str  # noqa: N815
    answer: str
    replayed: bool = False


class GuardTimeout(EventData):
    type = "guard.timeout"
    attempt: int
    limit: Literal["idle", "hard"]
    seconds: float


class GuardAbsent(EventData):
    """The program is gone and nothing was heard for as long as the setting allows."""

    type = "guard.absent"
    attempt: int
    silent_seconds: float


class GuardStrays(EventData):
    type = "guard.strays"
    ended: list[str]
    remaining: list[str] = Field(default=[])
    """Those that could not be ended."""


class RunnerStarted(EventData):
    type = "runner.started"
    boot_id: str
    version: str
    interrupted: int = 0


class RunnerStopped(EventData):
    type = "runner.stopped"
    boot_id: str
    reason: str


class StorageMirrorRebuilt(EventData):
    type = "storage.mirror_rebuilt"
    files: list[str]


class StorageRestored(EventData):
    """The database was damaged and came back from a backup; `lost` says in words what is missing."""

    type = "storage.restored"
    backup: str
    backup_at: datetime
    lost: list[str] = Field(default=[])


EVENT_DATA: dict[str, type[EventData]] = {
    model.type: model
    for model in (
        ProjectAdded, ProjectChecksChanged, SessionCreated, SessionChanged, WorkspaceHeld, WorkspaceReleased,
        TaskStarted, TaskMilestone, TaskAwaiting, TaskCompleted, TaskFailed, TaskCancelled, TaskReplied,
        TaskResumed, TaskRolledBack, TaskRollbackUndone, TaskCommitted,
        TaskVerified, TaskFindings, TaskStuck, TaskApplied, TaskDiscarded,
        AttemptStarted, AttemptFinished, StepStarted, StepFinished, StepToolStarted, StepToolFinished,
        QuestionAsked, QuestionAnswered, GuardTimeout, GuardAbsent, GuardStrays,
        GuardBreaker, GuardLimit, GuardBudget, GuardDecided,
        RunnerStarted, RunnerStopped, RunnerOperationStarted, RunnerOperationFinished,
        StorageMirrorRebuilt, StorageRestored, WorkbenchCalled, *USAGE_EVENTS,
        SettingsChanged, ProjectChanged,
    )
} | {model.type: model for model in TALK_EVENTS}  # fmt: skip


class Event(BaseModel):
    """A stored event as clients see it."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)
    seq: int
    at: datetime
    session_id: str | None = None
    task_id: str | None = None
    type: str
    data: Any


def _tagged(model: type[EventData]) -> type[Event]:
    tag: Any = Literal[model.type]
    return create_model(f"{model.__name__}Event", __base__=Event, type=(tag, ...), data=(model, ...))


if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Annotated[reduce(or_, [_tagged(model) for model in EVENT_DATA.values()]), Field(discriminator="type")]

any_event: TypeAdapter[Event] = TypeAdapter(AnyEvent)
