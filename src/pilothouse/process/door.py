"""The Unix socket in DATA_DIR by which the command line comes in, without a token.

Only its owner can reach it, and the server asks the system who is at the other end.
"""

from __future__ import annotations

import errno
import functools
import os
import socket
import sys
from pathlib import Path

_LONGEST = 100
"""Bytes of the path of a Unix socket; systems differ a little."""


def path_of(data_dir: Path) -> Path:
    return data_dir / "door" / "socket"


def listen(data_dir: Path) -> socket.socket:
    """Call it as the one server of the data directory. What an earlier one left there makes room."""
    place = path_of(data_dir)
    place.parent.mkdir(mode=0o700, exist_ok=True)
    place.parent.chmod(0o700)
    place.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(address(data_dir))
        place.chmod(0o600)
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def address(data_dir: Path) -> str:
    """What to bind to or to connect to. Raises `OSError` where the path is too long for this system."""
    place = path_of(data_dir)
    if len(os.fsencode(place)) <= _LONGEST:
        return str(place)
    if sys.platform != "linux":
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), str(place))
    return f"/proc/self/fd/{_held(str(place.parent))}/{place.name}"


@functools.cache
def _held(folder: str) -> int:
    """Stays open, so that the short path goes on leading there."""
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
