"""`pilothouse mcp`, used by a real MCP client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.commands.outside import Outside
from tests.server.processes import environment, until_event


@asynccontextmanager
async def agent_of(data_dir: Path) -> AsyncIterator[Client]:
    """Another agent that has Pilothouse as a tool."""
    program = StdioServerParameters(
        command=sys.executable, args=["-m", "pilothouse.cli", "mcp"], env=environment(data_dir)
    )
    async with Client(stdio_client(program)) as client:
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    done = await client.call_tool(tool, arguments)
    assert not done.is_error, done
    content: dict[str, Any] = done.structured_content
    return content


async def test_every_tool_is_described_and_typed(outside: Outside) -> None:
    """BYD-10"""
    async with agent_of(outside.data_dir) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"submit", "status", "answer", "cancel", "list_sessions"}
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema
    assert tools["submit"].input_schema["required"] == ["project", "text"]


async def test_work_is_handed_over_asked_about_and_finished(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    async with agent_of(outside.data_dir) as client:
        task = await call(client, "submit", project=str(repo), text="Ask. [[asks]]", agent="rehearsal", wait_seconds=60)
        assert (task["status"], task["awaiting"]) == ("AWAITING_RESPONSE", "question")
        assert [option["value"] for option in task["options"]] == ["A", "B"]
        assert "call answer" in task["next_action"]
        seen = await call(client, "status", task_id=task["task_id"])
        asked = {"task_id": task["task_id"], "attempt": seen["attempt"]}
        done = await call(client, "answer", **asked, reply="B", wait_seconds=60)
        assert (done["status"], done["ended"]) == ("COMPLETE", True)
        assert "You chose B." in done["output"]
        late = await client.call_tool("answer", {**asked, "reply": "A"})
        assert late.is_error
        assert "moved on: " in str(late.content)
        listed = await call(client, "list_sessions", project=str(repo))
        assert [session["current_task_id"] for session in listed["result"]] == [task["task_id"]]


async def test_a_task_is_cancelled_and_what_cannot_be_is_said(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    async with agent_of(outside.data_dir) as client:
        task = await call(client, "submit", project=str(repo), text="Wait. [[waits]]", agent="rehearsal")
        await asyncio.to_thread(until_event, outside.http, "step.tool_finished", task["task_id"])
        cancelled = await call(client, "cancel", task_id=task["task_id"])
        assert (await call(client, "status", task_id=cancelled["task_id"], wait_seconds=30))["ended"] is True
        both = await client.call_tool("answer", {"task_id": task["task_id"], "reply": "x", "permission": "deny"})
        unknown = await client.call_tool("status", {"task_id": "nothing"})
    assert both.is_error
    assert "exactly one" in str(both.content)
    assert unknown.is_error


async def test_without_a_server_the_tools_say_how_to_start_one(tmp_path: Path) -> None:
    """BYD-10 PLT-9"""
    async with agent_of(tmp_path / "nothing") as client:
        refused = await client.call_tool("list_sessions", {})
    assert refused.is_error
    assert "pilothouse serve" in str(refused.content)
