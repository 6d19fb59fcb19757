"""What goes over HTTP. The front end's types are generated from these."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    StrictBool,
    StringConstraints,
    field_validator,
)
from pydantic_core import PydanticCustomError

from pilothouse.domain.events import AnyEvent
from pilothouse.domain.sessions import SessionKind, SessionStatus
from pilothouse.domain.tasks import (
    Action,
    AttemptMode,
    Awaiting,
    ErrorKind,
    ResumeMode,
    StepKind,
    TaskStatus,
    Verdict,
)

if TYPE_CHECKING:
    from pilothouse.engine.controls import ResumeView
    from pilothouse.engine.rollback import RolledBack
    from pilothouse.git.model import DiffStat

PROMPT_LIMIT = 100_000
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def _is_text(value: str) -> str:
    if len(value) > PROMPT_LIMIT:
        raise PydanticCustomError("too_large", "is longer than {limit} characters", {"limit": PROMPT_LIMIT})
    if not value.strip():
        raise PydanticCustomError("blank", "must not be blank")
    return value


def has_unsafe_characters(value: object) -> bool:
    """Whether any text in `value` holds a control character (other than tab and line ends) or half a surrogate pair."""
    if isinstance(value, str):
        return bool(_UNSAFE.search(value))
    if isinstance(value, list):
        return any(has_unsafe_characters(item) for item in value)
    if isinstance(value, dict):
        return any(has_unsafe_characters(part) for item in value.items() for part in item)
    return False


LongText = Annotated[
    str,
    AfterValidator(_is_text),
    Field(json_schema_extra={"minLength": 1, "maxLength": PROMPT_LIMIT}),
]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
ListItem = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
PathText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4096)]


class In(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_unsafe_characters(cls, value: object) -> object:
        if has_unsafe_characters(value):
            raise PydanticCustomError("unsafe_characters", "holds control characters")
        return value


class Out(BaseModel):
    model_config = ConfigDict(from_attributes=True, frozen=True, json_schema_serialization_defaults_required=True)


class ErrorOut(Out):
    error: str
    message: str
    next_action: str
    details: dict[str, object] | None = None


class LoginIn(In):
    token: Annotated[str, StringConstraints(max_length=512)]


class OkOut(Out):
    success: bool = True


class SuggestionOut(Out):
    title: str
    prompt: str


class ProjectIn(In):
    path: PathText


class WorkspaceOut(Out):
    id: str
    path: str
    held: bool
    held_reason: str


class ProjectOut(Out):
    id: str
    path: str
    name: str
    agent: str | None
    sample: bool
    added_at: datetime
    workspace: WorkspaceOut
    sessions: int
    branch: str | None = None
    problem: str | None = Field(None, description="Why the project cannot be used now, with what to do.")
    suggestions: list[SuggestionOut] = []


class ProjectList(Out):
    items: list[ProjectOut]


class MessageIn(In):
    text: LongText
    constraints: list[ListItem] = Field(default=[], max_length=50)
    non_goals: list[ListItem] = Field(default=[], max_length=50)
    boundaries: list[ListItem] = Field(default=[], max_length=50)
    timeout_profile: Literal["standard", "long", "extended"] = "standard"
    agent: str | None = Field(None, max_length=100)


class SessionIn(In):
    project_path: PathText
    kind: SessionKind = SessionKind.CHAT
    title: Title | None = Field(None, description="Without it, the first line of the message.")
    agent: str | None = Field(None, max_length=100)
    message: MessageIn | None = Field(None, description="The first message, so that both are made or neither.")


class SessionPatch(In):
    title: Title | None = None
    archived: StrictBool | None = None


class SessionOut(Out):
    id: str
    project_id: str
    project_path: str
    project_name: str
    workspace_id: str
    slug: str
    kind: SessionKind
    title: str
    status: SessionStatus
    agent: str | None
    archived: bool
    deleted: bool
    created_at: datetime
    updated_at: datetime
    group: Literal["needs_you", "running", "queued", "recent"]
    current_task_id: str | None = Field(None, description="The task the group comes from, else the newest.")
    task_status: TaskStatus | None = None
    awaiting: Awaiting | None = None
    verdict: Verdict | None = None
    doing: str = Field("", description="What it is doing, in words.")
    tasks: int = 0
    cost_usd: float = 0.0


class SessionList(Out):
    items: list[SessionOut]
    next_cursor: str | None = None
    counts: dict[str, int] = Field(default={}, description="Sessions per group, over all pages.")


class ReplyEntry(Out):
    content: str
    timestamp: datetime
    question: str = ""
    attempt: int
    replayed: bool = False


class OptionOut(Out):
    value: str
    label: str
    recommended: bool = False


class TaskOut(Out):
    task_id: str
    session_id: str
    project_id: str
    session_slug: str
    workspace_id: str
    status: TaskStatus
    awaiting: Awaiting | None
    verdict: Verdict | None
    error_kind: ErrorKind | None
    error_message: str | None
    prompt: str
    constraints: list[str]
    non_goals: list[str]
    boundaries: list[str]
    agent: str
    timeout_profile: str
    output: str
    summary: str
    question: str | None
    options: list[OptionOut] = []
    milestone: str
    attempt: int
    reply_history: list[ReplyEntry]
    position: int | None = Field(None, description="Place in the queue from 1, while queued.")
    waits_for: str | None = Field(None, description="What it waits for, in words, while queued.")
    holds_workspace: bool
    actions: list[Action] = Field(description="What a person may do now.")
    newest_of_workspace: bool = Field(description="Whether its changes can be rolled back or committed (WEB-13).")
    rollback_id: str | None = Field(None, description="The newest rollback that can be undone.")
    files_changed: int
    insertions: int
    deletions: int
    cost_usd: float
    submitted_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    updated_at: datetime


class TaskList(Out):
    items: list[TaskOut]
    next_cursor: str | None = None


class ReplyIn(In):
    reply: LongText = Field(description="Up to 100,000 characters; not blank.")


class ReplyOut(Out):
    success: bool = True
    task_id: str
    old_status: TaskStatus
    new_status: TaskStatus


class CancelIn(In):
    hold: StrictBool = Field(False, description="Also hold the workspace's queue.")


class CancelOut(Out):
    success: bool = True
    task_id: str
    old_status: TaskStatus
    new_status: TaskStatus | None = Field(description="Null when the task had not started: it is gone without a trace.")
    prompt: str = Field(description="The text, for the composer's draft.")


class ResumeIn(In):
    mode: ResumeMode = ResumeMode.ROLLBACK


class ResumeOut(Out):
    success: bool = True
    task_id: str
    mode: ResumeMode
    attempt: int
    new_status: TaskStatus
    rollback_id: str | None = None


class FileChangeOut(Out):
    path: str
    old_path: str | None = None
    status: Literal["added", "modified", "deleted", "renamed", "type"]
    insertions: int | None
    deletions: int | None
    binary: bool = False


class StatOut(Out):
    files: list[FileChangeOut]
    files_changed: int
    insertions: int
    deletions: int

    @classmethod
    def of(cls, stat: DiffStat) -> Self:
        return cls(
            files=[FileChangeOut.model_validate(file) for file in stat.files],
            files_changed=len(stat.files),
            insertions=stat.insertions,
            deletions=stat.deletions,
        )


class SavedPart(Out):
    name: Literal["patch", "step_log", "failure_summary"]
    saved: bool
    detail: str


class ResumeOptions(Out):
    happened: str
    default: ResumeMode = ResumeMode.ROLLBACK
    why: str
    saved: list[SavedPart]
    soft_available: bool
    soft_problem: str | None
    takes_away: StatOut = Field(description="What a rollback would take away.")
    replies: int = Field(description="Recorded replies that a replay brings back.")

    @classmethod
    def of(cls, view: ResumeView) -> Self:
        return cls(
            happened=view.happened,
            default=view.default,
            why=view.why,
            saved=[SavedPart.model_validate(part) for part in view.saved],
            soft_available=view.soft_available,
            soft_problem=view.soft_problem,
            takes_away=StatOut.of(view.takes_away),
            replies=view.replies,
        )


class RollbackOut(Out):
    success: bool = True
    rollback_id: str
    took_away: StatOut
    other_branches: list[str] = []

    @classmethod
    def of(cls, done: RolledBack) -> Self:
        return cls(
            rollback_id=done.rollback_id, took_away=StatOut.of(done.stat), other_branches=list(done.other_branches)
        )


class UndoIn(In):
    rollback_id: str | None = Field(None, max_length=64, description="The newest when omitted.")


class DiffOut(Out):
    stat: StatOut
    patch: str
    truncated: bool = Field(description="The patch is cut at 1 MB; ask for single files with `path`.")


class StepOut(Out):
    id: str
    attempt: int
    number: int
    kind: StepKind
    prompt: str
    outcome: str | None
    detail: str
    exit_code: int | None
    started_at: datetime
    finished_at: datetime | None
    output_from: int
    output_to: int
    files_changed: int
    insertions: int
    deletions: int
    cost_usd: float


class AttemptOut(Out):
    number: int
    mode: AttemptMode
    started_at: datetime
    finished_at: datetime | None
    outcome: str | None
    output_bytes: int
    steps: list[StepOut]


class AttemptList(Out):
    items: list[AttemptOut]


class OutputPage(Out):
    task_id: str
    attempt: int
    offset: int
    text: str
    next_offset: int = Field(description="Where the next page begins; equals `total` at the end.")
    total: int
    live: bool = Field(description="More may come.")


class QueueItem(Out):
    task_id: str
    session_id: str
    session_slug: str
    session_title: str
    prompt: str
    agent: str
    status: TaskStatus
    awaiting: Awaiting | None
    position: int
    waits_for: str
    submitted_at: datetime


class QueueOut(Out):
    workspace_id: str
    project_id: str
    path: str
    held: bool
    held_reason: str
    running: QueueItem | None
    holder: QueueItem | None = Field(None, description="The waiting task whose changes hold the workspace.")
    ways_out: list[Action] = Field(default=[], description="What frees it.")
    items: list[QueueItem]


class QueueList(Out):
    items: list[QueueOut]


class HoldIn(In):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""


class ChangedFileOut(Out):
    path: str
    old_path: str | None = None
    status: Literal["added", "modified", "deleted", "renamed", "type", "untracked", "conflict"]
    staged: bool


class ChangesOut(Out):
    """What the project's working tree holds over its last commit."""

    branch: str | None
    files: list[ChangedFileOut]
    busy: str | None = Field(None, description="Why a commit is not possible now.")


class CommitIn(In):
    message: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
    paths: list[Annotated[str, StringConstraints(min_length=1, max_length=4096)]] | None = Field(None, max_length=5000)
    task_id: str | None = Field(None, max_length=64, description="The task whose changes these are, for the log.")


class CommitOut(Out):
    success: bool = True
    commit: str
    files: int


class EventPage(Out):
    items: list[AnyEvent]
    next_since: int
    more: bool


class AgentOut(Out):
    name: str
    label: str
    installed: bool
    ready: bool
    version: str | None
    problem: str
    fix: str


class AgentList(Out):
    items: list[AgentOut]


class RunnerOut(Out):
    state: Literal["running", "stopping", "stopped"]
    boot_id: str
    version: str
    started_at: datetime
    uptime_seconds: float
    running: int
    queued: int


class RunnerStopIn(In):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""


class NoticeOut(Out):
    """Something the person must know about the installation itself."""

    id: str
    code: str
    message: str
    details: list[str] = []
    at: datetime


class StateOut(Out):
    """What the page needs first."""

    version: str
    seq: int
    runner: RunnerOut
    agents: list[AgentOut]
    notices: list[NoticeOut]
    lan: bool


class CheckOut(Out):
    name: str
    ok: bool
    detail: str
    fix: str = ""


class HealthOut(Out):
    status: Literal["healthy", "degraded"]
    version: str
    uptime: float
    checks: dict[str, bool]


class StreamEvent(Out):
    """A stored event, on the socket."""

    type: Literal["event"] = "event"
    event: AnyEvent


class StreamOutput(Out):
    """Text a task has just written. An offset beyond what a client holds means: fetch what is between."""

    type: Literal["output"] = "output"
    task_id: str
    attempt: int
    offset: int
    text: str


class StreamQueue(Out):
    """A queue has changed: fetch it again."""

    type: Literal["queue"] = "queue"
    workspace_id: str
    task_id: str | None = Field(None, description="The task that came, went or moved.")
    session_id: str | None = None
    project_id: str | None = None


class StreamProgress(Out):
    type: Literal["progress"] = "progress"
    task_id: str
    attempt: int
    kind: Literal["heartbeat", "tool", "log"]
    tool: str | None = None
    detail: str | None = None
    age_seconds: float | None = None


class StreamRunner(Out):
    type: Literal["runner"] = "runner"
    state: Literal["running", "stopping", "stopped"]


class StreamReady(Out):
    """Everything up to `seq` has been sent; what follows is live."""

    type: Literal["ready"] = "ready"
    seq: int


class StreamPing(Out):
    type: Literal["ping"] = "ping"


StreamItem = Annotated[
    StreamEvent | StreamOutput | StreamQueue | StreamProgress | StreamRunner | StreamReady | StreamPing,
    Field(discriminator="type"),
]


class StreamFrame(RootModel[list[StreamItem]]):
    """What one message of the socket holds."""


class Subscribe(In):
    since: int | None = Field(
        None, ge=0, le=2**53, description="The last event the client holds; may be left out when it subscribes again."
    )
    session: str | None = Field(None, max_length=64, description="Only events of this session.")
    tasks: list[Annotated[str, StringConstraints(max_length=64)]] = Field(
        default=[], max_length=100, description="Tasks whose output is wanted."
    )


class SubscribeFrame(In):
    """What a client sends over the socket."""

    subscribe: Subscribe


STREAM_MODELS = (StreamFrame, SubscribeFrame)
