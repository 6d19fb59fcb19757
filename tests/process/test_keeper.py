"""The keeper by itself, also the way it works where there are no subreapers."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from pilothouse.process import tree
from tests.process.watching import LIMIT, eventually, gone, runs

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


@pytest.mark.parametrize(("mode", "ended_by"), [("adopt", signal.SIGTERM), ("confined", signal.SIGKILL)])
async def test_a_program_that_is_still_being_started_ends_at_once(
    tmp_path: Path, mode: str, ended_by: signal.Signals
) -> None:
    """TSK-6: SIGTERM is sent once, and where it comes before the program is there it must not be lost."""
    (tmp_path / "late").write_text("#!/bin/sh\nexec sleep 600\n")
    (tmp_path / "late").chmod(0o755)
    # The child looks through all of it before it becomes the program.
    path = "/n:" * 40_000 + str(tmp_path)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(KEEPER), str(os.getpid()), "600", mode, "--", "late"),
        env={**os.environ, "PATH": path},
        cwd=tmp_path,
    )
    await eventually(lambda: bool(tree.below([process.pid])))
    assert await _terminated(process) == 128 + ended_by


async def test_sigterm_is_heard_from_the_first_moment_on() -> None:
    """TSK-6: a lost one would cost all of the grace."""
    for _ in range(20):
        process = await keeper("adopt", "exec sleep 600", grace=600)
        async with asyncio.timeout(LIMIT):
            # Without a pause: the moments before the program is there are short.
            while not _listens(process.pid):  # noqa: ASYNC110 - the system does not tell
                await asyncio.sleep(0)
        assert await _terminated(process) == 128 + signal.SIGTERM


def _listens(pid: int) -> bool:
    caught = Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0]
    return bool(int(caught, 16) >> signal.SIGTERM - 1 & 1)


async def _terminated(process: asyncio.subprocess.Process) -> int:
    """Its code when it heard of SIGTERM; one that did not leaves nothing running behind a test that fails."""
    process.terminate()
    try:
        async with asyncio.timeout(LIMIT):
            return await process.wait()
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGUSR1)
            await process.wait()


def _inheriting(before: str, *argv: str) -> list[str]:
    """A keeper that comes to life with what `before` did to its signals."""
    to_keeper = "import os, sys; from signal import *; " + before + "; os.execv(sys.argv[1], sys.argv[1:])"
    keeper = (sys.executable, "-I", "-S", str(KEEPER), str(os.getpid()), "600", "adopt", "--")
    return [sys.executable, "-c", to_keeper, *keeper, *argv]


async def test_the_program_gets_no_signal_blocked_or_ignored() -> None:
    """TSK-6"""
    before = "pthread_sigmask(SIG_BLOCK, [SIGTERM, SIGUSR2]); signal(SIGHUP, SIG_IGN)"
    process = await asyncio.create_subprocess_exec(
        *_inheriting(before, "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    blocked, ignored = (int(line.split()[1], 16) for line in printed.splitlines())
    assert blocked == 0
    assert not ignored & (1 << signal.SIGHUP - 1 | 1 << signal.SIGPIPE - 1)


async def test_a_keeper_told_to_end_before_it_starts_the_program_never_does(tmp_path: Path) -> None:
    """TSK-6"""
    before = "pthread_sigmask(SIG_BLOCK, [SIGTERM]); os.kill(os.getpid(), SIGTERM)"
    process = await asyncio.create_subprocess_exec(*_inheriting(before, "touch", str(tmp_path / "made")))
    assert await process.wait() == 128 + signal.SIGTERM
    assert not (tmp_path / "made").exists()


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
