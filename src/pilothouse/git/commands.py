"""Runs the git program, by argv.

Hooks, fsmonitor and automatic maintenance are off, git may speak to no remote, and the server's own `GIT_*` variables
are left out. So a checkpoint never runs a program of the repository and never lands in another repository.

Every git has a limit, and on Linux it dies with the thread that waits for it, so with the server too.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pilothouse.errors import GitFailed, GitStuck
from pilothouse.git import obstacles
from pilothouse.process.spawn import kept
from pilothouse.words import say

QUIET = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "advice.objectNameWarning=false",
    # A checkpoint must outlive a power cut; `batch` flushes once per command instead of once per object.
    "-c",
    "core.fsync=objects,reference",
    "-c",
    "core.fsyncMethod=batch",
)
PIECE = 1 << 16
ASKING_SECONDS = 300.0
"""The limit of a git that reads refs, configuration, rules or an index."""
WORKING_SECONDS = 1800.0
"""The limit of a git that reads or writes the files of a tree."""
SUSPICIOUS_SECONDS = 2.0
"""After this long, and after each doubling of it, we look whether git waits for a file that never ends."""
PATIENCE_SECONDS = 120
"""How long hooks may take over a person's commit."""
NO_REMOTES = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
"""Git fetches what a partial clone lacks by the repository's own programs; so it may not fetch."""
IDENTITY = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")


def clean_environment(keep: Sequence[str] = ()) -> dict[str, str]:
    """The inherited environment without our own variables, and without `GIT_*` ones that are not in `keep`.

    A repository's hooks, filters and helpers see it, and must not see the key to this server.
    """
    ours = ("GIT_", "PILOTHOUSE_")
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(ours) or k in keep}
    return {**inherited, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}


def split_zero(output: bytes) -> list[bytes]:
    return [part for part in output.split(b"\0") if part]


@dataclass(frozen=True, slots=True)
class Git:
    """Runs git in one directory, with the same extra variables each time."""

    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    config: tuple[str, ...] = QUIET
    limit: float = ASKING_SECONDS

    def run(
        self,
        *args: str | bytes,
        stdin: bytes | None = None,
        ok: Sequence[int] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Returns what git prints; raises `GitFailed` with git's words for an exit code that is not in `ok`."""
        return self.both(*args, stdin=stdin, ok=ok, env=env)[0]

    def both(
        self,
        *args: str | bytes,
        stdin: bytes | None = None,
        ok: Sequence[int] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> tuple[bytes, bytes]:
        """What git prints, and what it complains of."""
        # In a file, because `communicate` gives no more to a pipe once it was interrupted.
        with tempfile.TemporaryFile() as given:
            given.write(stdin or b"")
            given.seek(0)
            with self._started(args, given.fileno(), subprocess.PIPE, env) as started:
                waiting = _Waiting(started, self.cwd, args, self.limit)
                while True:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        said, complained = started.communicate(timeout=waiting.seconds())
                        break
        if started.returncode not in ok:
            raise self.failure(args, started.returncode, complained)
        return said, complained

    def text(self, *args: str | bytes, ok: Sequence[int] = (0,), env: Mapping[str, str] | None = None) -> str:
        return os.fsdecode(self.run(*args, ok=ok, env=env)).rstrip("\n")

    def objects(self, ids: Iterable[str]) -> dict[str, tuple[str, int]]:
        """Kind and size, by id, of those of these objects that exist."""
        names = sorted(set(ids))
        answer = (
            self.run("cat-file", "--batch-check", stdin="".join(f"{name}\n" for name in names).encode())
            if names
            else b""
        )
        rows = (row.split(" ") for row in answer.decode().splitlines())
        return {row[0]: (row[1], int(row[2])) for row in rows if len(row) == 3}

    def stream(self, *args: str | bytes) -> Generator[bytes, None, None]:
        """Yields what git prints, piece by piece. Closing the generator ends git."""
        with tempfile.TemporaryFile() as stderr:
            with self._started(args, subprocess.DEVNULL, stderr.fileno()) as started:
                waiting = _Waiting(started, self.cwd, args, self.limit)
                while piece := _next_piece(started, waiting):
                    yield piece
            if started.returncode:
                stderr.seek(0)
                raise self.failure(args, started.returncode, stderr.read())

    @contextlib.contextmanager
    def open(self, *args: str | bytes) -> Generator[subprocess.Popen[bytes], None, None]:
        """Starts a git that reads requests on its standard input and answers on its standard output."""
        with self._started(args, subprocess.PIPE, subprocess.DEVNULL) as started:
            watch = threading.Timer(self.limit, _kill, (started,))
            watch.daemon = True
            watch.start()
            try:
                yield started
            finally:
                watch.cancel()

    @contextlib.contextmanager
    def _started(
        self, args: Sequence[str | bytes], stdin: int, stderr: int, env: Mapping[str, str] | None = None
    ) -> Generator[subprocess.Popen[bytes], None, None]:
        """Git, which has ended when the context does. What it started is in its process group and is killed with it."""
        try:
            started = subprocess.Popen(
                [*_leash(), *self._argv(args)], cwd=self.cwd, env=self._environment(env), stdin=stdin,
                stdout=subprocess.PIPE, stderr=stderr, start_new_session=True, )  # fmt: skip
        except OSError as error:
            raise GitFailed(say("git.not_started", problem=str(error))) from error
        try:
            yield started
        except BaseException:
            _kill(started)
            raise
        finally:
            for pipe in (started.stdin, started.stdout, started.stderr):
                with contextlib.suppress(BrokenPipeError):
                    if pipe:
                        pipe.close()
            _end(started)

    def _argv(self, args: Sequence[str | bytes]) -> list[str | bytes]:
        return ["git", *self.config, *args]

    def _environment(self, env: Mapping[str, str] | None) -> dict[str, str]:
        quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1"}
        return {**clean_environment(), **NO_REMOTES, **quiet, **self.env, **(env or {})}

    @staticmethod
    def failure(args: Sequence[str | bytes], code: int, stderr: bytes) -> GitFailed:
        said = stderr.decode(errors="replace").strip()
        command = _command(args)
        return GitFailed(
            said or say("git.ended", command=command.removeprefix("git "), code=str(code)),
            {"command": command, "exit_code": code},
        )


class _Waiting:
    """How long to wait for a git. From time to time it looks whether waiting has a point."""

    def __init__(self, started: subprocess.Popen[bytes], cwd: Path, args: Sequence[str | bytes], limit: float) -> None:
        self._started, self._cwd, self._args = started, cwd, args[:1]
        self._began = time.monotonic()
        self._limit = limit
        self._next = min(SUSPICIOUS_SECONDS, limit)

    def seconds(self) -> float:
        """The time until the next look. Kills git and raises `GitStuck` when it cannot end, or its time is up."""
        spent = time.monotonic() - self._began
        if spent >= self._next:
            command = _command(self._args)
            obstacle = obstacles.find(self._cwd)
            if obstacle is not None:
                raise GitStuck(say("git.stuck", command=command, path=obstacle), {"command": command, "path": obstacle})
            if spent >= self._limit:
                raise GitStuck(say("git.no_end", command=command, count=int(self._limit), folder=str(self._cwd)))
            self._next = min(self._next * 2, self._limit)
        return max(0.0, self._next - spent)


def _next_piece(started: subprocess.Popen[bytes], waiting: _Waiting) -> bytes:
    if started.stdout is None:
        return b""
    ready = select.poll()
    ready.register(started.stdout, select.POLLIN)
    while not ready.poll(waiting.seconds() * 1000):
        continue
    return os.read(started.stdout.fileno(), PIECE)


def _kill(started: subprocess.Popen[bytes]) -> None:
    """Kills git and what it started. A git that was waited for is left alone: its number may be another's by now."""
    if started.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)


def _end(started: subprocess.Popen[bytes]) -> None:
    """Waits for a git that nobody listens to any more."""
    try:
        started.wait(SUSPICIOUS_SECONDS)
    except subprocess.TimeoutExpired:
        _kill(started)
        started.wait()


@cache
def _leash() -> tuple[str, ...]:
    """What makes the kernel kill git when the thread that waits for it is gone; empty where there is no such thing."""
    leash = ("setpriv", "--pdeathsig", "KILL", "--")
    try:
        works = subprocess.run([*leash, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    return leash if works else ()


def _command(args: Sequence[str | bytes]) -> str:
    return " ".join(["git", *(a if isinstance(a, str) else os.fsdecode(a) for a in args[:3])])


def as_person(cwd: Path, *args: str, message: str = "") -> None:
    """Runs git as a person at a terminal would: their identity, their language, hooks on.

    Under a keeper, so that a hook that hangs is ended with everything it started, also when the server is killed.
    """
    env = {**clean_environment(keep=IDENTITY), "GIT_LITERAL_PATHSPECS": "1", "GIT_EDITOR": "true"}
    env.pop("LC_ALL")
    # The keeper would end a maintenance that git starts in the background.
    settings = ("core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false")
    command = ["git", *(part for setting in settings for part in ("-c", setting)), *args]
    with subprocess.Popen(
        kept(command), cwd=cwd, env=env, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as started:  # fmt: skip
        try:
            said, complained = started.communicate(message.encode(), timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            started.send_signal(signal.SIGUSR1)
            raise GitFailed(say("git.too_slow", command=args[0], seconds=PATIENCE_SECONDS)) from None
    if started.returncode:
        # Git prints "nothing to commit" on its standard output.
        raise Git.failure(args, started.returncode, complained or said)
