"""One agent program, the connection to it, and the session it holds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from acp import PROTOCOL_VERSION, RequestError, connect_to_agent, text_block
from acp.schema import (
    ClientCapabilities,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    FileSystemCapabilities,
    HttpHeader,
    HttpMcpServer,
    Implementation,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    ResumeSessionResponse,
    SessionConfigOptionBoolean,
    SessionConfigOptionSelect,
    SessionConfigSelectGroup,
)
from pydantic import ValidationError

from pilothouse import __version__
from pilothouse.agents.acp.client import Desk
from pilothouse.agents.acp.failures import Unusable
from pilothouse.agents.acp.inbox import Inbox, OpenRequest, Over
from pilothouse.agents.acp.presets import WORKBENCH, Preset
from pilothouse.agents.acp.transport import Pipes
from pilothouse.agents.pool import Lease
from pilothouse.domain.ports import AgentEvent, AgentSession, Fresh, SpawnRequest, Workbench
from pilothouse.process.confine import Cage, Identity
from pilothouse.process.spawn import Spawned
from pilothouse.words import listed, say, sentences

_HANDSHAKE = 60.0
_NOT_LOGGED_IN = -32000
_CANCEL = 5.0
_LOOKS, _BETWEEN = 10, 0.05
_CAPABILITIES = ClientCapabilities(
    fs=FileSystemCapabilities(read_text_file=True, write_text_file=True),
    terminal=True,
    elicitation=ElicitationCapabilities(form=ElicitationFormCapabilities()),
)
Opened = NewSessionResponse | LoadSessionResponse | ResumeSessionResponse
ConfigOption = SessionConfigOptionSelect | SessionConfigOptionBoolean


@dataclass(frozen=True)
class Launch:
    """What a program was started with: it serves only runs that would start it the same way."""

    workspace: str
    directory: Identity | None
    """Identifies the directory; another may now have this path."""
    command: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    read_only: bool
    """Whether the agent itself refuses to write, which is settled when it starts. Else we refuse, turn by turn."""
    cage: Cage | str | None


class Conversation:
    def __init__(self, preset: Preset, launch: Launch, spawned: Spawned, desk: Desk, grace: float) -> None:
        self.preset = preset
        self.grace = grace
        self.launch = launch
        self.spawned = spawned
        self.desk = desk
        self.inbox: Inbox = desk.inbox
        self.session = ""
        self.prompted = False
        self.asked: OpenRequest | None = None
        """The open request that the last run ended with."""
        self.model = ""
        self.models: tuple[str, ...] = ()
        self.version: str | None = None
        self._config: list[ConfigOption] = []
        self._modes: frozenset[str] = frozenset()
        self._hello: InitializeResponse | None = None
        self._turn: asyncio.Task[None] | None = None
        self._beside: frozenset[int] = frozenset()
        self._connection = connect_to_agent(desk, Pipes(spawned, self.inbox.room), use_unstable_protocol=True)

    @property
    def id(self) -> str | None:
        """The session it holds; None while nothing has been said in it."""
        return self.session if self.prompted else None

    async def greet(self) -> InitializeResponse:
        """Shake hands, once."""
        if self._hello:
            return self._hello
        async with asyncio.timeout(_HANDSHAKE):
            hello = await self._connection.initialize(
                protocol_version=PROTOCOL_VERSION,
                client_capabilities=_CAPABILITIES,
                client_info=Implementation(name="pilothouse", title="Pilothouse", version=__version__),
            )
        self.version = hello.agent_info.version if hello.agent_info else None
        if hello.protocol_version != PROTOCOL_VERSION:
            label, version = self.preset.label, hello.protocol_version
            ours = str(PROTOCOL_VERSION)
            raise Unusable(say("agent.other_protocol", label=label, version=str(version), ours=ours))
        self._hello = hello
        return hello

    async def open(self, request: SpawnRequest) -> list[AgentEvent]:
        """Take up the session, or begin one; tells which it is."""
        hello = await self.greet()
        try:
            events = await self._session(request, hello)
        except RequestError as error:
            if error.code != _NOT_LOGGED_IN or not await self._log_in(hello):
                raise
            events = await self._session(request, hello)
        await self.choose(request)
        self.inbox.clear()
        return events

    def serve(self, lease: Lease) -> None:
        """Go on for another run; what the program prints from now on is that run's."""
        self.desk.serve(lease)
        self.spawned.log_to(lease.request.log_path)

    async def choose(self, request: SpawnRequest) -> None:
        """Model, effort and the agent's own mode, where it offers them."""
        at_launch = self.preset.model_arguments or self.preset.model_env
        await self._select("model", request.choice.model, required=not at_launch)
        await self._select("thought_level", request.choice.effort)
        asked = self.preset.modes.get(request.permission_mode)
        mode = self.preset.read_only_mode if request.read_only else asked
        if mode in self._modes:
            await self._connection.set_session_mode(session_id=self.session, mode_id=mode)

    def prompt(self, text: str) -> None:
        self.prompted = True
        self.desk.listening = True
        self._beside = frozenset(self._processes())
        self._turn = asyncio.create_task(self._prompt(text), name=f"turn {self.session}")

    async def _prompt(self, text: str) -> None:
        try:
            response = await self._connection.prompt(session_id=self.session, prompt=[text_block(text)])
        except (RequestError, ValidationError, ConnectionError) as error:
            over = Over(error=error)
        else:
            over = Over(response)
        # At once, for the agent may have sent more behind its answer.
        self.desk.listening = False
        self.inbox.put(over)

    async def cancel(self, wait: float = _CANCEL) -> bool:
        """Ask the agent to end its turn; whether it did."""
        if self.asked:
            self.asked.cancel()
            self.asked = None
        if self._turn is None or self._turn.done():
            return True
        with contextlib.suppress(ConnectionError):
            await self._connection.cancel(session_id=self.session)
        done, _ = await asyncio.wait([self._turn], timeout=wait)
        return bool(done)

    async def end(self, grace: float | None = None) -> int:
        """End the program and everything it started, and return its exit code."""
        grace = self.grace if grace is None else grace
        self.inbox.drain()
        await self.desk.terminals.end(grace)
        await self.spawned.stop(grace)
        code = await self.spawned.wait()
        if self._turn:
            await asyncio.wait([self._turn], timeout=_CANCEL)
        await self._connection.close()
        return code

    def alive(self) -> bool:
        return self.spawned.alive()

    def tool_alive(self) -> bool:
        """Whether a process lives that was not there when the turn began: servers it keeps beside it are no tools."""
        return self.desk.terminals.alive() or bool(self._processes() - self._beside)

    async def rests(self) -> bool:
        """Whether nothing would go on changing files while nobody follows. What is just ending may end first."""
        asking = self.asked.call_id if self.asked else ""
        if not self.alive() or set(self.desk.calls.running()) - {asking}:
            return False
        for _ in range(_LOOKS):
            if not self.tool_alive():
                return True
            await asyncio.sleep(_BETWEEN)
        return False

    def _processes(self) -> set[int]:
        return {pid for pid, _ in self.spawned.living()}

    async def _session(self, request: SpawnRequest, hello: InitializeResponse) -> list[AgentEvent]:
        servers = _servers(request.workbench, hello)
        meta = dict(self.preset.read_only_meta or {}) if request.read_only else {}
        events: list[AgentEvent] = []
        if request.resume:
            try:
                return await self._resumed(request, hello, servers, meta)
            except (RequestError, Unusable) as error:
                if isinstance(error, RequestError) and error.code == _NOT_LOGGED_IN:
                    raise
                problem = error.reason if isinstance(error, Unusable) else str(error)
                events.append(
                    Fresh(say("agent.session_lost", label=self.preset.label, session=request.resume, problem=problem))
                )
        opened = await self._connection.new_session(cwd=str(request.workspace), mcp_servers=[*servers], **meta)
        self.session = opened.session_id
        self._offered(opened)
        self.desk.meter.spent = 0.0
        return [*events, AgentSession(self.session)]

    async def _resumed(
        self, request: SpawnRequest, hello: InitializeResponse, servers: list[HttpMcpServer], meta: dict[str, Any]
    ) -> list[AgentEvent]:
        name = request.resume or ""
        can = hello.agent_capabilities
        opened: Opened
        if can and can.session_capabilities and can.session_capabilities.resume:
            opened = await self._connection.resume_session(
                session_id=name, cwd=str(request.workspace), mcp_servers=[*servers], **meta
            )
        elif can and can.load_session:
            opened = await self._connection.load_session(
                session_id=name, cwd=str(request.workspace), mcp_servers=[*servers], **meta
            )
        else:
            raise Unusable(say("agent.keeps_no_sessions"))
        self.session = name
        self.prompted = True
        self._offered(opened)
        return [AgentSession(name)]

    def _offered(self, opened: Opened) -> None:
        self._config = list(opened.config_options or ())
        self._modes = frozenset(mode.id for mode in opened.modes.available_modes) if opened.modes else frozenset()
        option = self._option("model")
        if option:
            self.model, self.models = option.current_value, tuple(_values(option))

    def _option(self, category: str) -> SessionConfigOptionSelect | None:
        found = [option for option in self._config if isinstance(option, SessionConfigOptionSelect)]
        return next((option for option in found if option.category == category or option.id == category), None)

    async def _select(self, category: str, wanted: str | None, required: bool = False) -> None:
        option = self._option(category)
        if wanted is None or (option is None and not required):
            return
        values = _values(option) if option else {}
        value = wanted if wanted in values else next((v for v, name in values.items() if name == wanted), None)
        if option is None or value is None:
            if not required:
                return
            has = say("agent.has_models", models=listed(values)) if values else say("agent.has_no_choice")
            raise Unusable(sentences(say("agent.no_model", label=self.preset.label, model=wanted), has))
        if value != option.current_value:
            changed = await self._connection.set_config_option(
                config_id=option.id, session_id=self.session, value=value
            )
            self._config = list(changed.config_options) or self._config
        if category == "model":
            self.model = value

    async def _log_in(self, hello: InitializeResponse) -> bool:
        """With a key from the environment, for agents that want to be told to use it."""
        offered = {method.id for method in hello.auth_methods or ()}
        for variable, method in self.preset.auth_methods.items():
            if self.launch.env.get(variable) and method in offered:
                await self._connection.authenticate(method_id=method)
                return True
        return False


def _servers(workbench: Workbench | None, hello: InitializeResponse) -> list[HttpMcpServer]:
    can = hello.agent_capabilities.mcp_capabilities if hello.agent_capabilities else None
    if workbench is None or not (can and can.http):
        return []
    headers = [HttpHeader(name="Authorization", value=f"Bearer {workbench.token}")]
    return [HttpMcpServer(type="http", name=WORKBENCH, url=workbench.url, headers=headers)]


def _values(option: SessionConfigOptionSelect) -> dict[str, str]:
    """Value to name."""
    flat = [
        choice
        for entry in option.options
        for choice in (entry.options if isinstance(entry, SessionConfigSelectGroup) else [entry])
    ]
    return {choice.value: choice.name for choice in flat}
