"""Moves lock files aside that a killed git left behind.

Only locks that were made while an agent worked, and only where no living git can hold them.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from pilothouse.git.repository import Repository
from pilothouse.process import holders

_TICK = 1.0
"""A file system's clock may be this far behind."""


def set_aside(repository: Repository, since: float, place: Path) -> list[Path]:
    """Moves locks made after `since` to `place`, unless a git is at work. Returns where they are now."""
    found = _locks(repository, since)
    if not found:
        return []
    folders = {repository.root.resolve(), repository.git_dir.resolve(), repository.common_dir.resolve()}
    if holders.git_at_work(folders, {lock.resolve() for lock in found}):
        return []
    return [moved for lock in found if (moved := _move(lock, place))]


def _locks(repository: Repository, since: float) -> list[Path]:
    found = [repository.git_dir / "index.lock", repository.git_dir / "HEAD.lock"]
    found = [lock for lock in found if _is_newer(lock, since)]
    if not found:
        return []
    # A git that moves a branch locks HEAD too, so without the locks above there is nothing to look for.
    more = [repository.common_dir / "packed-refs.lock", *(repository.common_dir / "refs" / "heads").rglob("*.lock")]
    return found + [lock for lock in more if _is_newer(lock, since)]


def _is_newer(lock: Path, since: float) -> bool:
    try:
        return lock.lstat().st_mtime >= since - _TICK
    except FileNotFoundError:
        return False


def _move(lock: Path, place: Path) -> Path | None:
    place.mkdir(parents=True, exist_ok=True)
    target = place / f"{time.time_ns()}-{lock.name}"
    try:
        shutil.move(lock, target)
    except FileNotFoundError:
        return None
    return target
