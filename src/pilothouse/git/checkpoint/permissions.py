"""Permissions: those of directories, and what may be read for as long as a scan takes."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from pilothouse.errors import CheckpointFailed
from pilothouse.git.names import spelled
from pilothouse.words import say

USUAL = 0o755
_CLOSED = re.compile(rb"^warning: could not open directory '(.*)/': Permission denied$", re.MULTILINE)


def bits_of(place: bytes) -> int | None:
    """The permission bits of a directory; None where there is none."""
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return None
    return stat.S_IMODE(mode) if stat.S_ISDIR(mode) else None


def of_directories(root: bytes, paths: Iterable[bytes], before: Mapping[bytes, int]) -> tuple[int, dict[bytes, int]]:
    """The usual bits of these directories, and those of the directories that have others.

    `before`: the bits of directories that are open only for the scan.
    """
    seen = {path: before.get(path, bits_of(root + b"/" + path)) for path in paths}
    bits = {path: found for path, found in seen.items() if found is not None}
    usual = max(((count, found) for found, count in Counter(bits.values()).items()), default=(0, USUAL))[1]
    return usual, {path: found for path, found in bits.items() if found != usual}


def closed(complaints: bytes) -> list[bytes]:
    """The directories of which git said that it could not open them."""
    return [os.path.normpath(path) for path in _CLOSED.findall(complaints)]


def open_up(root: bytes, path: bytes) -> int:
    """Lets its owner into a directory. Returns the bits it had."""
    place = root + b"/" + path
    bits = stat.S_IMODE(os.lstat(place).st_mode)
    _change(place, bits | 0o700, path)
    return bits


@contextlib.contextmanager
def readable(root: bytes, paths: Iterable[bytes]) -> Iterator[None]:
    """Files that even their owner may not read can be read meanwhile."""
    before = {}
    try:
        for path in paths:
            place = root + b"/" + path
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                mode = os.lstat(place).st_mode
                if stat.S_ISREG(mode) and not os.access(place, os.R_OK):
                    _change(place, stat.S_IMODE(mode) | 0o400, path)
                    before[place] = stat.S_IMODE(mode)
        yield
    finally:
        for place, bits in before.items():
            os.chmod(place, bits)


def _change(place: bytes, bits: int, path: bytes) -> None:
    try:
        os.chmod(place, bits)
    except PermissionError as error:
        raise CheckpointFailed(say("checkpoint.closed", path=spelled(path)), {"path": spelled(path)}) from error
