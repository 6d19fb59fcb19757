"""What a turn cost, as differences: the program's totals run over the whole conversation, resumed or not."""

from __future__ import annotations

from typing import Any

from claude_agent_sdk import ResultMessage

from pilothouse.agents.claude.conversation import Conversation, Tokens
from pilothouse.agents.claude.stream import Stream
from pilothouse.domain.ports import AgentEvent, Context, Usage


def usage_of(conversation: Conversation, stream: Stream, result: ResultMessage) -> Usage:
    total = result.total_cost_usd if result.total_cost_usd is not None else conversation.billed
    cost, conversation.billed = max(0.0, total - conversation.billed), total
    told, conversation.told = conversation.told, Tokens()
    usage = result.usage or {}
    return Usage(
        cost,
        max(0, _count(usage, "input_tokens") - told.input),
        max(0, _count(usage, "output_tokens") - told.output),
        max(0, _count(usage, "cache_read_input_tokens") - told.cache_read),
        max(0, _count(usage, "cache_creation_input_tokens") - told.cache_write),
        stream.model,
    )


def usage_so_far(conversation: Conversation, stream: Stream) -> list[AgentEvent]:
    """Of a turn without its result yet. Its cost is known only at its end, and is told then, or with the next turn."""
    if not stream.requests:
        return []
    found = Tokens(
        sum(request.input for request in stream.requests),
        sum(request.output for request in stream.requests),
        sum(request.cache_read for request in stream.requests),
        sum(request.cache_write for request in stream.requests),
    )
    told = conversation.told
    conversation.told = Tokens(
        told.input + found.input,
        told.output + found.output,
        told.cache_read + found.cache_read,
        told.cache_write + found.cache_write,
    )
    spent: list[AgentEvent] = [Usage(0.0, found.input, found.output, found.cache_read, found.cache_write, stream.model)]
    if conversation.window and stream.context:
        spent.append(Context(stream.context, conversation.window))
    return spent


def context_of(conversation: Conversation, stream: Stream, result: ResultMessage) -> list[AgentEvent]:
    # The same model is listed under a longer name where its window is.
    windows = [
        usage.get("contextWindow")
        for name, usage in (result.model_usage or {}).items()
        if name.startswith(stream.model)
    ]
    conversation.window = max((window for window in windows if isinstance(window, int)), default=conversation.window)
    if not conversation.window or not stream.context:
        return []
    return [Context(stream.context, conversation.window)]


def _count(values: dict[str, Any], name: str) -> int:
    value = values.get(name)
    return value if isinstance(value, int) else 0
