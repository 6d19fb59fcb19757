"""Starts a program under a keeper and passes on what it prints.

The keeper is started with `Popen` and watched through a pidfd, not as an asyncio subprocess: asyncio kills the
process of a transport that is dropped, and a keeper that is killed cannot clean up. For the same reason nothing here
asks for a parent-death signal on the keeper: that signal follows the thread that started it, not the server.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from pilothouse.domain.ports import ProcessMark
from pilothouse.process import confine as confinement
from pilothouse.process import kinship, strays, tree
from pilothouse.process.environment import INSTANCE_VARIABLE, SPAWN_VARIABLE
from pilothouse.process.pipes import Pipe
from pilothouse.words import say

log = logging.getLogger(__name__)
_BOOT = "import sys; sys.path.append(sys.argv.pop(1)); import keeper; keeper.main()"
"""Imported rather than run by path, because only an import uses the compiled file (6 ms)."""
_BUFFERED = 1 << 20
_STDERR_TAIL = 8192
_LINGER = 1.0
"""How long a pipe may stay open after the keeper has ended; only a process that cannot be killed holds one."""


class SpawnLog:
    """The raw bytes of one spawn, readable by the owner alone."""

    def __init__(self, path: Path) -> None:
        self._open(path)

    def _open(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._path = path
        self._missing = 0

    def write(self, data: bytes) -> None:
        """A full disk must not end the work of an agent: what finds no room is left out, and the log says how much."""
        told = f"\n[{self._missing} bytes found no room here]\n".encode() if self._missing else b""
        rest = told + data
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
            self._missing = 0
        except OSError as error:
            if not self._missing:
                log.warning("the spawn log %s has a gap from here: %s", self._path, error.strerror)
            self._missing += min(len(rest), len(data))

    def move(self, path: Path) -> None:
        """Sends what is written from now on to `path`, unless the log is closed."""
        if self._file >= 0:
            self.close()
            self._open(path)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class _Output(asyncio.Protocol):
    """One pipe: everything to the log, and to the reader at the reader's pace."""

    def __init__(self, log: SpawnLog, tail: int | None = None) -> None:
        self._log = log
        self._tail = tail
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._paused = False
        self._news = asyncio.Event()
        self._transport: asyncio.ReadTransport | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are of no common class with asyncio's.
        self._transport = cast(asyncio.ReadTransport, transport)

    def data_received(self, data: bytes) -> None:
        self._log.write(data)
        self._pieces.append(data)
        self._size += len(data)
        self._news.set()
        if self._tail is not None:
            while self._size - len(self._pieces[0]) >= self._tail:
                self._size -= len(self._pieces.popleft())
        elif self._size >= _BUFFERED and self._transport:
            self._transport.pause_reading()
            self._paused = True

    def connection_lost(self, exc: Exception | None) -> None:
        self._news.set()
        if not self.closed.done():
            self.closed.set_result(None)

    async def read(self) -> AsyncIterator[bytes]:
        while True:
            await self._news.wait()
            while self._pieces:
                piece = self._pieces.popleft()
                self._size -= len(piece)
                if self._paused and self._size < _BUFFERED // 2 and self._transport:
                    self._paused = False
                    self._transport.resume_reading()
                yield piece
            if self.closed.done():
                return
            self._news.clear()

    def text(self) -> str:
        return b"".join(self._pieces).decode(errors="replace")

    def abandon(self) -> bool:
        """Gives up on a pipe that nobody will close, unless its reader is only slow."""
        if self._transport and not self._paused:
            self._transport.close()
        return not self._paused


class Spawned:
    """A running program. Read `output` to its end: a full pipe stops the program."""

    def __init__(
        self, keeper: subprocess.Popen[bytes], log: SpawnLog, spawn_id: str, instance: str, layers: int
    ) -> None:
        self._keeper = keeper
        self._log = log
        self._spawn_id = spawn_id
        self._instance = instance
        self._layers = layers
        self._program: ProcessMark | None = None
        self._outputs: list[_Output] = []
        self._exited = asyncio.Event()
        self._conclusion: asyncio.Task[int] | None = None
        self.stdin: asyncio.WriteTransport | None = None
        self.left: tuple[str, ...] = ()
        """What could not be ended, by pid and command; known when `wait` returns."""
        self.process = tree.mark(keeper.pid) or ProcessMark(keeper.pid, 0.0)

    async def connect(self) -> None:
        """Connects the pipes and watches for the end."""
        loop = asyncio.get_running_loop()
        for pipe, tail in ((self._keeper.stdout, None), (self._keeper.stderr, _STDERR_TAIL)):
            if pipe is not None:
                _, output = await loop.connect_read_pipe(partial(_Output, self._log, tail), Pipe(pipe, loop))
                self._outputs.append(output)
        if self._keeper.stdin is not None:
            stdin = Pipe(self._keeper.stdin, loop)
            self.stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, stdin)
        _when_ended(self._keeper, self._exited)
        self._conclusion = asyncio.create_task(self._conclude(), name=f"spawn {self._spawn_id}")

    def output(self) -> AsyncIterator[bytes]:
        """Yields what the program prints until everything it started is gone. For one reader."""
        return self._outputs[0].read()

    @property
    def stderr_tail(self) -> str:
        """The last words on standard error, when that is not merged into the output."""
        return self._outputs[1].text() if len(self._outputs) > 1 else ""

    @property
    def lost(self) -> bool:
        """Whether the keeper itself was killed, so that the exit code says nothing about the program."""
        return (self._keeper.returncode or 0) < 0

    def log_to(self, path: Path) -> None:
        """Changes the log: a kept program serves several runs, each with a log of its own."""
        self._log.move(path)

    async def wait(self) -> int:
        """The program's exit code (128 + n for a signal), once nothing it started is left."""
        assert self._conclusion is not None  # noqa: S101 - spawn() connects before it hands this out
        return await asyncio.shield(self._conclusion)

    async def stop(self, grace: float = 5.0) -> None:
        """Sends SIGTERM to everything, and SIGKILL after `grace` or the spawn's own grace, whichever is shorter."""
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace):
                await self.wait()
        except TimeoutError:
            self._signal(signal.SIGUSR1)
            await self.wait()

    def alive(self) -> bool:
        return not self._exited.is_set() and self._keeper.poll() is None

    def tool_alive(self) -> bool:
        """Whether a process other than the program itself lives below the keeper."""
        entries = self._entries()
        return bool(entries) and any(entry.mark != self._program for entry in entries)

    def living(self) -> list[tuple[int, str]]:
        return [(entry.pid, tree.command(entry.pid)) for entry in self._entries()]

    def _entries(self) -> list[tree.Entry]:
        if not self.alive():
            return []
        # The program is the keeper's eldest child, below bubblewrap's own processes where there are any.
        found = tree.below([self._keeper.pid])[self._layers :]
        if self._program is None and found:
            self._program = found[0].mark
        return found

    def _signal(self, number: signal.Signals) -> None:
        if self.alive():
            self._keeper.send_signal(number)

    async def _conclude(self) -> int:
        await self._exited.wait()
        kinship.spawn_ended()
        code = self._keeper.wait()
        if code < 0:
            report = await strays.end(strays.of_spawn(self._spawn_id, self._instance))
            self.left = tuple(str(stray) for stray in report.remaining)
        if self.stdin is not None:
            self.stdin.close()
        # The log is closed with the last pipe, however long its reader takes.
        self._closing = asyncio.create_task(self._close_log())
        return code if code >= 0 else 128 - code

    async def _close_log(self) -> None:
        for output in self._outputs:
            while not output.closed.done():
                await asyncio.wait([output.closed], timeout=_LINGER)
                if not output.closed.done() and output.abandon():
                    await output.closed
        self._log.close()


def _when_ended(keeper: subprocess.Popen[bytes], exited: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    if not hasattr(os, "pidfd_open"):
        # A system without pidfds needs a thread.
        def watch() -> None:
            keeper.wait()
            loop.call_soon_threadsafe(exited.set)

        threading.Thread(target=watch, name=f"keeper {keeper.pid}", daemon=True).start()
        return
    descriptor = os.pidfd_open(keeper.pid)

    def ended() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        exited.set()

    loop.add_reader(descriptor, ended)


async def spawn(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    spawn_id: str,
    log_path: Path,
    stdin: bool = False,
    merge_stderr: bool = False,
    grace: float = 5.0,
    confine: confinement.Confinement | confinement.Cage | str | None = None,
) -> Spawned:
    """Starts `argv` under a keeper. `confine` is a `Confinement` around `cwd`, or what `confine.find` returned.

    Raises `FileNotFoundError` when there is no such program on the PATH of `env`, or no such `cwd`.
    """
    _require(argv[0], cwd, env)
    if isinstance(confine, confinement.Confinement):
        confine = confine.cage(cwd)
    log = SpawnLog(log_path)
    try:
        keeper = _start(argv, cwd, env, spawn_id, stdin, merge_stderr, grace, confine)
    except OSError:
        log.close()
        raise
    layers = 2 if confine else 0
    spawned = Spawned(keeper, log, spawn_id, env.get(INSTANCE_VARIABLE, ""), layers)
    await spawned.connect()
    return spawned


def _require(program: str, cwd: Path, env: Mapping[str, str]) -> None:
    if not cwd.is_dir():
        raise FileNotFoundError(say("spawn.no_directory", folder=str(cwd)))
    found = (cwd / program).is_file() if os.sep in program else shutil.which(program, path=env.get("PATH", os.defpath))
    if not found:
        raise FileNotFoundError(say("agent.no_program", program=program))


def kept(argv: Sequence[str], grace: float = 0.5, *, confined: bool = False) -> list[str]:
    """The command that runs `argv` under a keeper. The keeper must be a child of this process."""
    mode = "confined" if confined else "adopt" if sys.platform == "linux" else "poll"
    keeper = [sys.executable, "-I", "-S", "-c", _BOOT, str(Path(__file__).parent)]
    return [*keeper, str(os.getpid()), str(grace), mode, "--", *argv]


def _start(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    spawn_id: str,
    stdin: bool,
    merge_stderr: bool,
    grace: float,
    confine: confinement.Cage | str | None,
) -> subprocess.Popen[bytes]:
    program = confinement.wrapped(confine, argv) if confine else argv
    return subprocess.Popen(
        kept(program, grace, confined=bool(confine)),
        cwd=cwd,
        env={**env, SPAWN_VARIABLE: spawn_id},
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merge_stderr else subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )
