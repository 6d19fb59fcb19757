"""Finds and ends what an earlier run of this server left behind, or a keeper that was killed.

A process is ours when it is the recorded one (pid and start time) or carries a spawn marker, and in both cases only
if its environment names this very DATA_DIR. Its descendants go with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass

from pilothouse.domain.ports import ProcessMark
from pilothouse.process import tree
from pilothouse.process.environment import INSTANCE_VARIABLE, SPAWN_VARIABLE

_LIMIT = 5.0
_PAUSE = 0.005


@dataclass(frozen=True, slots=True)
class Stray:
    process: ProcessMark
    command: str
    spawn_id: str | None
    """None when it was only found below another one."""

    def __str__(self) -> str:
        return f"{self.process.pid} {self.command}"


@dataclass(frozen=True, slots=True)
class Report:
    ended: tuple[Stray, ...]
    remaining: tuple[Stray, ...] = ()
    """Could not be ended: another user's process, or one stuck in the kernel."""


def find(marks: Iterable[ProcessMark], instance: str) -> list[Stray]:
    """Every living process of this instance's spawns. Call it before the first spawn of this run."""
    return _found(set(marks), instance, None)


def of_spawn(spawn_id: str, instance: str) -> list[Stray]:
    """Every living process with the marker of one spawn, and its descendants."""
    return _found(set(), instance, spawn_id)


def _found(marks: set[ProcessMark], instance: str, only: str | None) -> list[Stray]:
    processes = tree.table()
    spared = tree.ancestors(os.getpid(), processes)
    spawns: dict[int, str] = {}
    for found in processes.values():
        if found.pid in spared or found.zombie:
            continue
        environment = tree.environment(found.pid)
        spawn_id = environment.get(SPAWN_VARIABLE)
        known = spawn_id is not None or found.mark in marks
        if known and environment.get(INSTANCE_VARIABLE) == instance and only in (None, spawn_id):
            spawns[found.pid] = spawn_id or ""
    lower = [found for found in tree.below(spawns, processes) if found.pid not in spared]
    everyone = dict.fromkeys([*(processes[pid] for pid in spawns), *lower])
    return [Stray(e.mark, tree.command(e.pid), spawns.get(e.pid)) for e in everyone]


async def end(strays: Iterable[Stray], limit: float = _LIMIT) -> Report:
    """Kills them and their new children. Returns when none is left, or with those that would not end.

    Stops all before it kills any: a process whose parent dies first would no longer be found below it.
    """
    doomed = {stray.process: stray for stray in strays}
    loop = asyncio.get_running_loop()
    until = loop.time() + limit
    while living := [mark for mark in doomed if tree.alive(mark)]:
        if loop.time() > until:
            remaining = tuple(doomed[mark] for mark in living)
            return Report(tuple(s for s in doomed.values() if s not in remaining), remaining)
        for mark in living:
            _send(mark, signal.SIGSTOP)
        fresh = [found for found in tree.below(m.pid for m in living) if found.mark not in doomed]
        doomed |= {found.mark: Stray(found.mark, tree.command(found.pid), None) for found in fresh}
        if not fresh:
            for mark in living:
                _send(mark, signal.SIGKILL)
            await asyncio.sleep(_PAUSE)
    return Report(tuple(doomed.values()))


def _send(process: ProcessMark, number: signal.Signals) -> None:
    """Signals this very process: after the check the descriptor keeps the pid from meaning another one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if not hasattr(signal, "pidfd_send_signal"):
            if tree.alive(process):
                os.kill(process.pid, number)
            return
        descriptor = os.pidfd_open(process.pid)
        try:
            if tree.alive(process):
                signal.pidfd_send_signal(descriptor, number)
        finally:
            os.close(descriptor)
