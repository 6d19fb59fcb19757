"""Puts a new process in the place of this one, on the same listening socket; see `anchor.py`."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import NoReturn

from pilothouse.process.anchor import AGAIN, ANCHOR_VARIABLE, LISTENING_VARIABLE

_BOOT = "import sys; sys.path.append(sys.argv.pop(1)); import anchor; anchor.main()"


def is_successor() -> bool:
    """Whether a restart started this process. A variable that was only inherited names another parent."""
    return os.environ.get(ANCHOR_VARIABLE) == str(os.getppid())


def inherited() -> socket.socket | None:
    """The socket that the server before this one listened on, if this is its successor."""
    if not is_successor():
        return None
    listening = socket.socket(fileno=int(os.environ[LISTENING_VARIABLE]))
    listening.set_inheritable(False)
    return listening


def replace(listening: socket.socket) -> NoReturn:
    """Ends this process and runs the same command line again. Call it when everything is closed."""
    sys.stdout.flush()
    sys.stderr.flush()
    if is_successor():
        # The anchor is there already, and has the socket.
        os._exit(AGAIN)
    listening.set_inheritable(True)
    anchor = [sys.executable, "-I", "-S", "-c", _BOOT, str(Path(__file__).parent), str(listening.fileno())]
    os.execv(sys.executable, [*anchor, "--", sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - the same command line
