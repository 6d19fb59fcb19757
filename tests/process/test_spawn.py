"""Starting, reading, stopping."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from pilothouse.process import tree
from pilothouse.process.environment import Environment
from pilothouse.process.spawn import Spawned, SpawnLog, spawn
from tests.disk import filled, small_disk
from tests.process.conftest import Start
from tests.process.watching import LIMIT, descriptors, eventually, gone, runs


async def printed(spawned: Spawned) -> bytes:
    return b"".join([piece async for piece in spawned.output()])


async def line(spawned: Spawned) -> str:
    """The first line the program prints."""
    found = b""
    async for piece in spawned.output():
        found += piece
        if b"\n" in found:
            break
    return found.partition(b"\n")[0].decode()


async def test_exit_code_and_output_are_the_programs(start: Start) -> None:
    spawned = await start("echo out; echo err >&2; exit 7")
    assert await printed(spawned) == b"out\n"
    assert await spawned.wait() == 7
    await eventually(lambda: spawned.stderr_tail == "err\n")


async def test_death_by_signal_is_told_as_128_plus_its_number(start: Start) -> None:
    assert await (await start("kill -SEGV $$")).wait() == 128 + 11


async def test_log_has_every_byte_and_only_the_owner_may_read_it(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "deep" / "spawn.log"
    spawned = await start(r"printf 'a\377b'; printf 'c' >&2", log_path=log)
    await printed(spawned)
    await spawned.wait()
    await eventually(lambda: len(log.read_bytes()) == 4)
    assert sorted(log.read_bytes()) == sorted(b"a\xffbc")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


async def test_merged_stderr_keeps_the_order(start: Start) -> None:
    spawned = await start("echo 1; echo 2 >&2; echo 3", merge_stderr=True)
    assert await printed(spawned) == b"1\n2\n3\n"


async def test_program_reads_its_input(start: Start) -> None:
    spawned = await start("cat", stdin=True)
    assert spawned.stdin is not None
    spawned.stdin.write(b"x" * 300_000)
    spawned.stdin.write_eof()
    assert len(await printed(spawned)) == 300_000


async def test_without_input_a_program_reads_the_end(start: Start) -> None:
    assert await (await start("cat")).wait() == 0


async def test_ten_megabytes_come_through_whole_at_the_readers_pace(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "big.log"
    spawned = await start("head -c 10000000 /dev/zero", log_path=log)
    # Nobody reads: the program must be held up, not our memory filled.
    sizes: list[int] = []

    def settled() -> bool:
        sizes.append(log.stat().st_size)
        return sizes[-1] > 0 and sizes[-20:] == sizes[-1:] * 20

    await eventually(settled)
    assert sizes[-1] < 3_000_000
    assert spawned.alive()
    total = 0
    async for piece in spawned.output():
        total += len(piece)
    assert total == 10_000_000
    assert await spawned.wait() == 0
    assert log.stat().st_size == 10_000_000


async def test_stderr_tail_is_bounded(start: Start) -> None:
    spawned = await start("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo end >&2")
    await spawned.wait()
    await eventually(lambda: spawned.stderr_tail.endswith("end\n"))
    assert len(spawned.stderr_tail) < 200_000


async def test_stop_is_sigterm_first(start: Start) -> None:
    """TSK-6"""
    spawned = await start("trap 'echo tidy; exit 3' TERM; echo ready; while :; do sleep 0.05; done")
    reading = spawned.output()
    assert await anext(reading) == b"ready\n"
    await spawned.stop()
    assert await spawned.wait() == 3
    assert b"tidy\n" in b"".join([piece async for piece in reading])


async def test_who_ignores_sigterm_is_killed_after_the_grace(start: Start) -> None:
    """TSK-6"""
    spawned = await start("trap '' TERM; (trap '' TERM; setsid sleep 600) & echo ready; while :; do sleep 0.05; done")
    assert await line(spawned) == "ready"
    pids = [pid for pid, _ in spawned.living()]
    loop = asyncio.get_running_loop()
    began = loop.time()
    await spawned.stop(0.3)
    assert loop.time() - began >= 0.3
    assert await spawned.wait() == 137
    assert not any(runs(pid) for pid in pids)


async def test_the_keepers_own_grace_holds_when_stop_would_wait_longer(start: Start) -> None:
    spawned = await start("trap '' TERM; echo ready; while :; do sleep 0.05; done", grace=0.2)
    assert await line(spawned) == "ready"
    async with asyncio.timeout(LIMIT):
        await spawned.stop(3600)


async def test_a_stopped_process_hears_sigterm_too(start: Start) -> None:
    spawned = await start("kill -STOP $$; sleep 600")
    await eventually(lambda: any(_state(pid) == "T" for pid, _ in spawned.living()))
    async with asyncio.timeout(LIMIT):
        await spawned.stop(3600)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


async def test_stop_right_after_start_and_twice(start: Start) -> None:
    spawned = await start("sleep 600")
    await asyncio.gather(spawned.stop(1), spawned.stop(1))
    assert await spawned.wait() >= 128
    assert not spawned.alive()
    await spawned.stop()


async def test_a_tool_is_told_from_the_program_itself(start: Start) -> None:
    """WEB-11"""
    spawned = await start("echo ready; read x; sleep 600 & echo busy; wait", stdin=True)
    reading = spawned.output()
    assert await anext(reading) == b"ready\n"
    assert spawned.alive()
    assert not spawned.tool_alive()
    assert spawned.stdin is not None
    spawned.stdin.write(b"go\n")
    assert await anext(reading) == b"busy\n"
    await eventually(lambda: "sleep 600" in [command for _, command in spawned.living()])
    assert spawned.tool_alive()
    await spawned.stop()
    assert not spawned.tool_alive()
    assert spawned.living() == []


async def test_a_zombie_is_no_living_tool(start: Start) -> None:
    """WEB-11"""
    script = "import os, time\nif os.fork() == 0: os._exit(0)\nprint('ready', flush=True)\ntime.sleep(600)"
    spawned = await start(f'exec {sys.executable} -c "{script}"')
    assert await line(spawned) == "ready"
    program = spawned.living()[0][0]
    await eventually(lambda: any(entry.zombie for entry in tree.table().values() if entry.parent == program))
    assert not spawned.tool_alive()


async def test_program_and_directory_that_are_not_there(tmp_path: Path, environment: Environment) -> None:
    env = environment.for_spawn()
    for argv, cwd in ((["no-such-program"], tmp_path), (["./nor-this"], tmp_path), (["true"], tmp_path / "none")):
        with pytest.raises(FileNotFoundError):
            await spawn(argv, cwd=cwd, env=env, spawn_id="s", log_path=tmp_path / "log")


async def test_a_file_that_is_no_program_ends_with_126(tmp_path: Path, environment: Environment) -> None:
    (tmp_path / "data").write_bytes(b"\x00\x01")
    (tmp_path / "data").chmod(0o755)
    spawned = await spawn(
        ["./data"], cwd=tmp_path, env=environment.for_spawn(), spawn_id="s", log_path=tmp_path / "log"
    )
    assert await spawned.wait() == 126
    await eventually(lambda: "data" in spawned.stderr_tail)


async def test_nothing_leaks(start: Start) -> None:
    """BYD-8: neither descriptors nor zombies nor threads, however a spawn ends."""
    first = await start("true")
    await printed(first)
    await first.wait()
    await asyncio.sleep(0)
    before, threads = descriptors(), threading.active_count()
    for script in ("exit 1", "kill -9 $$", "sleep 600 & exit 0", "sleep 600"):
        spawned = await start(script)
        if script == "sleep 600":
            await spawned.stop(0.1)
        await printed(spawned)
        await spawned.wait()
    await eventually(lambda: descriptors() == before)
    assert threading.active_count() == threads
    assert [entry for entry in tree.table().values() if entry.parent == os.getpid() and entry.zombie] == []


async def test_a_keeper_that_is_killed_takes_the_program_and_its_marked_children_along(start: Start) -> None:
    """WEB-1"""
    spawned = await start("setsid sleep 600 & echo ready; sleep 600")
    assert await line(spawned) == "ready"
    await eventually(lambda: len(spawned.living()) == 3)
    pids = [pid for pid, _ in spawned.living()]
    os.kill(spawned.process.pid, 9)
    assert await spawned.wait() == 137
    await gone(*pids)


async def test_full_disk_shortens_the_log_but_not_the_output(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    """WEB-11: and it is reported once, not with every line."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    spawned = await start("echo hello; sleep 0.1; echo again", log_path=Path("/dev/full"))
    assert await printed(spawned) == b"hello\nagain\n"
    assert [record.getMessage() for record in caplog.records] == [
        "the spawn log /dev/full has a gap from here: No space left on device"
    ]


def test_the_other_event_loop_runs_it_the_same_way(tmp_path: Path, environment: Environment) -> None:
    async def main() -> None:
        options = {"cwd": tmp_path, "env": environment.for_spawn(), "log_path": tmp_path / "log"}
        cat = await spawn(["cat"], spawn_id="a", stdin=True, **options)  # type: ignore[arg-type]
        assert cat.stdin is not None
        cat.stdin.write(b"x" * 3_000_000)
        cat.stdin.write_eof()
        assert len(await printed(cat)) == 3_000_000
        assert await cat.wait() == 0
        sleep = await spawn(["sleep", "600"], spawn_id="b", **options)  # type: ignore[arg-type]
        await sleep.stop(1)
        assert await printed(sleep) == b""

    asyncio.run(main())


def test_a_log_goes_on_when_the_disk_has_room_again_and_names_what_is_missing(tmp_path: Path) -> None:
    """PLT-5"""
    with small_disk(tmp_path / "disk", 1 << 20) as disk:
        spawn_log = SpawnLog(disk / "spawn.log")
        spawn_log.write(b"first\n")
        with filled(disk):
            spawn_log.write(b"x" * 8192)
            spawn_log.write(b"y" * 1000)
        spawn_log.write(b"last\n")
        spawn_log.close()
        written = (disk / "spawn.log").read_bytes()
        kept = written.count(b"x")
        assert written.startswith(b"first\n")
        assert written.endswith(f"\n[{9192 - kept} bytes found no room here]\nlast\n".encode())
