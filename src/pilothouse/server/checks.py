"""What must hold before the server can work, each with its remedy. `serve` refuses by it, `doctor` shows it."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pilothouse.domain.ports import AgentHealth
from pilothouse.process.confine import Bubblewrap
from pilothouse.settings import Settings
from pilothouse.words import listed, say

OLDEST_PYTHON = (3, 11)
OLDEST_GIT = (2, 31)
LEAST_DISK_MB = 200
LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    detail: str
    fix: str = ""
    needed: bool = True
    """Whether the server refuses to start without it."""


def before_start(settings: Settings) -> list[Check]:
    return [python(), git(), data_dir(settings.data_dir), disk(settings.data_dir), port(settings)]


def now(settings: Settings) -> list[Check]:
    """The same for someone who asks while a server may be running: its own port is taken by itself."""
    ours = running(settings.data_dir)
    if ours is None:
        return before_start(settings)
    where = say("check.running", port=str(ours)) if ours else say("check.starting")
    found = [python(), git(), data_dir(settings.data_dir), disk(settings.data_dir), Check("server", True, where)]
    return found if ours in (0, settings.port) else [*found, port(settings)]


def python() -> Check:
    found = sys.version.split()[0]
    ok = sys.version_info[:2] >= OLDEST_PYTHON
    return Check("python", ok, f"Python {found}", "" if ok else say("check.install_python", version="3.11"))


def git() -> Check:
    program = shutil.which("git")
    if program is None:
        return Check("git", False, say("check.no_git"), say("check.install_git"))
    said = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False, timeout=10
    ).stdout.strip()
    match = re.search(r"(\d+)\.(\d+)", said)
    ok = match is not None and (int(match[1]), int(match[2])) >= OLDEST_GIT
    fix = "" if ok else say("check.newer_git", version=f"{OLDEST_GIT[0]}.{OLDEST_GIT[1]}")
    return Check("git", ok, said or say("check.git_silent"), fix)


def data_dir(path: Path) -> Check:
    remedy = say("check.make_writable", path=str(path))
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=path, prefix=".check-"):
            pass
    except OSError as error:
        return Check(
            "data_dir", False, say("check.not_writable", path=str(path), problem=error.strerror or str(error)), remedy
        )
    return Check("data_dir", True, str(path))


def disk(path: Path) -> Check:
    there = next((place for place in (path, *path.parents) if place.exists()), Path("/"))
    free = shutil.disk_usage(there).free // (1024 * 1024)
    ok = free >= LEAST_DISK_MB
    fix = "" if ok else say("check.make_room", megabytes=LEAST_DISK_MB)
    return Check("disk", ok, say("check.free", megabytes=free), fix, needed=False)


def port(settings: Settings) -> Check:
    try:
        listen(settings).close()
    except OSError as error:
        return Check("port", False, *_port_problem(settings, error))
    if not settings.port:
        return Check("port", True, say("check.any_port"))
    return Check("port", True, say("check.port_free", address=f"{settings.host}:{settings.port}"))


def listen(settings: Settings) -> socket.socket:
    """The socket the server accepts on."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    return socket.create_server((settings.host, settings.port), family=family, backlog=2048)


def agent_check(health: AgentHealth) -> Check:
    """As the Settings page shows it: version, which program runs, and what is missing."""
    known = [health.version or "", health.program, say("check.credentials") if health.credentials else ""]
    detail = health.problem or listed(known) or say("check.ready")
    return Check(f"agent {health.name}", health.ready, detail, health.fix, needed=False)


def confinement_check(found: Bubblewrap, setting: str) -> Check:
    """Off by default, so that not having it is no problem."""
    ok = found.program is not None or setting in ("auto", "off")
    detail = found.program or say("check.not_possible", problem=found.problem)
    return Check("confinement", ok, detail, "" if ok else found.fix, needed=False)


def _port_problem(settings: Settings, error: OSError) -> tuple[str, str]:
    match error.errno:
        case 98 | 48:
            return say("check.port_taken", port=str(settings.port)), say("check.choose_port")
        case 13:
            return say("check.port_reserved", port=str(settings.port)), say("check.choose_high_port")
        case _:
            problem = error.strerror or str(error)
            return say("check.cannot_listen", host=settings.host, problem=problem), say("check.set_host")


def lock(path: Path) -> int | None:
    """Take the data directory for this process; None when another Pilothouse has it. Held until the process ends."""
    file = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def tell_port(locked: int, port: int) -> None:
    """Leave in the lock where its holder listens."""
    os.ftruncate(locked, 0)
    os.pwrite(locked, str(port).encode(), 0)


def running(path: Path) -> int | None:
    """The port of the Pilothouse that has the data directory now; 0 while it starts, None when nobody has it."""
    try:
        file = os.open(path / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return int(os.pread(file, 10, 0) or 0)
    else:
        return None
    finally:
        os.close(file)
