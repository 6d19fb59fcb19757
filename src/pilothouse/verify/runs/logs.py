"""Writes the files of one run: a log for each check, and one with all of them."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
import threading
from pathlib import Path
from typing import IO

from pilothouse.domain.session.session import slugify
from pilothouse.domain.task.checks import Check, CheckOutcome, CheckResult
from pilothouse.words import say

COMBINED = "combined.log"
TAIL_LINES = 200
TAIL_BYTES = 64 * 1024
_MEGABYTE = 1_000_000
_PIECE = 1 << 20
_NOTE_ROOM = 1000
_WAITING = 1 << 20
_LONGEST_CHARACTER = 4
_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # colours, cursor movements
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links
    r"|[ -/]*[0-~])"
)
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def plain(text: str) -> str:
    """Without colours, and of a line that was overwritten only what it was in the end."""
    text = _UNSEEN.sub("", _ESCAPE.sub("", text))
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))


def _open(path: Path, flags: int) -> IO[bytes]:
    """Opens a file that only the owner may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | flags, 0o600), "wb")


class CheckLog:
    """A log of at most about `limit` bytes: the beginning of the output and its end, with a note in between.

    The end is kept in two unnamed files in turn, so that a flood fills neither memory nor disk. A full disk must not
    hold up the check: the problem is noted and the rest dropped. Writing blocks, so it belongs in a thread, which may
    still be writing when its caller was cancelled and closes the log.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self.path = path
        self.problem = ""
        self._file = _open(path, os.O_TRUNC)
        self._lock = threading.Lock()
        self.head = limit // 2
        """The first so many bytes are written in place."""
        self._part = max(1, limit // 4)
        self._limit = limit
        self._written = 0
        self._ends: list[IO[bytes]] = []

    def write(self, data: bytes) -> None:
        with self._lock:
            if not self.problem and not self._file.closed:
                self._write(data)

    def close(self) -> None:
        with self._lock:
            self._close()

    def _write(self, data: bytes) -> None:
        room = max(0, self.head - self._written)
        self._written += len(data)
        try:
            if room:
                self._file.write(data[:room])
                self._file.flush()
            for start in range(room, len(data), self._part):
                self._keep(data[start : start + self._part])
        except OSError as error:
            self.problem = _unwritten(error)

    def _close(self) -> None:
        try:
            if self._ends and not self.problem:
                self._append_ends()
        except OSError as error:
            self.problem = _unwritten(error)
        finally:
            for end in self._ends:
                end.close()
            self._ends.clear()
            try:
                self._file.close()
            except OSError as error:
                self.problem = self.problem or _unwritten(error)

    def _keep(self, data: bytes) -> None:
        if not self._ends or self._ends[-1].tell() + len(data) > self._part:
            if len(self._ends) == 2:
                self._ends.pop(0).close()
            self._ends.append(tempfile.TemporaryFile(dir=self.path.parent))  # noqa: SIM115 - closed by close()
        self._ends[-1].write(data)

    def _append_ends(self) -> None:
        left_out = self._written - self.head - sum(end.tell() for end in self._ends)
        if left_out:
            words = f"{left_out / _MEGABYTE:.1f} MB are left out here: a log has at most {self._limit // _MEGABYTE} MB"
            self._file.write(f"\n\n[… {words} …]\n\n".encode())
        for end in self._ends:
            end.seek(0)
            shutil.copyfileobj(end, self._file, _PIECE)


class LogWriter:
    """Writes a log in a thread, one batch while the next gathers, so that a slow disk holds nobody up.

    `close` closes the log when all is written, even if its caller is cancelled.
    """

    def __init__(self, log: CheckLog) -> None:
        self._log = log
        self._pending = bytearray()
        self._closed = False
        self._news, self._room = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="log writer")

    async def write(self, data: bytes) -> None:
        """Waits only if the disk is slower than the check."""
        while len(self._pending) >= _WAITING and not self._task.done():
            self._room.clear()
            await self._room.wait()
        self._pending += data
        self._news.set()

    async def close(self) -> None:
        self._closed = True
        self._news.set()
        await asyncio.shield(self._task)

    async def _run(self) -> None:
        try:
            while self._pending or not self._closed:
                await self._news.wait()
                self._news.clear()
                batch, self._pending = bytes(self._pending), bytearray()
                self._room.set()
                await asyncio.to_thread(self._log.write, batch)
        finally:
            self._room.set()
            await asyncio.to_thread(self._log.close)


class RunFolder:
    """`<logs>/runs/<run>/`, for the owner alone."""

    def __init__(self, path: Path, limit_mb: int) -> None:
        self.path = path
        self.combined = path / COMBINED
        self._limit = limit_mb * _MEGABYTE

    def open(self, number: int, check: Check) -> CheckLog:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return CheckLog(self.path / f"{number}-{slugify(check.name) or 'check'}.log", self._limit)

    def collect(self, number: int, of: int, outcome: CheckOutcome) -> str:
        """Adds the log of a check to the combined one. Returns what went wrong, if anything."""
        try:
            with _open(self.combined, os.O_APPEND) as combined:
                combined.write(f"=== {number}/{of} {outcome.name}: {outcome.command}\n".encode(errors="replace"))
                if outcome.log_path:
                    _copy(Path(outcome.log_path), combined, self._limit + _NOTE_ROOM)
                combined.write(f"=== {_said(outcome)}\n\n".encode(errors="replace"))
        except OSError as error:
            return _unwritten(error)
        return ""

    def tail(self) -> str:
        """The last lines of the combined log, as a terminal would show them."""
        lines = end_of(self.combined, TAIL_BYTES).rstrip("\n").split("\n")
        # Bytes that are no UTF-8 grow when decoded, hence the second cut.
        return "\n".join(lines[-TAIL_LINES:]).encode()[-TAIL_BYTES:].decode(errors="ignore")


def end_of(path: Path, size: int) -> str:
    """The last `size` bytes, from the beginning of a line unless that costs too much. Empty when there is no file."""
    try:
        with path.open("rb") as file:
            total = file.seek(0, os.SEEK_END)
            file.seek(max(0, total - size))
            data = file.read(size)
    except OSError:
        return ""
    if total > size and 0 <= (line_end := data.find(b"\n")) < len(data) // 2:
        data = data[line_end + 1 :]
    return _text(data)


def start_of(path: Path, size: int) -> str:
    try:
        with path.open("rb") as file:
            return _text(file.read(size))
    except OSError:
        return ""


def page(path: Path, offset: int, limit: int) -> tuple[str, int, int]:
    """(text, next offset, total). Cuts between characters, where the bytes are UTF-8."""
    with path.open("rb") as file:
        total = file.seek(0, 2)
        offset = min(offset, total)
        file.seek(offset)
        data = file.read(min(limit + _LONGEST_CHARACTER, total - offset))
    start = next((n for n in range(min(_LONGEST_CHARACTER, len(data))) if not _inside(data, n)), 0)
    end = _end(data, start, limit)
    return data[start:end].decode(errors="replace"), offset + end, total


def _end(data: bytes, start: int, limit: int) -> int:
    """Where to cut: before the character at the limit, or behind it if it is the only one."""
    end = cut = min(limit, len(data))
    while cut > start and end - cut < _LONGEST_CHARACTER and _inside(data, cut):
        cut -= 1
    if cut > start and not _inside(data, cut):
        return cut
    cut = max(end, min(start + 1, len(data)))
    while cut - start < _LONGEST_CHARACTER and _inside(data, cut):
        cut += 1
    return cut


def _inside(data: bytes, place: int) -> bool:
    """Whether the byte here continues a character."""
    return place < len(data) and data[place] & 0xC0 == 0x80


def _text(data: bytes) -> str:
    return data.decode(errors="replace").replace("\0", "\ufffd")


def _copy(log: Path, target: IO[bytes], most: int) -> None:
    """Copies at most `most` bytes, and ends the last line. The check may have replaced the file since."""
    last = b"\n"
    with log.open("rb") as source:
        while most > 0 and (data := source.read(min(_PIECE, most))):
            target.write(data)
            most -= len(data)
            last = data[-1:]
    if last != b"\n":
        target.write(b"\n")


def _said(outcome: CheckOutcome) -> str:
    code = "" if outcome.exit_code is None else f", exit code {outcome.exit_code}"
    took = "" if outcome.result is CheckResult.UNRUNNABLE else f" after {outcome.duration_ms / 1000:.1f} s"
    result = "could not be run" if outcome.result is CheckResult.UNRUNNABLE else outcome.result.value
    return f"{outcome.name}: {result}{took}{code}{f'. {outcome.detail}' if outcome.detail else ''}"


def _unwritten(error: OSError) -> str:
    return say("run.log_not_written", problem=error.strerror or str(error))
