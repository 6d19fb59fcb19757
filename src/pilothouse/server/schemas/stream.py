"""What goes over the socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel, StringConstraints

from pilothouse.domain.event.log import AnyEvent
from pilothouse.domain.operations import OperationKind, OperationOutcome, Phase
from pilothouse.server.schemas.fields import In, Out
from pilothouse.words.fields import Saying


class StreamEvent(Out):
    """A stored event, on the socket."""

    type: Literal["event"] = "event"
    event: AnyEvent


class StreamOutput(Out):
    """Text a task, or an operation on the runner, has just written. An offset beyond what a client holds means: fetch
    what is between."""

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


class StreamUsage(Out):
    """What a spawn that runs has used so far. Not stored; once its step is finished, the task has it."""

    type: Literal["usage"] = "usage"
    task_id: str
    attempt: int
    step_id: str
    model: str
    cost_usd: float
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    context_tokens: int
    context_window: int


class StreamOperation(Out):
    operation_id: str
    kind: OperationKind
    phase: Phase
    outcome: OperationOutcome | None


class StreamRunner(Out):
    """The runner, or an operation on it, has changed."""

    type: Literal["runner"] = "runner"
    state: Literal["running", "stopping", "stopped"]
    operation: StreamOperation | None = None


class StreamNotification(Saying, Out):
    """Something to tell a person who looks elsewhere; with `session_slug` where a click leads."""

    type: Literal["notification"] = "notification"
    tag: str = Field(description="The same for the same thing: a browser with several pages shows it once.")
    title: str
    body: str
    project_id: str | None = None
    session_slug: str | None = None


class StreamReady(Out):
    """Everything up to `seq` has been sent; what follows is live."""

    type: Literal["ready"] = "ready"
    seq: int


class StreamPing(Out):
    type: Literal["ping"] = "ping"


StreamItem = Annotated[
    StreamEvent
    | StreamOutput
    | StreamQueue
    | StreamProgress
    | StreamUsage
    | StreamRunner
    | StreamNotification
    | StreamReady
    | StreamPing,
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
        default=[], max_length=100, description="Tasks, or operations on the runner, whose output is wanted."
    )


class SubscribeFrame(In):
    """What a client sends over the socket."""

    subscribe: Subscribe


STREAM_MODELS = (StreamFrame, SubscribeFrame)
