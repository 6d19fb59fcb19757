"""One running Claude Code and what it believes: which conversation, how far, what it has asked for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ClaudeSDKError,
    HookContext,
    HookInput,
    HookJSONOutput,
    HookMatcher,
    Message,
    PermissionResult,
    PermissionResultAllow,
    PermissionResultDeny,
    RateLimitEvent,
    SystemMessage,
    ToolPermissionContext,
    UserMessage,
)

from pilothouse.agents.claude import permissions, transcript
from pilothouse.agents.claude.figures import Account, Figures
from pilothouse.agents.claude.launch import Launch, looking
from pilothouse.agents.claude.transport import ANNOUNCED, KeeperTransport
from pilothouse.domain.agent.tool_policy import SUBAGENT
from pilothouse.domain.ports import ProcessMark, SpawnRequest
from pilothouse.errors import message_of
from pilothouse.process.spawn import Spawned
from pilothouse.words import say, stacked

log = logging.getLogger(__name__)
_WAITING_MESSAGES = 1000
_CONNECTING = 60.0
STOPPED = "This run was stopped."


@dataclass(frozen=True, slots=True)
class Call:
    """A use of a tool that the program may not go on with before it is told."""

    id: str
    name: str
    arguments: dict[str, Any]


class Conversation:
    """Its messages are read by one task for its whole life, also while nobody listens: else requests would hang."""

    def __init__(
        self,
        launch: Launch,
        spawned: Spawned,
        resume: str | None,
        model: str | None,
        config: Path,
        patience: float,
    ) -> None:
        self.launch = launch
        self.spawned = spawned
        self.id = resume
        """The program's own name for the conversation; None before its first turn."""
        self.resumed = resume is not None
        self.turns = 0
        self.account = Account()
        self.priced = False
        """Whether it was asked what its models cost."""
        self.window = 0
        self.open: list[Call] = []
        """Calls that wait for the person."""
        self.planning = False
        self.models: tuple[str, ...] = ()
        self.owner: object | None = None
        """The run it serves."""
        self.asks_first = False
        """Whether the program has asked before using a tool: only then can its tools be limited."""
        self._only: tuple[str, ...] | None = None
        self._ending = False
        """No tool is used until it has ended."""
        self._config = config
        self._patience = patience
        self._model = model
        self._servers: dict[str, Any] = {}
        self._written: transcript.Extent | None = None
        self._known: set[str] = set()
        self._verdicts: dict[str, asyncio.Future[PermissionResult]] = {}
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue(_WAITING_MESSAGES)
        self._transport = KeeperTransport(spawned)
        options = ClaudeAgentOptions(
            can_use_tool=self._may_use, hooks={"PreToolUse": [HookMatcher(hooks=[self._before_use])]}
        )
        self._client = ClaudeSDKClient(options, self._transport)
        self._connecting: asyncio.Task[str] | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def process(self) -> ProcessMark:
        return self.spawned.process

    def alive(self) -> bool:
        return self.spawned.alive()

    def serve(self, owner: object, request: SpawnRequest) -> None:
        """Belong to this run; one that may not write is held to looking, whatever the program was started with."""
        self.owner = owner
        self._only = looking(request)

    def fits(self, request: SpawnRequest, launch: Launch, turns: int) -> bool:
        """Whether it can serve this run at once: it holds the very conversation that is stored, and was started as
        this run would start it."""
        only = looking(request)
        # Subagents have what the program was started with: with them the hook would be all that keeps it from writing.
        held = self.asks_first and only is not None and SUBAGENT not in only and self.launch.beside_tools(launch)
        if not (self.launch == launch or held) or not self.alive() or self.id != request.resume:
            return False
        if self.turns != turns or self.stale():
            return False
        if self.open:
            # Its call is still open, so it can only be answered.
            return request.decision is not None or bool(request.answers) or request.reply is not None
        return self.quiet()

    def warm_up(self, servers: dict[str, Any]) -> None:
        """Start and connect these servers now; later would delay the first turn."""
        self._connecting = asyncio.create_task(self._connect(servers), name="claude warm up")

    async def connect(self) -> str:
        """Empty when the program is ready, else what it said."""
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect({}), name="claude connect")
        return await asyncio.shield(self._connecting)

    async def _connect(self, servers: dict[str, Any]) -> str:
        try:
            async with asyncio.timeout(_CONNECTING):
                await self._client.connect()
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing narrower for a refused request
            return stacked(message_of(error), self.spawned.stderr_tail.strip()) or say("claude.no_answer")
        self._transport.begun = True
        self.models = _models(await self._client.get_server_info())
        self._reading = asyncio.create_task(self._read(), name="claude messages")
        try:
            await self.adopt(self._model, servers)
        except (ClaudeSDKError, TimeoutError) as error:
            # The run tells it again, and why that cannot be.
            log.info("Claude Code was not warmed up: %s", error)
        return ""

    async def _read(self) -> None:
        try:
            async for message in self._client.receive_messages():
                if isinstance(message, AssistantMessage | UserMessage) and message.uuid:
                    self._known.add(message.uuid)
                await self._messages.put(message)
        finally:
            with contextlib.suppress(asyncio.QueueFull):
                self._messages.put_nowait(None)

    async def messages(self) -> AsyncIterator[Message]:
        """Until the program ends; a listener that stops early leaves the rest to the next."""
        while (message := await self._messages.get()) is not None:
            yield message

    def quiet(self) -> bool:
        """Whether the program has said nothing of its own accord since its result; remarks in passing are dropped."""
        while not self._messages.empty():
            message = self._messages.get_nowait()
            if isinstance(message, SystemMessage) and message.subtype != ANNOUNCED:
                continue
            if not isinstance(message, RateLimitEvent):
                return False
        return True

    async def adopt(self, model: str | None, servers: dict[str, Any]) -> None:
        """Bring what can be changed on a living process to what this run asks for."""
        async with asyncio.timeout(self._patience):
            if model != self._model:
                await self._transport.request(subtype="set_model", model=model)
                self._model = model
            if servers != self._servers:
                await self._transport.request(subtype="mcp_set_servers", servers=servers)
                self._servers = servers

    async def send(self, text: str) -> str:
        """The name under which the program says that it has taken the message in."""
        name = str(uuid4())

        async def message() -> AsyncIterator[dict[str, Any]]:
            content = {"role": "user", "content": text}
            # As written: a text that begins with a slash is no command of the program.
            yield {
                "type": "user",
                "message": content,
                "parent_tool_use_id": None,
                "uuid": name,
                "client_composed": True,
            }

        await self._client.query(message())
        self.turns += 1
        return name

    async def ask(self, **request: Any) -> dict[str, Any]:
        async with asyncio.timeout(self._patience):
            return await self._transport.request(**request)

    async def interrupt(self) -> None:
        async with asyncio.timeout(self._patience):
            await self._transport.request(subtype="interrupt")

    def allow(self, call: Call, arguments: dict[str, Any] | None = None) -> None:
        self._decide(call, PermissionResultAllow(updated_input=call.arguments if arguments is None else arguments))

    def deny(self, call: Call, reason: str) -> None:
        self._decide(call, PermissionResultDeny(message=reason))

    def _decide(self, call: Call, verdict: PermissionResult) -> None:
        waiting = self._verdict(call.id)
        if not waiting.done():
            waiting.set_result(verdict)

    async def _may_use(self, name: str, arguments: dict[str, Any], context: ToolPermissionContext) -> PermissionResult:
        """The run decides when it comes to the request in the stream of messages."""
        call = context.tool_use_id or ""
        try:
            return await self._verdict(call)
        finally:
            self._verdicts.pop(call, None)

    async def _before_use(self, given: HookInput, call: str | None, context: HookContext) -> HookJSONOutput:
        """Asked about every use of a tool, also about those that need no permission."""
        self.asks_first = True
        if self._ending:
            return _refused(STOPPED)
        if self._only is None:
            return {}
        its_input, is_subagent = given.get("tool_input"), "agent_id" in given
        arguments = its_input if isinstance(its_input, dict) else {}
        reason = permissions.against(self._only, str(given.get("tool_name")), arguments, subagent=is_subagent)
        return _refused(reason) if reason else {}

    def _verdict(self, call: str) -> asyncio.Future[PermissionResult]:
        if call not in self._verdicts:
            self._verdicts[call] = asyncio.get_running_loop().create_future()
        return self._verdicts[call]

    def rest(self) -> None:
        """The run is over, and the program is kept: note how far the conversation was."""
        self.owner = None
        if self.id:
            self._written = transcript.here(self._config, self.id)

    def stale(self) -> bool:
        """Whether the conversation went on without this process."""
        return self._written is not None and transcript.moved_on(self._written, self._known)

    def recorded(self) -> Figures | None:
        """The total that the program wrote down; None where there is no record at all."""
        return transcript.total(self._config, self.id) if self.id else None

    async def end(self, grace: float = 5.0) -> None:
        self._ending = True
        await self.spawned.stop(grace)
        if self._connecting is not None:
            await asyncio.gather(self._connecting, return_exceptions=True)
        # The process is gone; what the SDK says about that helps nobody.
        with contextlib.suppress(Exception):
            await self._client.disconnect()
        for verdict in self._verdicts.values():
            verdict.cancel()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)


def _refused(reason: str) -> HookJSONOutput:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


def _models(info: dict[str, Any] | None) -> tuple[str, ...]:
    """The names the program takes; its default is what it takes without one."""
    listed = (info or {}).get("models")
    names = [str(model.get("value", "")) for model in listed if isinstance(model, dict)] if listed else []
    return tuple(name for name in names if name not in ("", "default"))
