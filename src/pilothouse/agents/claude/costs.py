"""What a turn used, as the port's events."""

from __future__ import annotations

import asyncio
import logging

from claude_agent_sdk import ClaudeSDKError, ResultMessage

from pilothouse.agents.claude.conversation import Conversation
from pilothouse.agents.claude.figures import Figures, Prices
from pilothouse.agents.claude.stream import Request, Stream
from pilothouse.domain.ports import AgentEvent, Context, Usage

log = logging.getLogger(__name__)


async def used_by(requests: list[Request], conversation: Conversation, prices: Prices) -> list[AgentEvent]:
    """Told at once, and set right by the program's own figures later."""
    told: list[AgentEvent] = []
    for request in requests:
        price = prices.of(request.model)
        if price is None and await _asked(conversation, prices):
            price = prices.of(request.model)
        tokens = Figures(0.0, request.input, request.output, request.cache_read, request.cache_write)
        used = Figures(tokens.weight * (price or 0.0)).plus(tokens)
        told.append(_usage(conversation.account.count(used), request.model))
    return told


async def _asked(conversation: Conversation, prices: Prices) -> bool:
    """Ask the program once what a model costs that it has given no figures of yet."""
    if conversation.priced or not conversation.alive():
        return False
    conversation.priced = True
    try:
        session = (await conversation.ask(subtype="get_usage", skip_behaviors=True)).get("session")
    except (ClaudeSDKError, TimeoutError) as error:
        # An older program has no answer: then its money is told with the end of the turn.
        log.info("Claude Code does not say what was used so far: %s", error)
        return False
    return isinstance(session, dict) and await learned(prices, session.get("model_usage"))


async def learned(prices: Prices, models: object) -> bool:
    if prices.learn(models):
        await asyncio.to_thread(prices.keep)
    return True


def settled(conversation: Conversation, stream: Stream, result: ResultMessage) -> list[AgentEvent]:
    """What the program's result says beyond what was told of it."""
    account, usage = conversation.account, result.usage or {}
    if result.model_usage is None:
        known = account.settled
        total = Figures(
            known.cost,
            known.input + _count(usage, "input_tokens"),
            known.output + _count(usage, "output_tokens"),
            known.cache_read + _count(usage, "cache_read_input_tokens"),
            known.cache_write + _count(usage, "cache_creation_input_tokens"),
        )
    else:
        total = Figures.of(0.0, result.model_usage)
    cost = account.settled.cost + account.counted.cost if result.total_cost_usd is None else result.total_cost_usd
    rest = account.settle(Figures(cost, total.input, total.output, total.cache_read, total.cache_write))
    return [_usage(rest, stream.model)]


def _usage(used: Figures, model: str) -> Usage:
    return Usage(used.cost, used.input, used.output, used.cache_read, used.cache_write, model)


def recorded(conversation: Conversation, stream: Stream, total: Figures | None) -> list[AgentEvent]:
    """What a program that was ended wrote down about it; one that was killed wrote nothing."""
    if total is None or total.cost <= conversation.account.settled.cost:
        return []
    return [_usage(conversation.account.settle(total), stream.model)]


def context_of(conversation: Conversation, stream: Stream, result: ResultMessage) -> list[AgentEvent]:
    # The same model is listed under a longer name where its window is.
    windows = [
        usage.get("contextWindow")
        for name, usage in (result.model_usage or {}).items()
        if name.startswith(stream.model)
    ]
    conversation.window = max((window for window in windows if isinstance(window, int)), default=conversation.window)
    return filled(conversation, stream)


def filled(conversation: Conversation, stream: Stream) -> list[AgentEvent]:
    if not conversation.window or not stream.context:
        return []
    return [Context(stream.context, conversation.window)]


def _count(values: dict[str, object], name: str) -> int:
    value = values.get(name)
    return value if isinstance(value, int) else 0
