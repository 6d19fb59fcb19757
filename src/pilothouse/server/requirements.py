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
from pilothouse.words import listed, say

OLDEST_PYTHON = (3, 11)
OLDEST_GIT = (2, 31)
LEAST_DISK_MB = 200
LEAST_TOKEN = 16
LEAST_WRITTEN = 64 * 1024


@dataclass(frozen=True, slots=True)
class Requirement:
    name: str
    ok: bool
    detail: str
    fix: str = ""
    needed: bool = True
    """Whether the server refuses to start without it."""
    agent: str = ""
    """Which one, if it is an agent."""

    @property
    def label(self) -> str:
        return say("check.agent", name=self.agent) if self.agent else say(f"requirement.{self.name}")


def before_start(settings: Settings) -> list[Requirement]:
    return [python(), git(), data_dir(settings.data_dir), disk(settings.data_dir), token(settings), port(settings)]


def now(settings: Settings) -> list[Requirement]:
    """The same while a server may be running, which takes its own port."""
    ours = data_lock.running(settings.data_dir)
    if ours is None:
        return before_start(settings)
    where = say("check.running", port=str(ours)) if ours else say("check.starting")
    found = [python(), git(), data_dir(settings.data_dir), disk(settings.data_dir), token(settings)]
    found.append(Requirement("server", True, where))
    return found if ours in (0, settings.port) else [*found, port(settings)]


def python() -> Requirement:
    found = sys.version.split()[0]
    ok = sys.version_info[:2] >= OLDEST_PYTHON
    fix = "" if ok else say("check.install_python", version="3.11")
    return Requirement("python", ok, say("check.python", version=found), fix)


def git() -> Requirement:
    program = shutil.which("git")
    if program is None:
        return Requirement("git", False, say("check.no_git"), say("check.install_git"))
    said = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False, timeout=10
    ).stdout.strip()
    match = re.search(r"(\d+)\.(\d+)", said)
    ok = match is not None and (int(match[1]), int(match[2])) >= OLDEST_GIT
    fix = "" if ok else say("check.newer_git", version=f"{OLDEST_GIT[0]}.{OLDEST_GIT[1]}")
    return Requirement("git", ok, said or say("check.git_silent"), fix)


def data_dir(path: Path) -> Requirement:
    remedy = say("check.make_writable", path=str(path))
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=path, prefix=".check-", buffering=0) as file:
            # A full disk lets a file be made, and nothing be put into it.
            file.write(bytes(LEAST_WRITTEN))
    except OSError as error:
        problem = say("check.not_writable", path=str(path), problem=error.strerror or str(error))
        return Requirement("data_dir", False, problem, remedy)
    return Requirement("data_dir", True, str(path))


def disk(path: Path) -> Requirement:
    there = next((found for found in (path, *path.parents) if found.exists()), Path("/"))
    free = shutil.disk_usage(there).free // (1024 * 1024)
    ok = free >= LEAST_DISK_MB
    fix = "" if ok else say("check.make_room", megabytes=LEAST_DISK_MB)
    return Requirement("disk", ok, say("check.free", megabytes=free), fix, needed=False)


def token(settings: Settings) -> Requirement:
    """A right token is never refused, however many were wrong, so it has to be one that nobody guesses."""
    fixed = settings.pilothouse_token
    if fixed is None or len(fixed.get_secret_value()) >= LEAST_TOKEN:
        return Requirement("token", True, say("check.token_fixed" if fixed else "check.token_made"))
    return Requirement("token", False, say("check.token_short"), say("check.longer_token"), needed=False)


def port(settings: Settings) -> Requirement:
    try:
        hosts.listen(settings).close()
    except OSError as error:
        return Requirement("port", False, *_port_problem(settings, error))
    if not settings.port:
        return Requirement("port", True, say("check.any_port"))
    return Requirement("port", True, say("check.port_free", address=f"{settings.host}:{settings.port}"))


def agent(health: AgentHealth) -> Requirement:
    """Says what the Settings page shows: version, program, and what is missing."""
    known = [health.version or "", health.program, say("check.credentials") if health.credentials else ""]
    detail = health.problem or listed(known) or say("check.ready")
    return Requirement("agent", health.ready, detail, health.fix, needed=False, agent=health.name)


def confinement(found: Bubblewrap, setting: str) -> Requirement:
    """Not to have it is said, since an agent can do more then; it stops nothing."""
    ok = found.program is not None or setting == "off"
    detail = found.program or say("check.not_possible", problem=found.problem)
    return Requirement("confinement", ok, detail, "" if ok else found.fix, needed=False)


def _port_problem(settings: Settings, error: OSError) -> tuple[str, str]:
    match error.errno:
        case 98 | 48:
            return say("check.port_taken", port=str(settings.port)), say("check.choose_port")
        case 13:
            return say("check.port_reserved", port=str(settings.port)), say("check.choose_high_port")
        case _:
            problem = error.strerror or str(error)
            return say("check.cannot_listen", host=settings.host, problem=problem), say("check.set_host")
