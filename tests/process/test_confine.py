"""Spawns in a PID namespace of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.process import confine
from tests.process.conftest import Start


async def bubblewrap() -> str:
    found = await confine.find("auto")
    if found is None:
        pytest.skip("bubblewrap is missing or forbidden here")
    return found


async def test_it_is_not_even_looked_for_when_off() -> None:
    assert await confine.find("off") is None


async def test_a_confined_program_works_on_the_real_files_but_sees_its_own_processes(
    start: Start, tmp_path: Path
) -> None:
    spawned = await start("pwd > here; ls -d /proc/[0-9]* | wc -l; exit 5", confine=await bubblewrap())
    printed = b"".join([piece async for piece in spawned.output()])
    assert await spawned.wait() == 5
    assert (tmp_path / "here").read_text().strip() == str(tmp_path)
    assert int(printed) < 10


async def test_a_confined_program_is_asked_before_it_is_killed(start: Start, tmp_path: Path) -> None:
    """TSK-6"""
    script = "trap 'sleep 0.2; touch tidied; exit 3' TERM; echo ready; while :; do sleep 0.05; done"
    spawned = await start(script, confine=await bubblewrap())
    reading = spawned.output()
    assert await anext(reading) == b"ready\n"
    await spawned.stop(5)
    assert await spawned.wait() == 3
    assert (tmp_path / "tidied").exists()


async def test_tools_are_told_from_the_program_inside_too(start: Start) -> None:
    """WEB-11"""
    spawned = await start("echo ready; read x; sleep 600 & echo busy; wait", stdin=True, confine=await bubblewrap())
    reading = spawned.output()
    assert await anext(reading) == b"ready\n"
    assert not spawned.tool_alive()
    assert spawned.stdin is not None
    spawned.stdin.write(b"go\n")
    assert await anext(reading) == b"busy\n"
    assert spawned.tool_alive()
