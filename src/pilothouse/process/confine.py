"""Confines spawns with bubblewrap: a process table of their own, or that and read-only files.

It is on where it works. A PID namespace holds what kills its keeper and clears its environment: the kernel ends all of
it together, and /proc shows it nothing of the server. Of DATA_DIR it sees what its own work needs; the token's digest,
the database, the socket of the command line and other projects' records are not there. It costs about 5 ms a spawn,
and something else: `sudo` and other setuid programs refuse to work in it, the agent can neither see nor stop the
person's own processes (a development server on a busy port), the pids it names mean nothing outside, and the grace of a
stopped spawn ends as soon as the agent itself has ended, because bubblewrap ends the namespace then.

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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pilothouse.domain.session.session import project_id
from pilothouse.errors import BadConfiguration
from pilothouse.words import say

_DETECTION_LIMIT = 5.0
Mode = Literal["off", "processes", "files"]
Identity = tuple[int, int]
_TAKEN_FROM_ROOT = ("SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "SYS_RAWIO", "SYS_CHROOT", "MKNOD", "DAC_READ_SEARCH")
"""With these root could look behind what is mounted over DATA_DIR, or into other processes."""


@dataclass(frozen=True, slots=True)
class Cage:
    """How one spawn is confined."""

    bubblewrap: str
    writable: tuple[Path, ...] | None = None
    """None leaves the file system as it is."""
    identities: tuple[Identity | None, ...] = ()
    """The directories as they were when chosen: a later one of the same name is another."""
    hidden: Path | None = None
    """Empty inside, but for the next two."""
    kept: tuple[Path, ...] = ()
    shown: tuple[Path, ...] = ()
    """To be read only."""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """What bubblewrap can do on this machine. `program` is None where it cannot be used."""

    program: str | None
    problem: str = ""
    fix: str = ""


class Switch:
    """How all agents are confined; set while Pilothouse runs."""

    def __init__(self, found: Bubblewrap, mode: Mode = "off", data_dir: Path | None = None) -> None:
        self.found = found
        self.data_dir = data_dir.resolve() if data_dir else None
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
        for place in self.state:
            if not place.exists():
                place.mkdir(parents=True, mode=0o700)
        own = _there([workspace, *git_directories(workspace), *self.state, *self.switch.further])
        cage = Cage(found.program, _there([*own, *temporary()]) if mode == "files" else None)
        if hidden := self.switch.data_dir:
            inside = tuple(place for place in _there([*own, Path.home(), Path(sys.prefix)]) if within(place, hidden))
            cage = replace(cage, hidden=hidden, kept=inside, shown=_shown(workspace, hidden))
        places = (*(cage.writable or ()), *cage.kept, *cage.shown)
        return replace(cage, identities=tuple(identity(place) for place in places))

    def around_checks(self, workspace: Path) -> Cage | None:
        """Checks write caches wherever they like, so only their processes are confined."""
        cage = self.cage(workspace)
        return replace(cage, writable=None, identities=()) if cage else None


def _there(places: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(place.resolve() for place in places if place.exists()))


def within(place: Path, folder: Path) -> bool:
    return place == folder or folder in place.parents


def _shown(workspace: Path, data_dir: Path) -> tuple[Path, ...]:
    """What an agent is pointed to: the project's records, the logs of checks, and objects that a scratch borrows."""
    common = next(iter(git_directories(workspace)[1:]), workspace / ".git")
    records = data_dir / project_id(common.parent)
    if workspace != data_dir and not within(workspace.resolve(), data_dir / "scratch"):
        # Made here, so that a process that is ready before the first session needs no other cage for it.
        records.mkdir(mode=0o700, exist_ok=True)
    borrowed = common / "objects" / "info" / "alternates"
    lines = borrowed.read_text(errors="surrogateescape").splitlines() if borrowed.is_file() else []
    found = _there([records, data_dir / "logs" / "runs", *(Path(line) for line in lines if line.startswith("/"))])
    return tuple(place for place in found if within(place, data_dir))


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
    if cage.hidden:
        files += ["--tmpfs", str(cage.hidden)]
        how = dict.fromkeys(cage.shown, "--ro-bind") | dict.fromkeys(cage.kept, "--bind")
        for place in sorted(how):
            files += [how[place], str(place), str(place)]
        if cage.hidden not in how:
            files += ["--remount-ro", str(cage.hidden)]
    taken = [part for name in _TAKEN_FROM_ROOT for part in ("--cap-drop", f"CAP_{name}")] if os.geteuid() == 0 else []
    return [
        cage.bubblewrap, *files, "--proc", "/proc", "--unshare-pid", *taken, "--die-with-parent", "--", *argv
    ]  # fmt: skip


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
