"""The lock on the data directory. One Pilothouse holds it, and others read from it where that one listens."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

LOCK = "lock"


def take(path: Path) -> int | None:
    """Takes the data directory until this process ends. None when another Pilothouse has it."""
    file = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def tell_port(locked: int, port: int) -> None:
    """Writes into the lock on which port its holder listens."""
    os.ftruncate(locked, 0)
    os.pwrite(locked, str(port).encode(), 0)


def running(path: Path) -> int | None:
    """The port of the Pilothouse that has the data directory. 0 while it starts, None when nobody has it."""
    try:
        file = os.open(path / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return int(os.pread(file, 10, 0) or 0)
    else:
        return None
    finally:
        os.close(file)
