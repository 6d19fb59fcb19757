"""Confines spawns with bubblewrap: a process table of their own, or that and read-only files.

A PID namespace also holds what kills its keeper and clears its environment: the kernel ends all of it together.
It adds no more to the keeper than that, and it takes something away, so it is off by default: `sudo` and other setuid
programs refuse to work in it, the agent can neither see nor stop the person's own processes (a development server on
a busy port), the pids it names mean nothing outside, and the grace of a stopped spawn ends as soon as the agent itself
has ended, because bubblewrap ends the namespace then. It costs about 5 ms a spawn.

With read-only files the whole file system can be read as ever, but written only in the working directory, the
repository's own git directory, the temporary directories, and the agent's own files. It is no prison: the
network, and services the agent can talk to (Docker, an SSH agent), are as open as before.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pilothouse.errors import BadConfiguration
from pilothouse.words import say

_DETECTION_LIMIT = 5.0
Mode = Literal["off", "processes", "files"]
Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cage:
    """How one spawn is confined."""

    bubblewrap: str
    writable: tuple[Path, ...] | None = None
    """None leaves the file system as it is."""
    identities: tuple[Identity | None, ...] = ()
    """The writable directories as they were when chosen: a later one of the same name is another."""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """What bubblewrap can do on this machine. `program` is None where it cannot be used."""

    program: str | None
    problem: str = ""
    fix: str = ""


class Switch:
    """How all agents are confined; set while Pilothouse runs."""

    def __init__(self, found: Bubblewrap, mode: Mode = "off") -> None:
        self.found = found
        self.mode: Mode = mode
        self.further: tuple[Path, ...] = ()
        """Folders the person added."""

    @property
    def works(self) -> bool:
        return self.mode != "off" and self.found.program is not None


@dataclass(frozen=True)
class Confinement:
    """How one agent is confined. Asked at each spawn, so that it follows the switch."""

    switch: Switch
    state: tuple[Path, ...] = ()
    """The agent's own folders beside the workspace; made if they do not exist."""

    def keeping(self, *state: Path) -> Confinement:
        return Confinement(self.switch, (*self.state, *state))

    def cage(self, workspace: Path) -> Cage | None:
        """The cage of a spawn in `workspace`; None when confinement is off.

        Raises `BadConfiguration` when it is on and not possible, rather than run the agent without it.
        """
        mode, found = self.switch.mode, self.switch.found
        if mode == "off":
            return None
        if found.program is None:
            raise BadConfiguration(
                say("confine.impossible", problem=found.problem),
                {"fix": found.fix},
            )
        if mode == "processes":
            return Cage(found.program)
        for place in self.state:
            if not place.exists():
                place.mkdir(parents=True, mode=0o700)
        places = [workspace, *git_directories(workspace), *temporary(), *self.state, *self.switch.further]
        writable = tuple(dict.fromkeys(place.resolve() for place in places if place.exists()))
        return Cage(found.program, writable, tuple(identity(place) for place in writable))


def cage_of(confine: Confinement | str | None, workspace: Path) -> Cage | str | None:
    """How a spawn in `workspace` would be confined now."""
    return confine.cage(workspace) if isinstance(confine, Confinement) else confine


def identity(place: Path) -> Identity | None:
    """Tells a directory from a later one of the same name. None when there is none."""
    try:
        found = place.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def wrapped(cage: Cage | str, argv: Sequence[str]) -> list[str]:
    """The command that starts `argv` in bubblewrap. A bare program name gives it only a process table of its own."""
    cage = Cage(cage) if isinstance(cage, str) else cage
    if cage.writable is None:
        files = ["--dev-bind", "/", "/"]
    else:
        files = ["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev"]
        for place in sorted(cage.writable):
            files += ["--bind", str(place), str(place)]
    return [cage.bubblewrap, *files, *("--proc", "/proc", "--unshare-pid", "--die-with-parent", "--", *argv)]


def temporary() -> list[Path]:
    return [Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")]  # noqa: S108 - places to let be written, not files


def git_directories(workspace: Path) -> list[Path]:
    """Where git writes for this working tree: its own directory, and for a worktree the common one."""
    place = workspace / ".git"
    if not place.is_file():
        return []
    own = _pointed(place, "gitdir:")
    if own is None:
        return []
    common = _pointed(own / "commondir", "")
    return [own, common] if common else [own]


def _pointed(file: Path, prefix: str) -> Path | None:
    """The directory named by one of git's one-line files, relative to the file."""
    try:
        line = os.fsdecode(file.read_bytes()).strip()
    except OSError:
        return None
    if not line.startswith(prefix):
        return None
    place = (file.parent / line.removeprefix(prefix).strip()).resolve()
    return place if place.is_dir() else None


async def look() -> Bubblewrap:
    """Finds bubblewrap and tries it out, with read-only files too. Call it once."""
    if sys.platform != "linux":
        return Bubblewrap(None, say("confine.linux_only"))
    program = shutil.which("bwrap")
    if program is None:
        return Bubblewrap(
            None,
            say("confine.missing"),
            say("confine.install"),
        )
    said = await _try(wrapped(Cage(program, (Path(tempfile.gettempdir()),)), ["true"]))
    if said is None:
        return Bubblewrap(program)
    return Bubblewrap(
        None,
        say("confine.not_allowed", said=said),
        say("confine.allow"),
    )


async def find(setting: str) -> str | None:
    """The bubblewrap to use. None when it is off, missing or forbidden by the system. Call it once."""
    return (await look()).program if setting != "off" else None


async def _try(argv: Sequence[str]) -> str | None:
    """None when it worked, else what it said."""
    trial = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_DETECTION_LIMIT):
            _, said = await trial.communicate()
    except TimeoutError:
        trial.kill()
        await trial.wait()
        return say("confine.no_answer", seconds=round(_DETECTION_LIMIT))
    words = said.decode(errors="replace").strip().splitlines()
    return None if trial.returncode == 0 else (words[-1] if words else say("exit_code", code=str(trial.returncode)))
