"""The SDK's transport over a program under the keeper."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

from claude_agent_sdk import CLIConnectionError, ProcessError, Transport

from pilothouse.process.lines import lines
from pilothouse.process.spawn import Spawned
from pilothouse.words import say

ANNOUNCED = "pilothouse_call"
"""Stands in the stream of messages where the program asked for a permission: the SDK hands requests over beside the
stream, and what was said before the question must not come after it."""
_LONGEST_LINE = 64 << 20
_CLOSING = 5.0


class KeeperTransport(Transport):
    def __init__(self, spawned: Spawned) -> None:
        self._spawned = spawned
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self.begun = False
        """Set once the program has answered the first request: from then on an end of its output is no error here."""

    async def connect(self) -> None:
        return

    async def write(self, data: str) -> None:
        stdin = self._spawned.stdin
        if stdin is None or stdin.is_closing() or not self._spawned.alive():
            raise CLIConnectionError(say("claude.ended"))
        stdin.write(data.encode())

    async def request(self, **request: Any) -> dict[str, Any]:
        """Ask the program for what the SDK has no method for."""
        name = f"pilothouse-{uuid4().hex}"
        self._answers[name] = asyncio.get_running_loop().create_future()
        try:
            await self.write(json.dumps({"type": "control_request", "request_id": name, "request": request}) + "\n")
            return await self._answers[name]
        finally:
            del self._answers[name]

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        async for line in lines(self._spawned.output(), _LONGEST_LINE):
            message = _message(line)
            if message is None or self._answered(message):
                continue
            if call := _call(message):
                yield call
            yield message
        code = await self._spawned.wait()
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(CLIConnectionError(say("claude.ended")))
        if not self.begun:
            raise ProcessError(say("claude.not_started"), exit_code=code or 1, stderr=self._spawned.stderr_tail)

    def _answered(self, message: dict[str, Any]) -> bool:
        response = message.get("response")
        if message.get("type") != "control_response" or not isinstance(response, dict):
            return False
        waiting = self._answers.get(str(response.get("request_id")))
        if waiting is None or waiting.done():
            return False
        if response.get("subtype") == "error":
            waiting.set_exception(CLIConnectionError(str(response.get("error", ""))))
        else:
            answer = response.get("response")
            waiting.set_result(answer if isinstance(answer, dict) else {})
        return True

    async def close(self) -> None:
        await self._spawned.stop(_CLOSING)

    def is_ready(self) -> bool:
        return self._spawned.alive()

    async def end_input(self) -> None:
        if self._spawned.stdin is not None and not self._spawned.stdin.is_closing():
            self._spawned.stdin.write_eof()


def _message(line: bytes) -> dict[str, Any] | None:
    """None for what is none of its messages, such as a warning of the runtime."""
    if not line.startswith(b"{"):
        return None
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _call(message: dict[str, Any]) -> dict[str, Any] | None:
    request = message.get("request")
    if message.get("type") != "control_request" or not isinstance(request, dict):
        return None
    if request.get("subtype") != "can_use_tool":
        return None
    return {"type": "system", "subtype": ANNOUNCED, "request": request}
