"""Going on with an agent's session: by its name, and by a process that was kept for it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.ports import AgentSession, Ended, Fresh, Heartbeat, TextOut, ToolStarted, Usage, Workbench
from pilothouse.process import strays
from pilothouse.process.confine import Confinement, Switch, look
from tests.agents.acp.stage import ALL, EDITS, staged, told
from tests.agents.playing import Told
from tests.process.watching import eventually, gone, runs


async def test_a_session_is_resumed_by_its_name(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "resume", "load")
    first = await stage.play(["say", "one"])
    second = await stage.play(["say", "two"], resume=first.session)
    assert second.events[:2] == [AgentSession(first.session), TextOut("two")]


async def test_a_transcript_that_is_played_again_is_swallowed(tmp_path: Path) -> None:
    """BYD-1: with it goes a tool, and a cost that was told before."""
    stage = staged(tmp_path, "load")
    first = await stage.play(["say", "one"])
    other = staged(tmp_path, "load")
    second = await other.play(["say", "two"], ["cost", 7.5, "USD"], resume=first.session)
    assert second.text == "two"
    assert second.of(ToolStarted) == []
    assert second.of(Usage) == [Usage(0.5)]


async def test_a_session_that_cannot_be_resumed_begins_afresh_and_says_so(tmp_path: Path) -> None:
    """BYD-1, RPL-3"""
    for traits in (("resume",), ("load",), ()):
        result = await staged(tmp_path, *traits).say("Go on", resume="lost", instructions="Be brief.")
        assert result.of(Fresh)
        assert "lost" in result.of(Fresh)[0].reason
        assert result.session != "lost"
        assert (result.end.outcome, result.end.text) == ("done", "Be brief.\n\nGo on")


async def test_the_process_of_a_session_serves_its_next_turn(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    run = await stage.start(["say", "one"], session="s")
    first = await told(run)
    again = await stage.start(["say", "two"], session="s", resume=first.session)
    assert again.process == run.process
    assert (await told(again)).events == [AgentSession(first.session), TextOut("two"), Ended("done", "two")]
    assert "two" not in stage.log(1)
    assert "two" in stage.log(2)
    await stage.agent.forget("other")
    assert runs(run.process.pid)
    await stage.agent.forget("s")
    assert not runs(run.process.pid)


async def test_a_process_never_serves_another_conversation(tmp_path: Path) -> None:
    """BYD-1: nor one that would have been started otherwise; what does not fit is ended."""
    stage = staged(tmp_path, "resume")
    run = await stage.start(["say", "one"], session="s")
    first = await told(run)
    new = await stage.start(["say", "x"], session="s")
    assert new.process != run.process
    await gone(run.process.pid)
    await told(new)
    with_env = await stage.start(["say", "x"], session="s", resume=first.session, extra_env={"A": "b"})
    assert with_env.process != new.process
    await told(with_env)
    other = await stage.start(["say", "x"], session="t", resume=first.session)
    assert other.process != with_env.process
    await told(other)
    await stage.agent.forget()
    assert not any(runs(run.process.pid) for run in (new, with_env, other))


async def test_a_process_does_not_serve_a_directory_that_came_to_the_name_of_its_own(tmp_path: Path) -> None:
    """BYD-14: it would go on in the old one."""
    stage = staged(tmp_path, "resume")
    run = await stage.start(["say", "one"], session="s")
    first = await told(run)
    stage.workspace.rename(tmp_path / "old")
    stage.workspace.mkdir()
    again = await stage.start(["say", "two"], session="s", resume=first.session)
    assert again.process != run.process
    assert (await told(again)).end.text == "two"


async def test_a_kept_process_that_died_is_replaced(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "resume")
    run = await stage.start(["say", "one"], session="s")
    first = await told(run)
    await run.stop(0.5)
    second = await stage.play(["say", "two"], session="s", resume=first.session)
    assert second.end.text == "two"


@pytest.mark.parametrize("forgotten", ["s", None])
async def test_a_process_that_serves_a_run_when_it_is_forgotten_ends_with_the_run(
    tmp_path: Path, forgotten: str | None
) -> None:
    """BYD-14, GRD-7"""
    stage = staged(tmp_path, "resume")
    run = await stage.start(["think", "begun"], ["say", "one"], session="s")
    events = []
    async for event in run.events():
        events.append(event)
        if event == Heartbeat():
            await stage.agent.forget("other")
            await stage.agent.forget(forgotten)
    assert Told(events).end.text == "one"
    assert not runs(run.process.pid)
    again = await stage.start(["say", "two"], session="s", resume=Told(events).session)
    assert (await told(again)).end.text == "two"
    assert runs(again.process.pid)


async def test_forgetting_another_session_leaves_the_process_of_a_run(tmp_path: Path) -> None:
    """BYD-14: or the test above would prove nothing."""
    stage = staged(tmp_path)
    run = await stage.start(["think", "begun"], ["say", "one"], session="s")
    async for event in run.events():
        if event == Heartbeat():
            await stage.agent.forget("other")
    assert runs(run.process.pid)


async def test_what_is_forgotten_while_it_is_prepared_is_not_used(tmp_path: Path) -> None:
    """BYD-14"""
    stage = staged(tmp_path, f"slow={tmp_path / 'go'}")
    preparing = asyncio.create_task(stage.agent.prepare(stage.request("", session="")))
    await eventually(lambda: bool(strays.find((), stage.environment.instance)))
    # It would shake hands only after the file is there, for which a server that goes down does not wait.
    await stage.agent.forget()
    assert strays.find((), stage.environment.instance) == []
    await preparing
    assert stage.pool.prepared == []


async def test_a_process_is_used_only_as_confined_as_it_is_to_be(tmp_path: Path) -> None:
    """GRD-7"""
    found = await look()
    if found.program is None:
        pytest.skip(f"NOT TRIED, agents are not confined here: {found.problem}")
    switch = Switch(found)
    stage = staged(tmp_path, "resume", confine=Confinement(switch))
    first = await stage.start(["say", "one"], session="s")
    session = (await told(first)).session
    switch.mode = "processes"
    second = await stage.start(["say", "two"], session="s", resume=session)
    assert second.process != first.process
    assert (await told(second)).end.text == "two"
    third = await stage.start(["say", "three"], session="s", resume=session)
    assert third.process == second.process
    await told(third)


async def test_a_turn_that_only_looks_is_asked_of_the_kept_process_and_cannot_write(tmp_path: Path) -> None:
    """GRD-7, BYD-14: where the agent has no switch of its own for that, it is refused here either way"""
    stage = staged(tmp_path)
    first = await stage.start(["say", "one"], session="s", permission_mode=ALL)
    session = (await told(first)).session
    file = stage.workspace / "new.txt"
    tries: list[list[Any]] = [
        ["may", "t", "edit", "Edit", {}],
        ["writefile", str(file), "x"],
        ["terminal", "touch", str(file)],
    ]
    looked = await stage.start(*tries, session="s", resume=session, read_only=True, permission_mode=ALL)
    assert looked.process == first.process
    assert (await told(looked)).text.startswith("[t: x3]")
    assert not file.exists()
    third = await stage.start(["writefile", str(file), "x"], session="s", resume=session, permission_mode=ALL)
    assert third.process == first.process
    await told(third)
    assert file.read_text() == "x"


async def test_looking_beside_the_conversation_leaves_its_process_alone(tmp_path: Path) -> None:
    """BYD-14: scouts, and whoever reads what an agent meant"""
    stage = staged(tmp_path)
    first = await stage.start(["say", "one"], session="s")
    session = (await told(first)).session
    beside = await stage.start(["say", "two"], session="s", read_only=True)
    await told(beside)
    assert not runs(beside.process.pid)
    again = await stage.start(["say", "three"], session="s", resume=session)
    assert again.process == first.process
    await told(again)


async def test_a_kept_process_is_ended_after_a_while(tmp_path: Path) -> None:
    """BYD-1"""
    clock = ManualClock()
    stage = staged(tmp_path, clock=clock)
    run = await stage.start(["may", "t", "execute", "make", {}], session="s")
    assert (await told(run)).end.outcome == "permission"
    await clock.advance(599)
    assert runs(run.process.pid)
    await clock.advance(2)
    await gone(run.process.pid)


async def test_only_so_many_are_kept(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    started = []
    for session in ("a", "b", "c"):
        run = await stage.start(["say", "x"], session=session)
        await told(run)
        started.append(run.process.pid)
    await gone(started[0])
    assert [runs(pid) for pid in started] == [False, True, True]


async def test_nothing_is_kept_of_a_run_that_failed_or_only_looked(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    for script, read_only in ((["finish", "refusal"], False), (["say", "x"], True)):
        run = await stage.start(script, session="s", read_only=read_only)
        await told(run)
        assert not runs(run.process.pid)


async def test_a_prepared_process_takes_the_first_prompt_with_the_workbench_of_its_run(tmp_path: Path) -> None:
    """BYD-1, BYD-13"""
    stage = staged(tmp_path, "http")
    await stage.agent.prepare(stage.request(""))
    (ready,) = stage.pool.prepared
    more: dict[str, Any] = {"workbench": Workbench("http://127.0.0.1:9/mcp", "t"), "permission_mode": EDITS}
    run = await stage.begin(stage.request("Go", session="s", instructions="Be brief.", **more))
    assert run.process == ready.spawned.process
    result = await told(run)
    assert result.end.text == "Be brief.\n\nGo"
    servers = await stage.play(["tell", "servers"], session="s", resume=result.session)
    assert "Bearer t" in servers.text
    assert "agentCapabilities" in stage.log(1)
    assert "agentCapabilities" not in stage.log(2)


async def test_preparing_what_cannot_start_is_left_to_the_run_to_tell(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "login=KEY")
    await stage.agent.prepare(stage.request("", session="s"))
    assert (await stage.play(["say", "x"], session="s")).end.outcome == "failed"


async def test_nothing_is_done_through_us_when_nobody_follows(tmp_path: Path) -> None:
    """BYD-1: a write that comes when the turn is over is refused, and leaks nothing into the next run."""
    stage = staged(tmp_path)
    late = stage.workspace / "late.txt"
    first = await stage.play(["afterwards", str(late)], session="s", permission_mode=ALL)
    assert first.end.outcome == "done"
    await eventually(lambda: "late answer" in stage.log(1))
    assert not late.exists()
    second = await stage.play(["say", "on"], session="s", resume=first.session)
    assert second.text == "on"


async def test_a_reply_that_the_prompt_does_not_hold_is_said(tmp_path: Path) -> None:
    """BYD-1, RPL-3"""
    stage = staged(tmp_path)
    assert (await stage.say("Go on.", reply="flat")).end.text == "Go on.\n\nThe person answers: flat"
    assert (await stage.say("Go on: flat", reply="flat")).end.text == "Go on: flat"


async def test_an_interrupted_turn_leaves_the_conversation(tmp_path: Path) -> None:
    """BYD-1, RPL-8"""
    stage = staged(tmp_path)
    run = await stage.start(["think", "begun"], ["until_cancelled"], ["say", "never"], session="s")
    events = []
    async for event in run.events():
        events.append(event)
        if event == Heartbeat():
            await run.interrupt()
    assert isinstance(events[-1], Ended)
    assert (events[-1].outcome, events[-1].message) == ("crashed", "The turn was interrupted.")
    session = next(event.id for event in events if isinstance(event, AgentSession))
    again = await stage.start(["say", "on"], session="s", resume=session)
    assert again.process == run.process
    assert (await told(again)).end.text == "on"


async def test_an_agent_that_does_not_hear_an_interruption_is_stopped(tmp_path: Path) -> None:
    """BYD-1, RPL-8"""
    run = await staged(tmp_path).start(["think", "begun"], ["hang"], session="s")
    async for event in run.events():
        if event == Heartbeat():
            await run.interrupt()
    assert not runs(run.process.pid)
