"""Lock files that a git left behind which was killed in the middle: it cannot take them away any more.

Only what came into being while an agent worked, and only where no living git could hold it; it is moved aside.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from pilothouse.git.repository import Repository
from pilothouse.process import holders

_TICK = 1.0
"""The clock of a file system may be behind by this much."""


def set_aside(repository: Repository, since: float, place: Path) -> list[Path]:
    """Move locks made since then out of the way, below `place`, unless a git is at work; where they are now."""
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
    # Whoever moves a branch holds HEAD as well.
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
