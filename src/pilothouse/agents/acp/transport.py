"""Messages to and from an agent program over its pipes, one line of JSON each."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from pilothouse.process.lines import lines
from pilothouse.process.spawn import Spawned

log = logging.getLogger(__name__)
_LONGEST = 64 << 20
_UPDATES = frozenset(
    {
        *("user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update"),
        *("plan", "plan_update", "plan_removed", "available_commands_update", "current_mode_update"),
        *("config_option_update", "session_info_update", "usage_update"),
    }
)


class Pipes:
    """What the SDK calls a transport. Its own would end the conversation at a line of JSON that is no message."""

    def __init__(self, spawned: Spawned, room: Callable[[], Awaitable[None]]) -> None:
        self._spawned = spawned
        self._lines = lines(spawned.output(), _LONGEST)
        self._room = room
        self._odd: set[str] = set()

    async def send(self, message: dict[str, Any]) -> None:
        stdin = self._spawned.stdin
        if stdin is None or stdin.is_closing() or not self._spawned.alive():
            if "method" not in message:
                return  # an answer that nobody waits for any more
            raise ConnectionError("The agent program has ended.")
        stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    async def receive(self) -> dict[str, Any] | None:
        """The next message, when there is room for what it tells; None at the end."""
        await self._room()
        async for line in self._lines:
            message = _message(line)
            if message is not None and not self._unknown(message):
                return message
        return None

    async def close(self) -> None:
        if self._spawned.stdin is not None:
            self._spawned.stdin.close()

    def _unknown(self, message: dict[str, Any]) -> bool:
        """A kind of update that came into the protocol later; said once, not at every delta."""
        if message.get("method") != "session/update":
            return False
        parameters = message.get("params")
        update = parameters.get("update") if isinstance(parameters, dict) else None
        kind = str(update.get("sessionUpdate")) if isinstance(update, dict) else ""
        if kind not in _UPDATES and kind not in self._odd and len(self._odd) < len(_UPDATES):
            self._odd.add(kind)
            log.info("the agent sends updates of an unknown kind: %.80r", kind)
        return kind not in _UPDATES


def _message(line: bytes) -> dict[str, Any] | None:
    """None for what an agent prints beside the protocol: it is in the log, and means nothing here."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or not isinstance(message.get("method", ""), str):
        return None
    proper = isinstance(message.get("id"), int | str | None) and isinstance(message.get("error"), dict | None)
    return message if proper else None
