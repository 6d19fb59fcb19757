"""Runs the git program, by argv.

Hooks, fsmonitor and automatic maintenance are off, and the server's own `GIT_*` variables are left out. So a checkpoint
never runs a program of the repository and never lands in another repository.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pilothouse.errors import GitFailed
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
PATIENCE_SECONDS = 120
"""How long hooks may take over a person's commit."""
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

    def run(
        self,
        *args: str | bytes,
        stdin: bytes | None = None,
        ok: Sequence[int] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Returns what git prints; raises `GitFailed` with git's words for an exit code that is not in `ok`."""
        environment = self._environment(env)
        try:
            done = subprocess.run(
                self._argv(args),
                cwd=self.cwd,
                env=environment,
                input=stdin or b"",
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise GitFailed(say("git.not_started", problem=str(error))) from error
        if done.returncode not in ok:
            raise self.failure(args, done.returncode, done.stderr)
        return done.stdout

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
            try:
                started = subprocess.Popen(
                    self._argv(args), cwd=self.cwd, env=self._environment(None), stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=stderr, )  # fmt: skip
            except OSError as error:
                raise GitFailed(say("git.not_started", problem=str(error))) from error
            with started:
                try:
                    while started.stdout and (piece := started.stdout.read(PIECE)):
                        yield piece
                except GeneratorExit:
                    started.kill()
                    raise
            if started.returncode:
                stderr.seek(0)
                raise self.failure(args, started.returncode, stderr.read())

    def open(self, *args: str | bytes) -> subprocess.Popen[bytes]:
        """Starts a git that reads requests on its standard input and answers on its standard output."""
        return subprocess.Popen(
            self._argv(args), cwd=self.cwd, env=self._environment(None), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, )  # fmt: skip

    def _argv(self, args: Sequence[str | bytes]) -> list[str | bytes]:
        return ["git", *self.config, *args]

    def _environment(self, env: Mapping[str, str] | None) -> dict[str, str]:
        quiet = {"GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1"}
        return {**clean_environment(), **quiet, **self.env, **(env or {})}

    @staticmethod
    def failure(args: Sequence[str | bytes], code: int, stderr: bytes) -> GitFailed:
        said = stderr.decode(errors="replace").strip()
        command = " ".join(a if isinstance(a, str) else os.fsdecode(a) for a in args[:3])
        return GitFailed(
            said or say("git.ended", command=command, code=str(code)), {"command": f"git {command}", "exit_code": code}
        )


def as_person(cwd: Path, *args: str, message: str = "") -> None:
    """Runs git as a person at a terminal would: their identity, their language, hooks on."""
    env = {**clean_environment(keep=IDENTITY), "GIT_LITERAL_PATHSPECS": "1", "GIT_EDITOR": "true"}
    env.pop("LC_ALL")
    # In a session of its own, a hook that hangs can be ended with everything it started.
    with subprocess.Popen(
        ["git", *args],
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as started:
        try:
            said, complained = started.communicate(message.encode(), timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            raise GitFailed(say("git.too_slow", command=args[0], seconds=PATIENCE_SECONDS)) from None
    if started.returncode:
        # Git prints "nothing to commit" on its standard output.
        raise Git.failure(args, started.returncode, complained or said)
