"""Writes files that outlive a power cut: first their bytes, then their names are flushed to the disk."""

from __future__ import annotations

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Flushes the content of a file, or the names in a directory."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write(place: Path, text: str) -> None:
    """Replaces a file. After a power cut it holds the whole new text or the whole old one."""
    temporary = place.with_name(place.name + ".lock")
    temporary.write_text(text)
    sync(temporary)
    temporary.replace(place)
    sync(place.parent)


def make_directories(path: Path) -> None:
    """`mkdir -p`, flushed."""
    if path.is_dir():
        return
    make_directories(path.parent)
    path.mkdir(exist_ok=True)
    sync(path.parent)
