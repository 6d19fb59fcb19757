"""Says whether a disk has room for work to begin."""

from __future__ import annotations

import shutil
from pathlib import Path

LEAST_BYTES = 16_000_000


def is_left(*places: Path) -> bool:
    """On the disk of each place. One that cannot be looked at is not what is wrong with the room."""
    return all(map(_has_room, places))


def _has_room(place: Path) -> bool:
    try:
        return shutil.disk_usage(place).free >= LEAST_BYTES
    except OSError:
        return True
