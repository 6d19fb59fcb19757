"""Lets go of what earlier versions kept in the repository: an entry below `worktrees/` that held our objects."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from pathlib import Path

from pilothouse.git.repository import Repository


def find(repository: Repository, state_dir: Path) -> Path | None:
    whose = os.fsencode(repository.root) + b"\0" + os.fsencode(os.path.realpath(state_dir))
    place = repository.common_dir / "worktrees" / f"pilothouse-{hashlib.sha256(whose).hexdigest()[:16]}"
    return place if place.is_dir() else None


def remove(place: Path) -> None:
    """The caller has made sure that we have all that it held."""
    shutil.rmtree(place)
    with contextlib.suppress(OSError):
        place.parent.rmdir()
