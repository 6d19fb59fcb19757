"""Hides the server's environment and memory from other processes of its user. Standalone: `anchor.py` imports it too.

What a process was started with stands in /proc for whoever has the same user, agents included, and deleting a variable
does not change that. So the values are moved to other memory, and the place the system shows is emptied. A process
that is not dumpable has no readable memory and descriptors either, except for root.
"""

from __future__ import annotations

import os
import sys

_PR_SET_DUMPABLE = 4
_ENV_START = 47
"""Position in /proc/self/stat, counted behind the program's name; the end of the environment follows it."""
_SHOWN = (b"PILOTHOUSE_SPAWN=", b"PILOTHOUSE_DATA=")
"""A server that an agent of another server started is found by these; they are no secret."""


def conceal() -> None:
    """Does nothing where the system is not Linux."""
    if sys.platform != "linux":
        return
    import ctypes

    for name, value in os.environ.items():
        os.putenv(name, value)
    with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - runs without the standard library
        fields = file.read().rpartition(b")")[2].split()
    start, end = int(fields[_ENV_START]), int(fields[_ENV_START + 1])
    at = start
    for entry in ctypes.string_at(start, end - start).split(b"\0"):
        if not entry.startswith(_SHOWN):
            ctypes.memset(at, 0, len(entry))
        at += len(entry) + 1
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
