"""What the program says, as the port's events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claude_agent_sdk import (
    AssistantMessage,
    Message,
    RateLimitEvent,
    RateLimitInfo,
    StreamEvent,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)

from pilothouse.agents.claude import tools
from pilothouse.domain.ports import AgentEvent, AgentSession, Heartbeat, Retrying, TextOut, ToolFinished, ToolStarted

_KEPT = 64 * 1024
_FIRST_WAIT_MS, _JITTER = 500, 1.25
"""How long the program waits by itself before the second try, and by how much that varies."""


@dataclass(slots=True)
class Request:
    """One request of the program to its model."""

    model: str = ""
    message: str = ""
    text: str = ""
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    over: bool = False
    """Whether it was answered to its end."""
    counted: bool = False

    def take(self, usage: dict[str, Any]) -> None:
        self.input = _count(usage, "input_tokens") or self.input
        self.output = _count(usage, "output_tokens") or self.output
        self.cache_read = _count(usage, "cache_read_input_tokens") or self.cache_read
        self.cache_write = _count(usage, "cache_creation_input_tokens") or self.cache_write


@dataclass(frozen=True, slots=True)
class Retry:
    http_code: int
    """0 where there was no answer."""
    delay_ms: int
    attempt: int
    """Counted from 1."""
    most: int
    """How many the program makes where it is not told to go on for as long as it takes."""

    @property
    def named(self) -> bool:
        """Whether the provider said how long: what the program chooses by itself is no whole second, and grows."""
        return self.delay_ms % 1000 == 0 or self.delay_ms > _FIRST_WAIT_MS * 2 ** min(self.attempt - 1, 20) * _JITTER


class Stream:
    """Of one run."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self.said = ""
        """The newest of its words."""
        self.session = ""
        self.model = ""
        self.planning: bool | None = None
        self.limit: RateLimitInfo | None = None
        self.error = ""
        """The kind of failure the program named last."""
        self.retry: Retry | None = None
        """Of a request that the program is about to send again."""
        self.requests: list[Request] = []
        self._aside: list[Request] = []
        """Those of subagents."""
        self.inputs: dict[str, dict[str, Any]] = {}
        self._block = False

    def events(self, message: Message) -> list[AgentEvent]:
        match message:
            case StreamEvent():
                return self._streamed(message)
            case AssistantMessage():
                return self._assistant(message)
            case UserMessage():
                return self._results(message)
            case SystemMessage():
                return self._system(message)
            case RateLimitEvent():
                self.limit = message.rate_limit_info
        return [Heartbeat()]

    @property
    def context(self) -> int:
        """How much the newest request and its answer hold."""
        last = self.requests[-1] if self.requests else Request()
        return last.input + last.output + last.cache_read + last.cache_write

    def finished(self, *, cut: bool = False) -> list[Request]:
        """The requests that were answered and have not been counted; with `cut` also those that are not over."""
        found = [one for one in (*self.requests, *self._aside) if not one.counted and (one.over or cut)]
        for one in found:
            one.counted = True
        return found

    def _streamed(self, message: StreamEvent) -> list[AgentEvent]:
        event = message.event
        if message.parent_tool_use_id is not None:
            return [Heartbeat()]
        kind = event.get("type")
        if kind == "message_start":
            start = event.get("message", {})
            request = Request(str(start.get("model", "")), str(start.get("id", "")))
            request.take(start.get("usage") or {})
            self.requests.append(request)
            self.model = request.model
        elif kind == "message_delta" and self.requests:
            self.requests[-1].take(event.get("usage") or {})
            self.requests[-1].over = True
        elif kind == "content_block_start":
            self._block = True
        delta = event.get("delta", {})
        if kind == "content_block_delta" and delta.get("type") == "text_delta" and self.requests:
            self.requests[-1].text += str(delta.get("text", ""))
            return self._say(str(delta.get("text", "")))
        return [Heartbeat()]

    def _say(self, text: str) -> list[AgentEvent]:
        """Words before and after a tool are two paragraphs."""
        if not text:
            return []
        gap = "\n\n" if self._block and self.said and not self.said.endswith("\n") else ""
        self._block = False
        self.said = (self.said + gap + text)[-_KEPT:]
        return [TextOut(gap + text)]

    def _assistant(self, message: AssistantMessage) -> list[AgentEvent]:
        if message.error:
            self.error = message.error
            return [Heartbeat()]
        found: list[AgentEvent] = [Heartbeat()]
        for block in message.content:
            if isinstance(block, ToolUseBlock):
                self.inputs[block.id] = block.input
                if block.name not in (tools.QUESTION, tools.PLAN):
                    detail = tools.detail(block.name, block.input, self._workspace)
                    found.append(ToolStarted(block.id, block.name, detail))
            elif isinstance(block, TextBlock) and message.parent_tool_use_id is None:
                found += self._unstreamed(message, block.text)
        if message.parent_tool_use_id is not None:
            self._beside(message)
        return found

    def _beside(self, message: AssistantMessage) -> None:
        """A subagent's answer comes in several messages that tell of the same use."""
        name = message.message_id or ""
        if all(request.message != name for request in self._aside):
            request = Request(message.model, name, over=True)
            request.take(message.usage or {})
            self._aside.append(request)

    def _unstreamed(self, message: AssistantMessage, text: str) -> list[AgentEvent]:
        """A request whose stream was cut is sent again without streaming: its text comes whole, and partly again."""
        if any(request.message == message.message_id and text in request.text for request in self.requests):
            return []
        cut = self.requests[-1].text if self.requests else ""
        request = Request(message.model, message.message_id or "", text, over=True)
        request.take(message.usage or {})
        if cut and text.startswith(cut):
            self.requests[-1] = request
            return self._say(text[len(cut) :])
        self.requests.append(request)
        self._block = True
        return self._say(text)

    def _results(self, message: UserMessage) -> list[AgentEvent]:
        if isinstance(message.content, str):
            return [Heartbeat()]
        found: list[AgentEvent] = [Heartbeat()]
        for block in message.content:
            if isinstance(block, ToolResultBlock):
                code = tools.exit_code(block.content)
                ok = not block.is_error
                found.append(ToolFinished(block.tool_use_id, ok, tools.result_detail(block.content), code))
        return found

    def _system(self, message: SystemMessage) -> list[AgentEvent]:
        data = message.data
        if message.subtype == "api_retry":
            found = [_count(data, name) for name in ("error_status", "retry_delay_ms", "attempt", "max_retries")]
            self.retry = Retry(*found)
            return [Retrying(self.retry.delay_ms / 1000)]
        if message.subtype in ("status", "init") and isinstance(data.get("permissionMode"), str):
            self.planning = data["permissionMode"] == "plan"
        if message.subtype == "init":
            self.model = str(data.get("model", ""))
            fresh, self.session = self.session != data.get("session_id"), str(data.get("session_id", ""))
            return [AgentSession(self.session)] if fresh else [Heartbeat()]
        return [Heartbeat()]


def _count(values: dict[str, Any], name: str) -> int:
    value = values.get(name)
    return value if isinstance(value, int) else 0
