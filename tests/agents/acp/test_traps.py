"""What real agents were seen to do, and what no agent should."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from pilothouse.agents.acp.inbox import Inbox
from pilothouse.domain.ports import AgentRun, Ended, Heartbeat, LimitReached, TextOut, ToolFinished, ToolStarted
from pilothouse.domain.task.task import ErrorKind
from pilothouse.process import tree
from tests.agents.acp.stage import ALL, staged, told
from tests.process.watching import eventually, gone, runs

JUNK = (
    *("not json", "42", "[]", '"text"', "null", "{}", '{"id": [], "result": 1}', '{"id": 0, "error": "x"}'),
    *('{"method": 5, "id": 1}', '{"jsonrpc": "2.0", "id": 77, "method": "no/such"}', "\ufffd\x00", '{"id": 99}'),
    *('{"method": "session/update", "params": 3}', '{"method": "session/update"}', "[" * 100_000),
)


async def test_junk_between_messages_is_in_the_log_and_changes_nothing(tmp_path: Path) -> None:
    """BYD-1: the SDK's own reader ends the conversation at a line that is JSON and no message."""
    stage = staged(tmp_path)
    told = await stage.play(["say", "a"], *(["raw", line] for line in JUNK), ["say", "b"])
    assert (told.end.outcome, told.end.text) == ("done", "ab")
    assert all(line in stage.log() for line in JUNK[:-1])


async def test_updates_of_a_kind_that_came_later_are_dropped_without_noise(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """BYD-1: the SDK would log a traceback for each."""
    told = await staged(tmp_path).play(*[["update", "sings_a_song"]] * 50, ["say", "on"])
    assert (told.end.outcome, told.text) == ("done", "on")
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_malformed_update_is_dropped(tmp_path: Path) -> None:
    """BYD-1"""
    message = {"method": "session/update", "params": {"update": {"sessionUpdate": "tool_call", "title": 7}}}
    told = await staged(tmp_path).play(["raw", json.dumps(message)], ["say", "on"])
    assert (told.end.outcome, told.text) == ("done", "on")


async def test_an_agent_waits_when_nobody_takes_what_it_says() -> None:
    """BYD-1"""
    inbox = Inbox()
    inbox.put(*[Heartbeat()] * 1000)
    waiting = asyncio.create_task(inbox.room())
    for _ in range(500):
        await inbox.get()
    assert not waiting.done()
    await inbox.get()
    await waiting
    inbox.put(*[Heartbeat()] * 1000)
    inbox.drain()
    await inbox.room()


async def test_a_message_of_many_megabytes_arrives_whole(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["say", "x" * 3_000_000])
    assert len(told.end.text) == 3_000_000


async def test_a_flood_waits_for_its_reader(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["flood", 5000])
    assert told.text == "".join(f"{number}\n" for number in range(5000))


async def test_an_unknown_stop_reason_is_told(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["say", "so far"], ["finish", "tired"])
    assert (told.end.outcome, told.end.error_kind, told.end.text) == ("failed", ErrorKind.AGENT, "so far")
    assert "stopReason = tired" in told.end.message


async def test_a_tool_that_never_said_how_it_ended_is_closed(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["tool", "t1", "execute", "make"], ["say", "x"])
    assert told.of(ToolStarted)[0].tool_id == "t1"
    assert told.of(ToolFinished) == [ToolFinished("t1", False, "It was left without a result.")]


async def test_progress_of_a_tool_that_was_never_announced_announces_it(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["progress", "t9", "completed"])
    assert [type(event) for event in told.events[1:-1]] == [ToolStarted, ToolFinished]


async def test_an_agent_that_dies_is_a_crash_with_its_last_words(tmp_path: Path) -> None:
    """BYD-1"""
    told = await staged(tmp_path).play(["tool", "t1", "execute", "make"], ["crash", 3])
    assert (told.end.outcome, told.end.exit_code) == ("crashed", 3)
    assert "fell off the stage" in told.end.message
    assert len(told.of(ToolFinished)) == 1


async def test_an_agent_that_closes_its_output_is_ended(tmp_path: Path) -> None:
    """BYD-1"""
    run = await staged(tmp_path).start(["close"])
    end = (await told(run)).end
    assert end.outcome == "crashed"
    assert not runs(run.process.pid)


@pytest.mark.parametrize(("code", "kind"), [(-32000, ErrorKind.CREDENTIALS), (401, ErrorKind.CREDENTIALS)])
async def test_no_credentials_at_the_prompt(tmp_path: Path, code: int, kind: ErrorKind) -> None:
    """BYD-1, WEB-7"""
    end = (await staged(tmp_path).play(["fail", code, "Authentication required"])).end
    assert (end.outcome, end.error_kind) == ("failed", kind)
    assert "Learn the password." in end.message


async def test_no_credentials_at_the_session(tmp_path: Path) -> None:
    """BYD-1, WEB-7"""
    end = (await staged(tmp_path, "login=ACTOR_KEY").play(["say", "x"])).end
    assert (end.outcome, end.error_kind) == ("failed", ErrorKind.CREDENTIALS)


async def test_a_key_in_the_environment_logs_in_where_the_agent_wants_to_be_told(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(
        tmp_path,
        "login=ACTOR_KEY",
        source={"ACTOR_KEY": "k"},
        credentials=("ACTOR_KEY",),
        auth_methods={"OTHER_KEY": "browser", "ACTOR_KEY": "key"},
    )
    assert (await stage.play(["say", "in"])).end.text == "in"


async def test_the_providers_limit_is_no_ordinary_failure(tmp_path: Path) -> None:
    """BYD-1, GRD-6"""
    end = (await staged(tmp_path).play(["fail", 429, "Come back later"])).end
    assert end.limit == LimitReached("Come back later")


async def test_any_other_error_is_told_in_the_agents_words(tmp_path: Path) -> None:
    """BYD-1"""
    end = (await staged(tmp_path).play(["fail", -32603, "Model overloaded"])).end
    assert (end.outcome, end.error_kind) == ("failed", ErrorKind.AGENT)
    assert "Model overloaded" in end.message


async def test_another_version_of_the_protocol_is_refused(tmp_path: Path) -> None:
    """BYD-1"""
    end = (await staged(tmp_path, "version=7").play(["say", "x"])).end
    assert (end.outcome, end.error_kind) == ("failed", ErrorKind.CONFIGURATION)
    assert "version 7" in end.message


@pytest.mark.parametrize("command", [("cat",), ("true",), (sys.executable, "-c", "print('usage: x')")])
async def test_a_program_that_is_no_acp_agent(tmp_path: Path, command: tuple[str, ...]) -> None:
    """BYD-1"""
    stage = staged(tmp_path, command=command)
    assert (await stage.play(["say", "x"])).end.outcome in ("failed", "crashed")


async def test_stopping_ends_an_agent_that_hears_nothing_and_what_it_started(tmp_path: Path) -> None:
    """BYD-1, TSK-6: its tools have process groups of their own."""
    run = await staged(tmp_path).start(["child"], ["hang"])
    stream = run.events()
    child = 0
    async for event in stream:
        if isinstance(event, TextOut):
            child = int(event.text.split()[1])
            break
    assert run.tool_alive()
    await run.stop(0.3)
    assert not runs(child)
    assert not runs(run.process.pid)
    rest = [event async for event in stream]
    assert getattr(rest[-1], "outcome", "") == "crashed"
    assert getattr(rest[-1], "message", "") == "The agent was stopped."


async def test_stopping_before_the_handshake_is_over(tmp_path: Path) -> None:
    """BYD-1, TSK-6"""
    run = await staged(tmp_path, "mute").start(["say", "x"])
    reading = asyncio.create_task(told(run))
    await asyncio.sleep(0)
    await run.stop(0.3)
    assert (await reading).end.message == "The agent was stopped."
    await gone(run.process.pid)


async def _stopping(run: AgentRun) -> asyncio.Task[None]:
    """Stopped, and still alive: its keeper is held up and ends it when that is let go."""
    await eventually(lambda: bool(tree.below([run.process.pid])))
    os.kill(run.process.pid, signal.SIGSTOP)
    stopping = asyncio.create_task(run.stop(60))
    await asyncio.sleep(0)
    return stopping


async def test_an_agent_that_comes_to_itself_after_the_stop_hears_nothing(tmp_path: Path) -> None:
    """BYD-1, TSK-6"""
    stage = staged(tmp_path, f"slow={tmp_path / 'go'}")
    run = await stage.start(["say", "x"])
    reading = asyncio.create_task(told(run))
    stopping = await _stopping(run)
    try:
        (tmp_path / "go").touch()
        await eventually(lambda: '"sessionId"' in stage.log())
    finally:
        os.kill(run.process.pid, signal.SIGCONT)
    await stopping
    end = (await reading).end
    assert (end.outcome, end.message) == ("crashed", "The agent was stopped.")
    (session,) = (tmp_path / "state").iterdir()
    assert session.read_text().strip() == ""


async def test_nothing_is_allowed_to_an_agent_that_is_being_stopped(tmp_path: Path) -> None:
    """BYD-1, TSK-6"""
    stage = staged(tmp_path)
    late = stage.workspace / "late.txt"
    run = await stage.start(
        ["think", "begun"], ["wait", str(tmp_path / "go")], ["writefile", str(late), "late"], permission_mode=ALL
    )
    stream = run.events()
    assert Heartbeat() in [await anext(stream), await anext(stream)]
    stopping = await _stopping(run)
    try:
        (tmp_path / "go").touch()
        await eventually(lambda: "Not allowed" in stage.log() or late.exists())
    finally:
        os.kill(run.process.pid, signal.SIGCONT)
    await stopping
    end = [event async for event in stream][-1]
    assert isinstance(end, Ended)
    assert end.outcome == "crashed"
    assert not late.exists()


async def test_an_interruption_before_the_agent_was_told_anything_stops_it(tmp_path: Path) -> None:
    """BYD-1, RPL-8"""
    run = await staged(tmp_path, "mute").start(["say", "x"], session="s")
    reading = asyncio.create_task(told(run))
    await asyncio.sleep(0)
    await run.interrupt()
    assert (await reading).end.message == "The agent was stopped."
    assert not runs(run.process.pid)


async def test_what_is_left_running_at_the_end_is_ended(tmp_path: Path) -> None:
    """BYD-1, BYD-8"""
    result = await staged(tmp_path).play(["child"], ["say", "bye"], session="s1")
    assert result.end.outcome == "done"
    assert not runs(int(result.text.split()[1]))
