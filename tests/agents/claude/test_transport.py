"""The SDK's transport over a real process that says what a test wants said."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import CLIConnectionError, ProcessError

from pilothouse.agents.claude.transport import ANNOUNCED, KeeperTransport
from pilothouse.process.environment import Environment, instance_of
from pilothouse.process.spawn import spawn

ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    kind = asked["request"]["subtype"]
    if kind == "leave":
        sys.exit(3)
    answer = {"subtype": "error", "error": "no such thing"} if kind == "refuse" else {"subtype": "success"}
    if kind == "greet":
        answer["response"] = {"hello": 1}
    answer["request_id"] = asked["request_id"]
    print(json.dumps({"type": "control_response", "response": answer}), flush=True)
"""


async def _transport(tmp_path: Path, program: str) -> KeeperTransport:
    env = Environment(os.environ, instance_of(tmp_path)).for_spawn()
    argv = ["python3", "-c", program]
    spawned = await spawn(argv, cwd=tmp_path, env=env, spawn_id="s", log_path=tmp_path / "log", stdin=True)
    return KeeperTransport(spawned)


async def _messages(transport: KeeperTransport) -> list[dict[str, Any]]:
    return [message async for message in transport.read_messages()]


async def test_what_is_no_message_is_passed_over(tmp_path: Path) -> None:
    """BYD-1"""
    lines = ["a warning", "{broken", '{"type": "system", "subtype": "x"}', "[1]", ""]
    transport = await _transport(tmp_path, f"print({chr(10).join(lines)!r})")
    transport.begun = True
    assert await _messages(transport) == [{"type": "system", "subtype": "x"}]
    assert not transport.is_ready()


async def test_a_permission_is_announced_where_it_was_asked_for(tmp_path: Path) -> None:
    """GRD-7: what was said before it comes before it"""
    asked = {"subtype": "can_use_tool", "tool_name": "Bash"}
    said = [
        {"type": "assistant"},
        {"type": "control_request", "request_id": "1", "request": asked},
        {"type": "control_request", "request_id": "2", "request": {"subtype": "other"}},
    ]
    transport = await _transport(tmp_path, f"print({chr(10).join(json.dumps(each) for each in said)!r})")
    transport.begun = True
    found = await _messages(transport)
    assert found == [said[0], {"type": "system", "subtype": ANNOUNCED, "request": asked}, *said[1:]]


async def test_a_long_message_comes_whole(tmp_path: Path) -> None:
    """BYD-1"""
    transport = await _transport(tmp_path, 'print(\'{"type": "user", "text": "\' + "x" * 3_000_000 + \'"}\')')
    transport.begun = True
    (message,) = await _messages(transport)
    assert len(message["text"]) == 3_000_000


async def test_requests_are_answered_refused_or_end_with_the_program(tmp_path: Path) -> None:
    """BYD-14"""
    transport = await _transport(tmp_path, ECHO)
    transport.begun = True
    await transport.connect()
    reading = asyncio.create_task(_messages(transport))
    assert await transport.request(subtype="greet") == {"hello": 1}
    assert await transport.request(subtype="nothing") == {}
    with pytest.raises(CLIConnectionError, match="no such thing"):
        await transport.request(subtype="refuse")
    with pytest.raises(CLIConnectionError, match="has ended"):
        await transport.request(subtype="leave")
    assert await reading == []
    with pytest.raises(CLIConnectionError, match="has ended"):
        await transport.write("{}\n")


async def test_a_program_that_ends_before_it_was_ready_is_an_error(tmp_path: Path) -> None:
    """BYD-1"""
    transport = await _transport(tmp_path, "import sys; sys.exit('no conversation')")
    with pytest.raises(ProcessError) as caught:
        await _messages(transport)
    assert caught.value.exit_code == 1
    assert "no conversation" in str(caught.value.stderr)


async def test_the_end_of_the_input_reaches_the_program(tmp_path: Path) -> None:
    """BYD-1"""
    transport = await _transport(tmp_path, ECHO)
    transport.begun = True
    await transport.end_input()
    assert await _messages(transport) == []
    await transport.close()
