"""However a spawn ends, whatever it started ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.rehearsal.adapter import RehearsalRun
from pilothouse.agents.rehearsal.files import HOW
from pilothouse.domain.ports import AgentEvent, TextOut
from pilothouse.process import confine, strays
from pilothouse.process.environment import instance_of
from tests.agents.playing import Theatre, Told
from tests.process.watching import gone, runs

CHILDREN = [f"spawn_child: {{seconds: 600, how: {how}}}" for how in HOW]
UNTOUCHABLE = "run: (trap '' TERM HUP INT; setsid sleep 600) > /dev/null 2>&1 &"


def left_behind(events: list[AgentEvent]) -> dict[str, int]:
    """how -> pid"""
    found = {}
    for event in events:
        if isinstance(event, TextOut) and event.text.startswith("left a child behind"):
            how, _, pid = event.text.removeprefix("left a child behind (").partition("): process ")
            found[how] = int(pid)
    return found


async def until_ready(run: RehearsalRun) -> tuple[dict[str, int], AsyncIterator[AgentEvent]]:
    events: list[AgentEvent] = []
    stream = run.events()
    async for event in stream:
        events.append(event)
        if event == TextOut("ready\n"):
            break
    return left_behind(events), stream


async def test_at_a_normal_end(theatre: Theatre) -> None:
    """BYD-8: five ways to get away, none of them works."""
    theatre.steps(*CHILDREN, UNTOUCHABLE)
    told = Told([event async for event in (await theatre.start()).events()])
    left = left_behind(told.events)
    assert left.keys() == set(HOW)
    assert told.end.outcome == "done"
    assert [how for how, pid in left.items() if runs(pid)] == []
    assert strays.find([], instance_of(theatre.root)) == []


async def test_when_the_agent_crashes(theatre: Theatre) -> None:
    """BYD-8"""
    theatre.steps(*CHILDREN, "crash: SIGKILL")
    told = Told([event async for event in (await theatre.start()).events()])
    left = left_behind(told.events)
    assert left.keys() == set(HOW)
    assert [how for how, pid in left.items() if runs(pid)] == []


async def test_when_it_is_stopped(theatre: Theatre) -> None:
    """TSK-6"""
    theatre.steps(*CHILDREN, UNTOUCHABLE, "say: ready", "stall: true")
    run = await theatre.start()
    left, stream = await until_ready(run)
    assert left.keys() == set(HOW)
    assert all(runs(pid) for pid in left.values())
    assert run.tool_alive()
    await run.stop(0.5)
    assert [how for how, pid in left.items() if runs(pid)] == []
    assert strays.find([], instance_of(theatre.root)) == []
    assert [event async for event in stream]


@contextlib.asynccontextmanager
async def victim(theatre: Theatre) -> AsyncIterator[tuple[asyncio.subprocess.Process, dict[str, Any]]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.agents.victim",
        str(theatre.root),
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        yield process, json.loads(await process.stdout.readline())
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def test_when_the_server_is_killed(theatre: Theatre) -> None:
    """WEB-1, BYD-8: kill -9 of the server, not one process stays, also without any boot after it."""
    theatre.steps(*CHILDREN, UNTOUCHABLE, "say: ready", "stall: true")
    async with victim(theatre) as (process, seen):
        assert len(seen["left"]) == len(HOW)
        assert len(seen["living"]) >= len(HOW) + 2
        assert all(runs(pid) for pid in seen["living"])
        process.kill()
        await gone(seen["keeper"], *seen["living"])


async def test_at_boot_when_server_and_keeper_were_both_killed(theatre: Theatre) -> None:
    """WEB-1: what carries our marker is found and ended; other instances never are."""
    theatre.steps(*CHILDREN[:-1], "say: ready", "stall: true")
    async with victim(theatre) as (process, seen):
        os.kill(process.pid, signal.SIGSTOP)
        os.kill(seen["keeper"], signal.SIGKILL)
        process.kill()
        # The agent itself hears of its keeper's death from the kernel; what it started does not.
        await gone(seen["keeper"], seen["living"][0])
    assert [pid for pid in seen["left"] if runs(pid)] == seen["left"]
    assert strays.find([], "another instance") == []
    found = strays.find([], instance_of(theatre.root))
    assert {stray.process.pid for stray in found} >= set(seen["left"])
    report = await strays.end(found)
    assert report.remaining == ()
    assert [pid for pid in seen["left"] if runs(pid)] == []


async def test_with_the_keeper_killed_inside_a_pid_namespace(tmp_path: Path) -> None:
    """WEB-1: confined, even a process that cleared its environment goes with its keeper."""
    bubblewrap = await confine.look()
    if bubblewrap.program is None:
        pytest.skip(f"NOT TRIED, agents are not confined here: {bubblewrap.problem}")
    theatre = Theatre(tmp_path, confine=confine.Confinement(confine.Switch(bubblewrap, "processes")))
    theatre.steps(*CHILDREN, "say: ready", "stall: true")
    run = await theatre.start()
    _, stream = await until_ready(run)
    living = [pid for pid, _ in run.living()]
    assert len(living) == len(HOW) + 1
    os.kill(run.process.pid, signal.SIGKILL)
    assert [event async for event in stream]
    await gone(*living)
