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
    where = f"Pilothouse is running on port {ours}" if ours else "Pilothouse is starting"
    found = [python(), git(), data_dir(settings.data_dir), disk(settings.data_dir), Check("server", True, where)]
    return found if ours in (0, settings.port) else [*found, port(settings)]


def python() -> Check:
    found = sys.version.split()[0]
    ok = sys.version_info[:2] >= OLDEST_PYTHON
    return Check("python", ok, f"Python {found}", "" if ok else "Install Python 3.11 or newer, then install again.")


def git() -> Check:
    program = shutil.which("git")
    if program is None:
        return Check("git", False, "git was not found.", "Install git and make sure it is in PATH.")
    said = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False, timeout=10
    ).stdout.strip()
    match = re.search(r"(\d+)\.(\d+)", said)
    ok = match is not None and (int(match[1]), int(match[2])) >= OLDEST_GIT
    fix = "" if ok else f"Install git {OLDEST_GIT[0]}.{OLDEST_GIT[1]} or newer."
    return Check("git", ok, said or "git did not answer.", fix)


def data_dir(path: Path) -> Check:
    remedy = f"Make {path} writable for you, or choose another place with DATA_DIR or --data-dir."
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=path, prefix=".check-"):
            pass
    except OSError as error:
        return Check("data_dir", False, f"{path} cannot be written: {error.strerror or error}.", remedy)
    return Check("data_dir", True, str(path))


def disk(path: Path) -> Check:
    there = next((place for place in (path, *path.parents) if place.exists()), Path("/"))
    free = shutil.disk_usage(there).free // (1024 * 1024)
    ok = free >= LEAST_DISK_MB
    fix = "" if ok else f"Make room: Pilothouse wants {LEAST_DISK_MB} MB free where it keeps its data."
    return Check("disk", ok, f"{free:,} MB free", fix, needed=False)


def port(settings: Settings) -> Check:
    try:
        listen(settings).close()
    except OSError as error:
        return Check("port", False, *_port_problem(settings, error))
    return Check("port", True, f"{settings.host}:{settings.port} is free" if settings.port else "any free port")


def listen(settings: Settings) -> socket.socket:
    """The socket the server accepts on."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    return socket.create_server((settings.host, settings.port), family=family, backlog=2048)


def agent_check(health: AgentHealth) -> Check:
    """As the Settings page shows it: version, which program runs, and what is missing."""
    known = [health.version or "", health.program, "credentials found" if health.credentials else ""]
    detail = health.problem or ", ".join(word for word in known if word) or "ready"
    return Check(f"agent {health.name}", health.ready, detail, health.fix, needed=False)


def confinement_check(found: Bubblewrap, setting: str) -> Check:
    """Off by default, so that not having it is no problem."""
    ok = found.program is not None or setting in ("auto", "off")
    detail = found.program or f"not possible: {found.problem}"
    return Check("confinement", ok, detail, "" if ok else found.fix, needed=False)


def _port_problem(settings: Settings, error: OSError) -> tuple[str, str]:
    other = "Choose another with --port or PORT"
    match error.errno:
        case 98 | 48:
            return (
                f"Port {settings.port} is already in use.",
                f"{other}, or stop the program that uses it (perhaps another Pilothouse).",
            )
        case 13:
            return f"Port {settings.port} is reserved for the system.", f"{other}, above 1023."
        case _:
            return (
                f"Cannot listen on {settings.host}: {error.strerror or error}.",
                "Set HOST or --host to an address of this machine, such as 127.0.0.1.",
            )


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
