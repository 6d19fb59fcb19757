"""What goes wrong with the real program and its provider, and what the person is told."""

from __future__ import annotations

import asyncio
import os
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pilothouse.agents.claude.run import ClaudeRun
from pilothouse.domain.ports import Fresh, Retrying, TextOut
from pilothouse.domain.task.task import ErrorKind, PermissionMode
from pilothouse.errors import NoCredentials
from pilothouse.process import tree
from tests.agents.playing import Told
from tests.real_agent.messages_api import LIMIT_RESETS, MessagesApi, fail, say, use
from tests.real_agent.workshop import Workshop, follow, until


@pytest.mark.parametrize(
    ("scenario", "kind", "words"),
    [
        ("401", ErrorKind.CREDENTIALS, "Invalid API key"),
        ("credit", ErrorKind.CREDENTIALS, "Credit balance is too low"),
        ("529", ErrorKind.INFRASTRUCTURE, "HTTP 529"),
        ("too-long", ErrorKind.AGENT, "Prompt is too long"),
    ],
)
async def test_a_refusal_of_the_provider_is_a_failure_of_its_kind(
    workshop: Workshop, scenario: str, kind: ErrorKind, words: str
) -> None:
    """WEB-7: trap: the result of a refused request calls itself a success, and only its error mark tells"""
    told = await workshop.play(f"Go. [[{scenario}]]")
    assert told.end.outcome == "failed"
    assert told.end.error_kind is kind
    assert words in told.end.message
    assert told.end.limit is None
    assert told.text == "", "the program's words about the failure are no words of the agent"
    assert workshop.pool.sessions == ()


async def test_a_plain_429_is_a_limit_without_a_time(workshop: Workshop) -> None:
    """GRD-6: trap: with a key the limit is a plain refusal"""
    told = await workshop.play_alone("Go. [[429]]")
    assert told.end.outcome == "failed"
    assert told.end.limit is not None
    assert told.end.limit.resets_at is None
    assert "429" in told.end.limit.message


@pytest.mark.parametrize("status", [429, 529])
async def test_a_long_wait_that_the_provider_names_is_a_limit_to_the_second(
    tmp_path: Path, api: MessagesApi, status: int
) -> None:
    """GRD-6: trap: the program gives up at once where a header names more than a minute, and does not say so"""
    workshop = Workshop(tmp_path, api, env={"CLAUDE_CODE_MAX_RETRIES": "10"})
    workshop.api.next(fail(status, "overloaded_error", "Busy", retry_after="400"))
    before = datetime.now(UTC)
    told = await workshop.play("Go.")
    assert told.end.outcome == "failed"
    assert told.end.limit is not None
    assert told.end.limit.resets_at is not None
    wait = (told.end.limit.resets_at - before).total_seconds()
    assert 399 < wait < 400 + (datetime.now(UTC) - before).total_seconds()
    assert f"HTTP {status}" in told.end.message
    assert len(api.requests) == 1


async def test_a_short_wait_is_the_program_s_and_is_told(tmp_path: Path, api: MessagesApi) -> None:
    """GRD-6"""
    workshop = Workshop(tmp_path, api, env={"CLAUDE_CODE_MAX_RETRIES": "10"})
    workshop.api.next(fail(529, "overloaded_error", "Busy", retry_after="1"), say("Here."))
    told = await workshop.play_alone("Go.")
    assert told.of(Retrying) == [Retrying(1.0)]
    assert told.events.index(Retrying(1.0)) < next(n for n, e in enumerate(told.events) if isinstance(e, TextOut))
    assert (told.end.outcome, told.end.text) == ("done", "Here.")


async def test_a_subscription_s_limit_names_when_it_ends(tmp_path: Path, api: MessagesApi) -> None:
    """GRD-6: trap: with a login an event of its own names the time, and the result only words"""
    workshop = Workshop(tmp_path, api, env={"ANTHROPIC_API_KEY": "", "CLAUDE_CODE_OAUTH_TOKEN": "a-token"})
    told = await workshop.play_alone("Go. [[limit]]")
    assert told.end.limit is not None
    assert told.end.limit.resets_at == datetime.fromtimestamp(LIMIT_RESETS, UTC)
    assert "limit" in told.end.limit.message
    assert api.keys == ["Bearer a-token"]


async def test_a_wrong_key_is_not_tried_for_minutes(tmp_path: Path, api: MessagesApi) -> None:
    """WEB-7: trap: the program tries a refused key ten times, three minutes"""
    workshop = Workshop(tmp_path, api, env={"CLAUDE_CODE_MAX_RETRIES": "10"})
    told = await workshop.play_alone("Go. [[401]]")
    assert told.end.error_kind is ErrorKind.CREDENTIALS
    assert "HTTP 401" in told.end.message
    assert len(api.requests) == 1


async def test_no_credentials_is_said_before_anything_runs(tmp_path: Path, api: MessagesApi) -> None:
    """WEB-7"""
    workshop = Workshop(tmp_path, api, env={"ANTHROPIC_API_KEY": ""})
    with pytest.raises(NoCredentials, match="/login"):
        await workshop.agent.check("Go.", workshop.workspace, {})
    await workshop.agent.check("Go.", workshop.workspace, {"ANTHROPIC_AUTH_TOKEN": "x"})
    health = await workshop.agent.health()
    assert (health.installed, health.ready, health.credentials) == (True, False, False)
    assert "ANTHROPIC_API_KEY" in health.fix
    told = await workshop.play_alone("Go.")
    assert told.end.error_kind is ErrorKind.CREDENTIALS, "trap: without a login the program ends with words only"
    assert "Not logged in" in told.end.message


async def test_a_cut_stream_is_said_once(workshop: Workshop) -> None:
    """BYD-1: trap: a cut connection is tried again without streaming, and the words come whole"""
    told = await workshop.play_alone("Go. [[cut]]")
    assert told.end.outcome == "done"
    assert told.text == "This stream is cut in the middle, and said again."


async def test_an_error_in_the_stream_does_not_end_the_turn(workshop: Workshop) -> None:
    """BYD-1: trap: the program goes on with a turn of its own"""
    workshop.api.next(workshop.api.scenarios["broken"][0])
    told = await workshop.play_alone("Go.")
    assert told.end.outcome == "done"
    assert told.text == "Half of it, then trouble.\n\nHello from the stand-in."


async def test_an_unknown_conversation_begins_afresh_and_says_so(workshop: Workshop) -> None:
    """BYD-1: trap: an unknown id ends the program, with words on standard error only"""
    request = workshop.request("From the saved state. [[hello]]", resume="6f0e3a52-0000-4000-8000-000000000000")
    told = Told([event async for event in (await workshop.agent.start(request)).events()])
    assert len(told.of(Fresh)) == 1
    assert told.end.outcome == "done"
    assert told.session != request.resume
    assert workshop.api.prompts == ["From the saved state. [[hello]]"]
    assert b"Hello from the stand-in." in request.log_path.read_bytes()


async def _busy(workshop: Workshop) -> tuple[ClaudeRun, asyncio.Task[Told], list[int]]:
    """A run at work with a tool whose child has left its group."""
    run = await workshop.start("Work. [[long]]", permission_mode=PermissionMode.ALL)
    following = asyncio.create_task(follow(run))
    await until((workshop.workspace / "begun").exists)
    assert run.tool_alive()
    return run, following, [pid for pid, _ in run.living()]


async def test_a_stopped_run_leaves_no_process(workshop: Workshop) -> None:
    """BYD-8: trap: killing the program leaves its tools' children alive"""
    run, following, seen = await _busy(workshop)
    await run.stop(0.5)
    told = await following
    assert told.end.outcome == "crashed"
    assert told.end.message == "The agent was stopped."
    assert told.used.input_tokens == 1000, "what it used is counted all the same"
    assert len(seen) >= 3
    assert not [pid for pid in seen if tree.mark(pid)]
    assert told.end.left == ()


async def test_a_program_that_is_killed_is_a_crash_and_its_children_end(workshop: Workshop) -> None:
    """BYD-8: trap: after SIGKILL there is no result line"""
    _, following, seen = await _busy(workshop)
    os.kill(seen[0], signal.SIGKILL)
    told = await following
    assert told.end.outcome == "crashed"
    assert told.end.error_kind is ErrorKind.AGENT
    assert told.end.exit_code == 137
    assert not [pid for pid in seen if tree.mark(pid)]


async def test_a_run_stopped_before_the_program_was_ready_ends(workshop: Workshop) -> None:
    """BYD-8"""
    run = await workshop.start("Go. [[hello]]")
    await run.stop(0.5)
    told = Told([event async for event in run.events()])
    assert (told.end.outcome, told.end.message) == ("crashed", "The agent was stopped.")
    assert not run.alive()
    assert workshop.api.requests == []


async def test_a_program_that_becomes_ready_after_the_stop_is_told_nothing(workshop: Workshop) -> None:
    """BYD-8, TSK-6"""
    run = await workshop.start("Go. [[hello]]")
    following = asyncio.create_task(follow(run))
    await until(lambda: bool(run.living()))
    # Held up, its keeper cannot end the program, which connects meanwhile.
    os.kill(run.process.pid, signal.SIGSTOP)
    stopping = asyncio.create_task(run.stop(60))
    conversation = run._conversation
    try:
        assert await conversation.connect() == ""
    finally:
        os.kill(run.process.pid, signal.SIGCONT)
    await stopping
    end = (await following).end
    assert (end.outcome, end.message) == ("crashed", "The agent was stopped.")
    assert conversation.turns == 0
    assert workshop.api.requests == []


async def test_a_prepared_program_is_told_nothing_by_a_stopped_run(workshop: Workshop) -> None:
    """BYD-8, TSK-6"""
    await workshop.agent.prepare(workshop.request("", session=""))
    (prepared,) = workshop.pool.prepared
    assert await prepared.connect() == ""
    run = await workshop.start("Go. [[hello]]")
    assert run.process == prepared.process
    stopping = asyncio.create_task(run.stop(5))
    await asyncio.sleep(0)
    told = await follow(run)
    await stopping
    assert told.end.message == "The agent was stopped."
    assert prepared.turns == 0
    assert workshop.api.requests == []


async def test_a_background_command_ends_with_its_turn(workshop: Workshop) -> None:
    """BYD-8"""
    command = (
        "(setsid sh -c 'echo $$ > pid; exec sleep 302' >/dev/null 2>&1 &) ; while [ ! -s pid ]; do sleep 0.01; done"
    )
    workshop.api.next(use("Bash", command=command), say("Left it running."))
    told = await workshop.play("Go.", permission_mode=PermissionMode.ALL)
    assert told.end.outcome == "done"
    assert tree.mark(int((workshop.workspace / "pid").read_text())) is None
    assert workshop.pool.sessions == (), "a process whose tool lives on is not kept"
