"""The files of a run."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import select
from pathlib import Path

import pytest

from pilothouse.domain.task.checks import Check, CheckOutcome, CheckResult
from pilothouse.verify.runs.live import LiveText
from pilothouse.verify.runs.logs import TAIL_BYTES, CheckLog, LogWriter, RunFolder, end_of
from tests.process.watching import eventually

LIMIT = 4000
LIMIT_SECONDS = 60


def written(path: Path, *pieces: bytes) -> bytes:
    log = CheckLog(path, LIMIT)
    for piece in pieces:
        log.write(piece)
    log.close()
    assert log.problem == ""
    return path.read_bytes()


@pytest.mark.parametrize("size", [0, 1, 1999, 2000, 2001, 3000, 4000])
def test_up_to_its_limit_a_log_is_whole(tmp_path: Path, size: int) -> None:
    """TSK-13"""
    data = bytes(n % 251 for n in range(size))
    assert written(tmp_path / "whole", data) == data
    assert written(tmp_path / "by bytes", *(data[n : n + 1] for n in range(size))) == data


@pytest.mark.parametrize("piece", [1, 7, 999, 1000, 1001, 5000, 100_000])
def test_beyond_it_the_beginning_and_the_end_are_kept(tmp_path: Path, piece: int) -> None:
    """TSK-13"""
    data = b"".join(b"%07d\n" % n for n in range(12_500))
    log = written(tmp_path / "log", *(data[n : n + piece] for n in range(0, len(data), piece)))
    head, note, tail = log.partition(b"\n\n[")[0], b"MB are left out here", log.rpartition(b"]\n\n")[2]
    assert data.startswith(head)
    assert len(head) >= LIMIT // 2
    assert note in log
    assert data.endswith(tail)
    assert LIMIT // 4 <= len(tail) <= LIMIT // 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["log"]


def test_a_full_disk_is_noted_and_holds_nothing_up() -> None:
    """TSK-13"""
    log = CheckLog(Path("/dev/full"), LIMIT)
    for _ in range(3):
        log.write(b"something")
    log.close()
    assert log.problem == "The log could not be written: No space left on device."


@pytest.mark.timeout(120)
async def test_a_disk_that_stands_still_holds_up_neither_the_loop_nor_loses_anything(tmp_path: Path) -> None:
    """TSK-13"""
    # A pipe takes 64 KB and then nothing, until someone reads.
    os.mkfifo(tmp_path / "log")
    source = os.open(tmp_path / "log", os.O_RDONLY | os.O_NONBLOCK)
    writer = LogWriter(CheckLog(tmp_path / "log", 100_000_000))
    pieces = [b"%07d\n" % n * 1000 for n in range(500)]
    for piece in pieces[:100]:
        await writer.write(piece)
    rest = asyncio.create_task(write_and_close(writer, pieces[100:]))
    await full(tmp_path / "log")
    assert not rest.done()
    got = await drained(source)
    await rest
    assert got == b"".join(pieces)


async def full(pipe: Path) -> None:
    """Until nothing more goes into the pipe, which nobody reads from: whoever writes to it stands still."""
    end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    try:
        await eventually(lambda: not select.select([], [end], [], 0)[1])
    finally:
        os.close(end)


async def drained(source: int) -> bytes:
    """All up to the end of the pipe."""
    reader = asyncio.StreamReader()
    file = os.fdopen(source, "rb")
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    with contextlib.closing(transport):
        async with asyncio.timeout(LIMIT_SECONDS):
            return await reader.read()


async def write_and_close(writer: LogWriter, pieces: list[bytes]) -> None:
    for piece in pieces:
        await writer.write(piece)
    await writer.close()


@pytest.mark.timeout(120)
async def test_whoever_is_cancelled_while_a_log_closes_loses_nothing_of_it(tmp_path: Path) -> None:
    """TSK-13"""
    os.mkfifo(tmp_path / "log")
    source = os.open(tmp_path / "log", os.O_RDONLY | os.O_NONBLOCK)
    writer = LogWriter(CheckLog(tmp_path / "log", 100_000_000))
    data = bytes(n % 251 for n in range(300_000))
    closing = asyncio.create_task(write_and_close(writer, [data]))
    await full(tmp_path / "log")
    assert not closing.done()
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert await drained(source) == data
    async with asyncio.timeout(LIMIT_SECONDS):
        await writer.close()


def test_what_comes_after_the_end_of_a_log_goes_nowhere(tmp_path: Path) -> None:
    log = CheckLog(tmp_path / "log", LIMIT)
    log.write(b"all")
    log.close()
    log.write(b"more")
    log.close()
    assert (log.problem, (tmp_path / "log").read_bytes()) == ("", b"all")


def test_what_stands_under_a_logs_name_is_never_copied_without_end(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, 1)
    outcome = CheckOutcome("odd", "true", CheckResult.PASSED, 0, 5, "/dev/zero")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000, hard))
    try:
        assert folder.collect(1, 1, outcome) == ""
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert folder.combined.stat().st_size < 1_100_000


def test_the_tail_has_200_lines_and_64_kilobytes_at_most(tmp_path: Path) -> None:
    """TSK-13"""
    folder = RunFolder(tmp_path, 1)
    for number, data in enumerate(
        [b"\x1b[31mline\x1b[0m\n" * 500, b"wide " * 30_000, (b"\xff" * 300 + b"\n") * 300], 1
    ):
        log = folder.open(number, Check("one", "true"))
        log.write(data)
        log.close()
        folder.collect(number, 3, CheckOutcome("one", "true", CheckResult.PASSED, 0, 5, str(log.path)))
        tail = folder.tail()
        assert len(tail.splitlines()) <= 200
        assert len(tail.encode()) <= TAIL_BYTES
        assert tail.endswith("=== one: passed after 0.0 s, exit code 0")
        assert number != 2 or "wide wide" in tail
        assert number != 1 or (tail.count("\x1b[31mline\x1b[0m") == 199 and len(tail.splitlines()) == 200)


def test_the_end_of_a_file_begins_with_a_line(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes("äé\nsecond\nthird".encode())
    assert end_of(file, 14) == "second\nthird"
    assert end_of(file, 6) == "third"
    assert end_of(file, 3) == "ird"
    assert end_of(file, 1000) == "äé\nsecond\nthird"
    assert end_of(tmp_path / "none", 10) == ""


async def test_live_text_stops_at_its_limit_and_ends_with_the_end() -> None:
    """TSK-13"""
    said: list[str] = []

    async def say(text: str) -> None:
        said.append(text)

    live = LiveText(say, limit=10)
    for piece in (b"01234", b"56789ab", b"x" * 50_000, b"the end"):
        await live.write(piece)
    await live.close()
    text = "".join(said)
    assert text.startswith("0123456789\n[… more than can be shown")
    assert text.endswith("xthe end")
    assert text.count("[…") == 1
    assert len(text) < 17_000
