"""The keeper by itself, also the way it works where there are no subreapers."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from pilothouse.process import tree
from tests.process.watching import eventually, gone, runs

KEEPER = Path(__file__).parents[2] / "src/pilothouse/process/keeper.py"


async def keeper(mode: str, script: str, grace: float = 5.0) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(KEEPER), str(os.getpid()), str(grace), mode, "--", "sh", "-c", script),
        stdout=asyncio.subprocess.PIPE,
    )


async def first_line(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    return await process.stdout.readline()


@pytest.mark.parametrize("mode", ["adopt", "poll"])
async def test_it_ends_with_the_programs_code_and_leaves_nothing(mode: str) -> None:
    process = await keeper(mode, "sleep 600 & echo $!; sleep 0.7; exit 9")
    pid = int(await first_line(process))
    assert await process.wait() == 9
    assert not runs(pid)


@pytest.mark.parametrize("mode", ["adopt", "poll"])
async def test_sigterm_reaches_everyone_and_sigusr1_does_not_wait(mode: str) -> None:
    """TSK-6"""
    script = "sleep 600 & mild=$!; trap '' TERM; sleep 600 & echo $mild $!; sleep 600"
    process = await keeper(mode, script, grace=600)
    mild, stubborn = (int(pid) for pid in (await first_line(process)).split())
    process.send_signal(signal.SIGTERM)
    await gone(mild)
    assert runs(stubborn)
    assert process.returncode is None
    process.send_signal(signal.SIGUSR1)
    await process.wait()
    assert not runs(stubborn)


async def test_orphans_that_left_their_session_are_noticed_by_polling(tmp_path: Path) -> None:
    """The way of macOS: a process is remembered once it was seen below, also after its parent is gone."""
    script = "setsid sh -c 'sleep 600 & echo $!; while [ ! -e go ]; do sleep 0.05; done' & sleep 600"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(KEEPER), str(os.getpid()), "1", "poll", "--", "sh", "-c", script),
        stdout=asyncio.subprocess.PIPE,
        cwd=tmp_path,
    )
    orphan = int(await first_line(process))
    seen = _reads(process.pid)
    await eventually(lambda: _reads(process.pid) > seen + 20)
    (tmp_path / "go").touch()
    await eventually(lambda: orphan not in [entry.pid for entry in tree.below([process.pid])])
    process.terminate()
    await process.wait()
    await gone(orphan)


def _reads(pid: int) -> int:
    """How often the process waited for something; grows with each look it takes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("voluntary_ctxt_switches:")[2].split()[0])


async def test_a_server_that_is_already_gone_starts_nothing(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(KEEPER), "1", "5", "adopt", "--", "touch", str(tmp_path / "made"))
    )
    assert await process.wait() == 1
    assert not (tmp_path / "made").exists()
