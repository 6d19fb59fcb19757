"""Going on with an agent's session: by its name, and by a process that was kept for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.ports import AgentSession, Ended, Fresh, Heartbeat, TextOut, ToolStarted, Usage
from tests.agents.acp.stage import EDITS, staged, told
from tests.process.watching import gone, runs


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
    assert not runs(run.process.pid)
    await told(new)
    with_env = await stage.start(["say", "x"], session="s", resume=first.session, extra_env={"A": "b"})
    assert with_env.process != new.process
    await told(with_env)
    other = await stage.start(["say", "x"], session="t", resume=first.session)
    assert other.process != with_env.process
    await told(other)
    await stage.agent.forget()
    assert not any(runs(run.process.pid) for run in (new, with_env, other))


async def test_a_kept_process_that_died_is_replaced(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "resume")
    run = await stage.start(["say", "one"], session="s")
    first = await told(run)
    await run.stop(0.5)
    second = await stage.play(["say", "two"], session="s", resume=first.session)
    assert second.end.text == "two"
    await stage.agent.forget()


async def test_a_kept_process_is_ended_after_a_while(tmp_path: Path) -> None:
    """BYD-1"""
    clock = ManualClock()
    stage = staged(tmp_path, clock=clock)
    run = await stage.start(["may", "t", "execute", "make", {}], session="s")
    assert (await told(run)).end.outcome == "permission"
    await asyncio.sleep(0)
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
    assert [runs(pid) for pid in started] == [False, True, True]
    await stage.agent.forget()


async def test_nothing_is_kept_of_a_run_that_failed_or_only_looked(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    for script, read_only in ((["finish", "refusal"], False), (["say", "x"], True)):
        run = await stage.start(script, session="s", read_only=read_only)
        await told(run)
        assert not runs(run.process.pid)


async def test_a_prepared_process_takes_the_first_prompt(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path)
    await stage.agent.prepare(stage.request("", session="s"))
    run = await stage.agent.start(stage.request("Go", session="s", instructions="Be brief.", permission_mode=EDITS))
    assert (await told(run)).end.text == "Be brief.\n\nGo"
    assert "agentCapabilities" in stage.log(1)
    assert "agentCapabilities" not in stage.log(2)
    await stage.agent.forget()


async def test_preparing_what_cannot_start_is_left_to_the_run_to_tell(tmp_path: Path) -> None:
    """BYD-1"""
    stage = staged(tmp_path, "login=KEY")
    await stage.agent.prepare(stage.request("", session="s"))
    assert (await stage.play(["say", "x"], session="s")).end.outcome == "failed"


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
    await stage.agent.forget()


async def test_an_agent_that_does_not_hear_an_interruption_is_stopped(tmp_path: Path) -> None:
    """BYD-1, RPL-8"""
    run = await staged(tmp_path).start(["think", "begun"], ["hang"], session="s")
    async for event in run.events():
        if event == Heartbeat():
            await run.interrupt()
    assert not runs(run.process.pid)
