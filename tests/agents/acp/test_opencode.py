"""A real agent that is not ours: OpenCode, with a loopback provider behind it.

It takes seconds to start, and longer the first time in a home: two processes in one home prove all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.acp.presets import OPENCODE
from pilothouse.domain.ports import (
    AgentSession,
    Context,
    Decision,
    Ended,
    SpawnRequest,
    ToolFinished,
    ToolStarted,
    Usage,
    Workbench,
)
from tests.agents.acp import opencode
from tests.agents.acp.stage import ALL, ASK, Stage, told
from tests.process.watching import eventually, runs
from tests.real_agent.messages_api import MessagesApi, say, use
from tests.server.web import services_of, serving
from tests.workbench import Workbench as Bench
from tests.workbench import make_repository


@pytest.fixture(scope="session")
def program() -> Path:
    try:
        return opencode.program()
    except opencode.Unreachable as why:
        pytest.skip(f"{opencode.MISSING}{why}")


@pytest.fixture(scope="module")
def api() -> Iterator[MessagesApi]:
    with MessagesApi() as running:
        yield running


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("opencode")


@pytest.fixture
def stage(tmp_path: Path, program: Path, api: MessagesApi, home: Path) -> Stage:
    config = {
        "provider": {"anthropic": {"options": {"baseURL": f"{api.url}/v1", "apiKey": "sk-test"}}},
        "model": "anthropic/claude-sonnet-4-5",
        "small_model": "anthropic/claude-haiku-4-5",
        "share": "disabled",
    }
    preset = replace(OPENCODE, command=(str(program), "acp"), variables=(*OPENCODE.variables, "OPENCODE_DISABLE_*"))
    found = Stage(tmp_path, preset, opencode.environment(home))
    (found.workspace / "opencode.json").write_text(json.dumps(config))
    return found


async def test_it_asks_edits_goes_on_and_leaves_nothing_behind(stage: Stage, api: MessagesApi) -> None:
    """BYD-1: one process for four turns: permission, its answer, another message, and a stop in a tool."""
    file = stage.workspace / "a.txt"
    workbench = Workbench(f"{api.url}/workbench", "secret")
    api.next(use("write", "Writing.", filePath=str(file), content="made\n"), say("Written."))

    def request(prompt: str, **more: Any) -> SpawnRequest:
        return replace(stage.request(prompt), session="s", workbench=workbench, **more)

    run = await stage.begin(request("Make a file", permission_mode=ASK))
    first = await told(run)
    assert first.end.permission
    assert (first.end.permission.tool, first.end.permission.detail) == ("edit", str(file))
    assert not file.exists()
    assert "Bearer secret" in api.workbench_tokens
    session = first.session

    second = await told(await stage.begin(request("", resume=session, decision=Decision("once"))))
    assert (second.end.outcome, second.end.text) == ("done", "Written.")
    assert file.read_text() == "made\n"
    assert [event.ok for event in second.of(ToolFinished)] == [True]
    assert sum(event.cost_usd for event in second.of(Usage)) > 0
    assert second.of(Context)[0].window > 0

    api.next(say("Still here."))
    third = await stage.begin(request("And?", resume=session))
    assert third.process == run.process
    assert (await told(third)).end.text == "Still here."

    pid = stage.workspace / "pid"
    api.next(use("bash", command=f"echo $$ > {pid}; sleep 600", description="Wait"))
    last = await stage.begin(request("Wait", resume=session, permission_mode=ALL))
    assert last.process == run.process
    seen = []
    async for event in last.events():
        seen.append(event)
        if isinstance(event, ToolStarted):
            await eventually(lambda: pid.is_file() and bool(pid.read_text()))
            assert last.tool_alive()
            await last.stop(2.0)
    assert isinstance(seen[0], AgentSession)
    assert isinstance(seen[-1], Ended)
    assert seen[-1].message == "The agent was stopped."
    assert not runs(int(pid.read_text()))
    assert not runs(run.process.pid)


async def test_its_model_is_not_even_offered_a_tool_that_writes_when_it_may_only_look(
    stage: Stage, api: MessagesApi
) -> None:
    """BYD-1, GRD-7"""
    file = stage.workspace / "a.txt"
    write = use("write", filePath=str(file), content="made\n")
    api.next(write, use("bash", command=f"touch {file}", description="x"), say("I looked."))
    result = await stage.say("Write it all the same", read_only=True, permission_mode=ALL)
    assert (result.end.outcome, result.end.text) == ("done", "I looked.")
    assert not file.exists()
    offered = {tool["name"] for tool in api.requests[-1]["tools"]}
    assert offered <= {"read", "grep", "glob", "list", "invalid"}


async def test_it_is_asked_looks_and_answers_by_the_tool(stage: Stage, api: MessagesApi, tmp_path: Path) -> None:
    """BYD-1 BYD-13 GRD-7"""
    repo = make_repository(tmp_path / "repo", "scenarios:\n  waits:\n    - stall: true\n")
    file = stage.workspace / "a.txt"
    async with await Bench.open(tmp_path / "data", repo) as bench, serving(services_of(bench)):
        _, task = await bench.begin("[[waits]]")
        await bench.until_event("task.milestone", task.id, count=2)
        (busy,) = bench.runtime.seats.open_now()
        seat = bench.runtime.seats.take(task, busy.step, answers=True)
        api.next(
            use("bash", command=f"touch {file}", description="x"),
            use("task", description="x", prompt="Write it.", subagent_type="general"),
            use("pilothouse_answer", answer={"files": ["a.txt"]}),
            say("Answered."),
        )
        asked = replace(stage.request("Which?"), role="ask", read_only=True, permission_mode=ALL, workbench=seat.offer)
        result = await told(await stage.begin(asked))
        assert (result.end.outcome, result.end.text) == ("done", "Answered.")
        assert seat.close(result.end).answer == {"files": ["a.txt"]}
        assert not file.exists()
        await bench.controls.cancel(task.id)
