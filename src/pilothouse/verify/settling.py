"""Waits out the second in which Python files were written, before anything may compile them.

Python takes a compiled file for current while size and full second of its source are the same. A file that is written,
checked and written again within a second would go on being checked as it was first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from pilothouse.domain.clock import Clock


async def settled(root: Path, paths: Iterable[str], clock: Clock) -> None:
    now = clock.now().timestamp()
    for path in paths:
        if path.endswith(".py") and _second(root / path) == int(now):
            await clock.sleep(int(now) + 1 - now)
            return


def _second(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        return int(path.stat().st_mtime)
    return None
