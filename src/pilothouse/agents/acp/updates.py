"""What an agent tells while it works, in the words of the port."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from acp.schema import (
    AgentMessageChunk,
    AgentPlanUpdate,
    ContentToolCallContent,
    Cost,
    FileEditToolCallContent,
    ResourceContentBlock,
    TextContentBlock,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
    UsageUpdate,
)
from acp.schema import Usage as Tokens

from pilothouse.domain.ports import (
    AgentEvent,
    Context,
    Heartbeat,
    TextOut,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    Usage,
)
from pilothouse.words import say

_LAST_LINE = 200
_EXIT_KEYS = ("exit_code", "exitCode", "exit")
AnyCall = ToolCallStart | ToolCallProgress | ToolCallUpdate


@dataclass(slots=True)
class Call:
    """One tool call, put together from everything said about it."""

    id: str
    title: str = ""
    kind: str = "other"
    status: str = "pending"
    paths: tuple[str, ...] = ()
    input: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    more: tuple[object, ...] = ()
    """What else tells it from other calls, such as the text that a file is to have."""
    told: bool = False

    def learn(self, update: AnyCall) -> None:
        self.title = update.title or self.title
        self.kind = update.kind or self.kind
        self.status = update.status or self.status
        named = [location.path for location in update.locations or ()]
        named += [content.path for content in update.content or () if isinstance(content, FileEditToolCallContent)]
        self.paths = tuple(dict.fromkeys(named)) or self.paths
        if isinstance(update.raw_input, dict) and update.raw_input:
            self.input = update.raw_input
        self.text = _text(update.content or ()) or self.text
        self.more = _more(update) or self.more

    @property
    def command(self) -> str:
        """The command line, where it runs one."""
        for key in ("command", "cmd"):
            found = self.input.get(key)
            if isinstance(found, str):
                return found
            if isinstance(found, list):
                return " ".join(str(word) for word in found)
        return self.title.strip("`") if self.kind == "execute" else ""

    @property
    def name(self) -> str:
        return self.kind if self.kind != "other" else self.title or "tool"

    @property
    def detail(self) -> str:
        """What it does, in one line."""
        if self.kind == "execute":
            return _one_line(self.command)
        if self.kind in ("edit", "delete", "move") and self.paths:
            return _one_line(", ".join(self.paths))
        return _one_line(self.title)


class Calls:
    """The tool calls of one session, and which of them are still open."""

    def __init__(self) -> None:
        self._open: dict[str, Call] = {}
        self._finished: set[str] = set()
        self._plan: tuple[str, ...] = ()
        self._plans = 0

    def known(self, update: ToolCallUpdate) -> Call:
        """The call that a permission is asked for; what is asked may say less, or more, than was told before."""
        call = self._open.get(update.tool_call_id) or Call(update.tool_call_id)
        call.learn(update)
        return call

    def running(self) -> list[str]:
        return [call.id for call in self._open.values() if call.status == "in_progress"]

    def tell(self, update: ToolCallStart | ToolCallProgress) -> list[AgentEvent]:
        name = update.tool_call_id
        if name in self._finished:
            return []
        events: list[AgentEvent] = []
        call = self._open.setdefault(name, Call(name))
        call.learn(update)
        # Many are announced by the tool's name alone, while the model still writes what it is to do.
        if not call.told and (call.input or call.paths or call.status != "pending"):
            events.append(self._announced(call))
        if call.status in ("completed", "failed"):
            self._open.pop(name)
            self._finished.add(name)
            ok = call.status == "completed"
            events.append(ToolFinished(name, ok, "" if ok else _last_line(call.text), _exit_code(update.raw_output)))
        elif len(events) == 0:
            events.append(ToolProgress(name, _last_line(call.text)) if call.told else Heartbeat())
        return events

    def waiting(self, call_id: str) -> list[AgentEvent]:
        """A call that a person is asked about is told by then."""
        call = self._open.get(call_id)
        return [self._announced(call)] if call and not call.told else []

    def _announced(self, call: Call) -> ToolStarted:
        call.told = True
        return ToolStarted(call.id, call.name, call.detail)

    def still_open(self) -> list[AgentEvent]:
        """Repeats the open tools of a kept process for the reader of its next run."""
        return [self._announced(call) for call in self._open.values()]

    def close(self, asked: str = "") -> list[AgentEvent]:
        """The turn is over: a tool that never said how it ended did not end well, but for the one that was asked about.

        That one has not begun.
        """
        left = list(self._open.values())
        self._finished.update(self._open)
        self._open.clear()
        events: list[AgentEvent] = [self._announced(call) for call in left if not call.told]
        return [*events, *(ToolFinished(call.id, False, say("tool_end.none")) for call in left if call.id != asked)]

    def plan(self, update: AgentPlanUpdate) -> list[AgentEvent]:
        entries = tuple(f"{entry.status} {entry.content}" for entry in update.entries)
        if not entries or entries == self._plan:
            return [Heartbeat()]
        self._plan = entries
        self._plans += 1
        done = sum(entry.status == "completed" for entry in update.entries)
        now = next((entry.content for entry in update.entries if entry.status == "in_progress"), "")
        name, detail = f"plan-{self._plans}", _one_line(f"{done} of {len(entries)}" + (f": {now}" if now else ""))
        return [ToolStarted(name, "plan", detail), ToolFinished(name, True, detail)]


class Meter:
    """Costs come as running totals of the session; what is told is the difference."""

    def __init__(self, spent: float | None) -> None:
        """`spent` is what this session had cost before; None when that is not known, and then nothing is told twice."""
        self.spent = spent

    def cost(self, cost: Cost | None) -> list[AgentEvent]:
        if cost is None or cost.currency.upper() != "USD":
            return []
        before = self.spent
        self.spent = cost.amount
        return [Usage(cost_usd=cost.amount - before)] if before is not None and cost.amount > before else []

    def context(self, update: UsageUpdate) -> list[AgentEvent]:
        fill: list[AgentEvent] = [Context(update.used, update.size)] if update.size > 0 else []
        return [*fill, *self.cost(update.cost)]


def tokens(used: Tokens | None, model: str) -> list[AgentEvent]:
    if used is None or not used.total_tokens:
        return []
    return [
        Usage(
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens + (used.thought_tokens or 0),
            cache_read_tokens=used.cached_read_tokens or 0,
            cache_write_tokens=used.cached_write_tokens or 0,
            model=model,
        )
    ]


def spoken(update: AgentMessageChunk) -> list[AgentEvent]:
    match update.content:
        case TextContentBlock(text=text):
            return [TextOut(text)] if text else []
        case ResourceContentBlock(uri=uri):
            return [TextOut(f"{uri}\n")]
        case _:
            return [Heartbeat()]


def _text(contents: Iterable[object]) -> str:
    blocks = (content.content for content in contents if isinstance(content, ContentToolCallContent))
    return "\n".join(block.text for block in blocks if isinstance(block, TextContentBlock))


def _more(update: AnyCall) -> tuple[object, ...]:
    written = [content for content in update.content or () if isinstance(content, FileEditToolCallContent)]
    bare = () if isinstance(update.raw_input, dict | None) else (update.raw_input,)
    return (*((content.path, content.new_text) for content in written), *bare)


def _one_line(text: str) -> str:
    first, *more = text.strip().splitlines() or [""]
    return first[:_LAST_LINE] + ("…" if more or len(first) > _LAST_LINE else "")


def _last_line(text: str) -> str:
    """Output often comes as a block of Markdown; its fence says nothing."""
    spoken = [line for line in text.splitlines() if line.strip() and not line.startswith("```")]
    return spoken[-1].rstrip()[-_LAST_LINE:] if spoken else ""


def _exit_code(output: object) -> int | None:
    places = [output, output.get("metadata")] if isinstance(output, dict) else []
    found = [place.get(key) for place in places if isinstance(place, dict) for key in _EXIT_KEYS]
    return next((code for code in found if isinstance(code, int) and not isinstance(code, bool)), None)
