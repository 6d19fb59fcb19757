"""Files a power cut cannot take back: their bytes, then their names, are on the disk before anyone relies on them."""

from __future__ import annotations

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Returns when the disk has what a file holds, or the names that stand in a directory."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write(place: Path, text: str) -> None:
    """The whole text or what was there before, whenever the power goes."""
    temporary = place.with_name(place.name + ".lock")
    temporary.write_text(text)
    sync(temporary)
    temporary.replace(place)
    sync(place.parent)


def make_directories(path: Path) -> None:
    """`mkdir -p` that lasts."""
    if path.is_dir():
        return
    make_directories(path.parent)
    path.mkdir(exist_ok=True)
    sync(path.parent)
