"""What the engine needs from an agent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from pilothouse.domain.task.task import ErrorKind, PermissionMode


@dataclass(frozen=True, slots=True)
class Workbench:
    """Where an agent that takes MCP servers finds our tools, for this spawn only."""

    url: str
    token: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person decided about the permission the last run ended with, or about its plan.

    A plan is approved with `once` and sent back with `deny`, the words for that in `reason`.
    """

    choice: Literal["once", "session", "deny"]
    reason: str = ""
    tool: str = ""
    detail: str = ""
    """Of what was asked for; empty for a plan."""
    call: str = ""
    """As `Permission.call` named it, or `plan_call` the plan: with `once` that alone passes when it is asked again."""
    told: bool = False
    """Whether an earlier run was told of it, and may have used it up."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which model an agent is to use, where it has more than one; None leaves it to the agent."""

    model: str | None = None
    effort: str | None = None


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
    """What the agent is asked for: `edit`, `fix`, `replan`, `summarise`, `stuck`, `ask`, `scout A` or `scout B`."""
    turn: int = 1
    """How many times it has been asked for that in this task, this one included."""
    read_only: bool = False
    """It may look, and write nothing."""
    session: str = ""
    """Our own session: a process that is kept warm belongs to one, and serves no other after its first turn."""
    choice: Choice = field(default_factory=Choice)
    permission_mode: PermissionMode = PermissionMode.EDITS
    tools: tuple[str, ...] | None = None
    """The only tools it may use, checked against the whitelist; None leaves it to the agent."""
    granted: tuple[str, ...] = ()
    """What the person allowed for the whole session, as `Permission.grant` named it."""
    decision: Decision | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    """Question to answer, when the last run ended with `Ended.questions`; of several choices joined by “, ”."""
    instructions: str = ""
    """Added to the agent's system prompt: the instructions files of the person and the project."""
    workbench: Workbench | None = None
    settings_of: tuple[Path, ...] = ()
    """Folders whose settings hold beside those of `workspace`, which may be a copy without them."""
    task: str = ""
    """Our own task: another one is another message of the person."""
    digest: str = ""
    """With `resume`: what an agent is told first that cannot continue it, and so remembers nothing."""
    since: str = ""
    """What happened since the agent spoke last, for a `reply` that goes without the prompt, which says it too."""


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
class AgentQuestion:
    """One question of a form the agent put up; `options` empty asks for text."""

    text: str
    header: str = ""
    options: tuple[QuestionOption, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class Permission:
    """A tool the agent wants to use and may not yet."""

    tool: str
    detail: str
    """What it would do, in one line: the command, the file."""
    arguments: Mapping[str, object] = field(default_factory=dict)
    grant: str = ""
    """What “always in this session” would allow; handed back in `SpawnRequest.granted`."""
    call: str = ""
    """Tells this very call from all others, where the agent cannot do so by itself; handed back in `Decision.call`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the run has used since the last one of these: differences, never running totals.

    It is told while the run goes on, so that a budget can end it. A negative one takes back what was told too much.
    """

    cost_usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    model: str = ""
    """The one that answered."""


@dataclass(frozen=True, slots=True)
class Context:
    """How full the agent's memory is."""

    tokens: int
    window: int


@dataclass(frozen=True, slots=True)
class LimitReached:
    """The provider takes no more for now; `resets_at` where it says when."""

    message: str
    resets_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Retrying:
    """The provider does not answer now; the same is asked again in so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Steered:
    """The agent has taken in a message that was sent while it worked."""

    message_id: str


@dataclass(frozen=True, slots=True)
class Fresh:
    """The agent's session could not be continued: the run began a new one, with `SpawnRequest.digest` first."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """Always the last event of a run, also when the program died or was stopped."""

    outcome: Literal["done", "asked", "permission", "failed", "crashed"]
    text: str = ""
    """The agent's final words."""
    question: str | None = None
    options: tuple[QuestionOption, ...] = ()
    error_kind: ErrorKind | None = None
    message: str = ""
    exit_code: int | None = None
    left: tuple[str, ...] = ()
    """Processes of the run that could not be ended: pid, then command."""
    questions: tuple[AgentQuestion, ...] = ()
    """With `asked`: the form the agent put up, where it has a tool for that; else `question` is in its words."""
    plan: str | None = None
    """With `asked`: the plan the person is to approve."""
    permission: Permission | None = None
    limit: LimitReached | None = None
    """With `failed`: the provider's usage limit was reached."""
    blocker: str = ""
    """With `done`: what the agent says it cannot go on without."""
    answer: Mapping[str, object] | None = None
    """What it gave by the workbench's tool `answer`, where it was asked for one."""
    denied: tuple[str, ...] = ()
    """Tools that were refused on the way, each with what it would have done."""
    unheard: bool = False
    """Whether the run was over before the agent was told anything."""


AgentEvent = (
    AgentSession
    | TextOut
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | Heartbeat
    | Usage
    | Context
    | Retrying
    | Steered
    | Fresh
    | Ended
)


@dataclass(frozen=True, slots=True)
class ProcessMark:
    """A process, told apart from a later one with the same pid."""

    pid: int
    started: float


class AgentRun(Protocol):
    """Adapters inherit from it: what an agent cannot do is answered here."""

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

    async def steer(self, message_id: str, text: str) -> bool:
        """Hand over a message while it works; False where the agent cannot. `Steered` tells that it was taken in."""
        return False

    async def withdraw(self, message_id: str) -> bool:
        """Take back a message that was handed over; False where it is too late, or the agent cannot."""
        return False

    async def interrupt(self) -> None:
        """End this turn but not the conversation; where the agent cannot, the run is stopped."""
        await self.stop()


@dataclass(frozen=True, slots=True)
class AgentHealth:
    name: str
    label: str
    installed: bool
    ready: bool
    version: str | None = None
    problem: str = ""
    fix: str = ""
    program: str = ""
    """Which one runs, where there may be several."""
    credentials: bool | None = None
    """None where that can only be found out by a run."""
    models: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    capabilities: frozenset[str] = frozenset()
    """Of `questions`, `permissions`, `steering`, `mcp`, `read_only`, `cost`, `context`."""


class Agent(Protocol):
    """Adapters inherit from it: what an agent cannot do is answered here."""

    @property
    def name(self) -> str: ...

    @property
    def remembers(self) -> bool:
        """Whether the next message of a thread goes on in the agent's own conversation."""
        return False

    @property
    def enforces_read_only(self) -> bool:
        """Whether a read-only run cannot write; where it could, it works in a copy of the workspace."""
        return False

    @property
    def withdraws(self) -> bool:
        """Whether `AgentRun.withdraw` can succeed, so that it is worth offering."""
        return False

    async def health(self) -> AgentHealth: ...

    async def withheld(self, files: Sequence[Path], workspace: Path, settings_of: Sequence[Path]) -> frozenset[Path]:
        """Those of these files that the person's settings keep from the agent's provider."""
        return frozenset()

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        """Refuse before anything runs: raises `NoCredentials` or `BadConfiguration` with the way to fix it."""
        ...

    async def start(self, request: SpawnRequest) -> AgentRun: ...

    async def prepare(self, request: SpawnRequest) -> None:
        """Have a process ready for the first run of a new session, where the agent gains by it; sends no prompt."""
        return

    def keep(self, most: int, idle_seconds: float) -> None:
        """How many processes may be kept ready from now on, and for how long unused."""
        return

    async def revoke(self, session: str, grant: str) -> None:
        """Ask again for what was allowed for a session, where that is possible also in a run that is under way."""
        await self.forget(session)

    async def forget(self, session: str | None = None) -> None:
        """End what is kept warm for one of our sessions, or for all: its files were rolled back, or we shut down.

        A process that serves a run meanwhile is ended with the run, and kept for no other.
        """
        return


Agents = Mapping[str, Agent]
