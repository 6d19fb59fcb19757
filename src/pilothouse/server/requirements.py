"""What the server needs to work, each with its remedy. `serve` refuses to start without it, `doctor` lists it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pilothouse.domain.ports import AgentHealth
from pilothouse.process.confine import Bubblewrap
from pilothouse.server import data_lock
from pilothouse.server.access import hosts
from pilothouse.settings import Settings

OLDEST_PYTHON = (3, 11)
OLDEST_GIT = (2, 31)
LEAST_DISK_MB = 200


@dataclass(frozen=True, slots=True)
class Requirement:
    name: str
    ok: bool
    detail: str
    fix: str = ""
    needed: bool = True
    """Whether the server refuses to start without it."""


def before_start(settings: Settings) -> list[Requirement]:
    return [python(), git(), data_dir(settings.data_dir), disk(settings.data_dir), port(settings)]


def now(settings: Settings) -> list[Requirement]:
    """The same while a server may be running, which takes its own port."""
    ours = data_lock.running(settings.data_dir)
    if ours is None:
        return before_start(settings)
    where = f"Pilothouse is running on port {ours}" if ours else "Pilothouse is starting"
    found = [python(), git(), data_dir(settings.data_dir), disk(settings.data_dir), Requirement("server", True, where)]
    return found if ours in (0, settings.port) else [*found, port(settings)]


def python() -> Requirement:
    found = sys.version.split()[0]
    ok = sys.version_info[:2] >= OLDEST_PYTHON
    fix = "" if ok else "Install Python 3.11 or newer, then install again."
    return Requirement("python", ok, f"Python {found}", fix)


def git() -> Requirement:
    program = shutil.which("git")
    if program is None:
        return Requirement("git", False, "git was not found.", "Install git and make sure it is in PATH.")
    said = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False, timeout=10
    ).stdout.strip()
    match = re.search(r"(\d+)\.(\d+)", said)
    ok = match is not None and (int(match[1]), int(match[2])) >= OLDEST_GIT
    fix = "" if ok else f"Install git {OLDEST_GIT[0]}.{OLDEST_GIT[1]} or newer."
    return Requirement("git", ok, said or "git did not answer.", fix)


def data_dir(path: Path) -> Requirement:
    remedy = f"Make {path} writable for you, or choose another place with DATA_DIR or --data-dir."
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=path, prefix=".check-"):
            pass
    except OSError as error:
        return Requirement("data_dir", False, f"{path} cannot be written: {error.strerror or error}.", remedy)
    return Requirement("data_dir", True, str(path))


def disk(path: Path) -> Requirement:
    there = next((found for found in (path, *path.parents) if found.exists()), Path("/"))
    free = shutil.disk_usage(there).free // (1024 * 1024)
    ok = free >= LEAST_DISK_MB
    fix = "" if ok else f"Make room: Pilothouse wants {LEAST_DISK_MB} MB free where it keeps its data."
    return Requirement("disk", ok, f"{free:,} MB free", fix, needed=False)


def port(settings: Settings) -> Requirement:
    try:
        hosts.listen(settings).close()
    except OSError as error:
        return Requirement("port", False, *_port_problem(settings, error))
    return Requirement("port", True, f"{settings.host}:{settings.port} is free" if settings.port else "any free port")


def agent(health: AgentHealth) -> Requirement:
    """Says what the Settings page shows: version, program, and what is missing."""
    known = [health.version or "", health.program, "credentials found" if health.credentials else ""]
    detail = health.problem or ", ".join(word for word in known if word) or "ready"
    return Requirement(f"agent {health.name}", health.ready, detail, health.fix, needed=False)


def confinement(found: Bubblewrap, setting: str) -> Requirement:
    """Confinement is off by default, so that not having it is no problem."""
    ok = found.program is not None or setting in ("auto", "off")
    detail = found.program or f"not possible: {found.problem}"
    return Requirement("confinement", ok, detail, "" if ok else found.fix, needed=False)


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
