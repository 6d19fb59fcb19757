"""Finds who could still need a lock file: whoever has it open, and any living git that works in its repository.

A git that waits for an editor or a hook holds its lock without having it open, so its working directory tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import psutil


def git_at_work(folders: Collection[Path], locks: Collection[Path]) -> bool:
    """Whether a living process may hold one of the locks. One that cannot be inspected may."""
    return any(_may_hold(process, folders, locks) for process in _living())


def _living() -> Iterable[psutil.Process]:
    for process in psutil.process_iter():
        try:
            if process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
                yield process
        except psutil.Error:
            continue


def _may_hold(process: psutil.Process, folders: Collection[Path], locks: Collection[Path]) -> bool:
    try:
        is_git = process.name().startswith("git")
    except psutil.Error:
        return False
    try:
        where = Path(process.cwd()) if is_git else None
        if where and any(where.is_relative_to(folder) for folder in folders):
            return True
        return any(Path(file.path) in locks for file in process.open_files())
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return is_git
