"""Removes compiled Python files that Python would wrongly take for current.

Python takes a compiled file for current while size and full second of its source are the same. A file that is written,
checked and written again at the same length within a second would be checked as it was before.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from glob import escape
from pathlib import Path

_HEADER = 16
"""The magic number, flags, then second and size of the source, four bytes each and the least first."""


def drop_stale(root: Path, paths: Iterable[str]) -> list[Path]:
    """Removes those of these files. Returns what it removed."""
    gone = []
    for path in paths:
        source = root / path
        if source.suffix != ".py":
            continue
        with contextlib.suppress(OSError):
            there = source.stat()
            for compiled in (source.parent / "__pycache__").glob(f"{escape(source.stem)}.*.pyc"):
                if _is_stale(compiled, there):
                    compiled.unlink()
                    gone.append(compiled)
    return gone


def _is_stale(compiled: Path, source: os.stat_result) -> bool:
    """Whether it looks current, and was written before its source."""
    with compiled.open("rb") as file:
        header = file.read(_HEADER)
        written = os.fstat(file.fileno()).st_mtime_ns
    flags, second, size = (int.from_bytes(header[at : at + 4], "little") for at in (4, 8, 12))
    seems = (flags, second, size) == (0, int(source.st_mtime) & 0xFFFFFFFF, source.st_size & 0xFFFFFFFF)
    return seems and written <= source.st_mtime_ns
