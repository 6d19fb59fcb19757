"""A pipe whose descriptor is closed once.

uvloop closes the descriptor of a pipe transport itself and then closes the file object it was given as well. Between
the two another thread may open a file and be given the same number: the second close then takes that file away, be it
a pipe to git or the database. So a loop gets an object that closes only where the loop relies on it.
"""

from __future__ import annotations

import asyncio
import os
from typing import IO


class Pipe:
    """One end of a pipe, taken over from `file`, for `connect_read_pipe` and `connect_write_pipe`."""

    def __init__(self, file: IO[bytes], loop: asyncio.AbstractEventLoop) -> None:
        self._descriptor = os.dup(file.fileno())
        file.close()
        self._ours = isinstance(loop, asyncio.SelectorEventLoop)

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        if self._ours and self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1
