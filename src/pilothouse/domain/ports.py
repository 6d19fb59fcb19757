"""What the engine needs from an agent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from pilothouse.domain.tasks import ErrorKind


@dataclass(frozen=True, slots=True)
class SpawnRequest:
    """One run of an agent program."""

    spawn_id: str
    workspace: Path
    prompt: str
    log_path: Path
    """Every byte the program prints goes here."""
    resume: str | None = None
    """The agent's own session to continue, as it told us in `AgentSession`."""
    reply: str | None = None
    """The person's answer, when this spawn continues after a question."""
    extra_env: Mapping[str, str] = field(default_factory=dict)
    """What the person configured, on top of the allow-list."""
    role: str = "edit"
    """What the agent is asked for: `edit`, `fix`, `replan`, `summarise`, `stuck`, `scout A` or `scout B`."""
    turn: int = 1
    """How many times it has been asked for that in this task, this one included."""
    read_only: bool = False
    """It may look, and write nothing."""


@dataclass(frozen=True, slots=True)
class AgentSession:
    """The agent's name for this conversation; hand it back in `SpawnRequest.resume`."""

    id: str


@dataclass(frozen=True, slots=True)
class TextOut:
    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    tool_id: str
    name: str
    detail: str = ""
    pid: int | None = None


@dataclass(frozen=True, slots=True)
class ToolProgress:
    tool_id: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ToolFinished:
    tool_id: str
    ok: bool
    detail: str = ""
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    pass


@dataclass(frozen=True, slots=True)
class QuestionOption:
    value: str
    label: str
    recommended: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    cost_usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """Always the last event of a run, also when the program died or was stopped."""

    outcome: Literal["done", "asked", "failed", "crashed"]
    text: str = ""
    """The agent's final words."""
    question: str | None = None
    options: tuple[QuestionOption, ...] = ()
    error_kind: ErrorKind | None = None
    message: str = ""
    exit_code: int | None = None
    left: tuple[str, ...] = ()
    """Processes of the run that could not be ended: pid, then command."""


AgentEvent = AgentSession | TextOut | ToolStarted | ToolProgress | ToolFinished | Heartbeat | Usage | Ended


@dataclass(frozen=True, slots=True)
class ProcessMark:
    """A process, told apart from a later one with the same pid."""

    pid: int
    started: float


class AgentRun(Protocol):
    @property
    def process(self) -> ProcessMark: ...

    def events(self) -> AsyncIterator[AgentEvent]:
        """Everything the run tells, ending with exactly one `Ended`. Read once, by one reader, to the end."""
        ...

    def alive(self) -> bool:
        """Whether the program, or a tool it started, still lives."""
        ...

    def tool_alive(self) -> bool:
        """Whether a process other than the agent program itself lives below it."""
        ...

    async def stop(self, grace: float = 5.0) -> None:
        """SIGTERM to everything below the keeper, `grace` seconds, SIGKILL; returns when nothing is left."""
        ...


@dataclass(frozen=True, slots=True)
class AgentHealth:
    name: str
    label: str
    installed: bool
    ready: bool
    version: str | None = None
    problem: str = ""
    fix: str = ""


class Agent(Protocol):
    @property
    def name(self) -> str: ...

    async def health(self) -> AgentHealth: ...

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        """Refuse before anything runs: raises `NoCredentials` or `BadConfiguration` with the way to fix it."""
        ...

    async def start(self, request: SpawnRequest) -> AgentRun: ...


Agents = Mapping[str, Agent]
