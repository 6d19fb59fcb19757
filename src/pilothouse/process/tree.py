"""Asks the system about processes: which live, below which, since when, and with which environment.

A start time tells a process apart from a later one with the same pid. On Linux it is counted from boot, because the
wall clock can be set back and the answer must stay the same for as long as the process lives.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil

from pilothouse.domain.ports import ProcessMark

_PROC = Path("/proc")
_LINUX = sys.platform == "linux"
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Entry:
    pid: int
    parent: int
    zombie: bool
    started: float

    @property
    def mark(self) -> ProcessMark:
        return ProcessMark(self.pid, self.started)


def entry(pid: int) -> Entry | None:
    """None when there is no such process."""
    if _LINUX:
        try:
            # Runs for every process on the machine, so without a Path and a buffer.
            with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:  # noqa: PTH123
                fields = file.read().rpartition(b")")[2].split()
            return Entry(pid, int(fields[1]), fields[0] in b"ZX", int(fields[19]) / _TICKS)
        except (OSError, IndexError):
            return None
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            zombie = process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
            return Entry(pid, process.ppid(), zombie, process.create_time())
    except psutil.Error:
        return None


def table() -> dict[int, Entry]:
    """All processes."""
    pids = (int(name) for name in os.listdir(_PROC) if name.isdigit()) if _LINUX else psutil.pids()  # noqa: PTH208
    return {found.pid: found for pid in pids if (found := entry(pid))}


def mark(pid: int) -> ProcessMark | None:
    found = entry(pid)
    return found.mark if found else None


def alive(process: ProcessMark) -> bool:
    """Whether this very process lives; a zombie does not."""
    found = entry(process.pid)
    return found is not None and not found.zombie and found.started == process.started


def below(roots: Iterable[int], processes: dict[int, Entry] | None = None) -> list[Entry]:
    """All living descendants of `roots`, parents before children, siblings by age."""
    processes = table() if processes is None else processes
    children: dict[int, list[Entry]] = {}
    for found in sorted(processes.values(), key=lambda e: (e.started, e.pid)):
        children.setdefault(found.parent, []).append(found)
    queue = list(roots)
    seen = set(queue)
    result = []
    for pid in queue:
        fresh = [child for child in children.get(pid, ()) if child.pid not in seen]
        result += [child for child in fresh if not child.zombie]
        queue += [child.pid for child in fresh]
        seen.update(child.pid for child in fresh)
    return result


def ancestors(pid: int, processes: dict[int, Entry]) -> set[int]:
    found: set[int] = set()
    while pid in processes and pid not in found:
        found.add(pid)
        pid = processes[pid].parent
    return found


def command(pid: int) -> str:
    """The command line, for people. Empty when the process is gone or may not be read."""
    with contextlib.suppress(psutil.Error):
        return " ".join(psutil.Process(pid).cmdline())
    return ""


def environment(pid: int) -> dict[str, str]:
    """The environment the process was started with. Empty when it is gone or may not be read."""
    if not _LINUX:
        with contextlib.suppress(psutil.Error):
            return psutil.Process(pid).environ()
        return {}
    try:
        raw = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return {}
    pairs = (item.partition("=") for item in os.fsdecode(raw).split("\0") if "=" in item)
    return {name: value for name, _, value in pairs}
