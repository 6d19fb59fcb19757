"""Finds what keeps git waiting for ever: a pipe or a device where git opens a file."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from pilothouse.git.names import spelled

IN_TREE = frozenset({".gitignore", ".gitattributes", ".gitmodules", ".mailmap"})
IN_GIT_DIR = (
    "HEAD", "config", "config.worktree", "index", "packed-refs", "shallow", "commondir", "gitdir",
    "info/exclude", "info/attributes", "info/sparse-checkout", "info/grafts", "objects/info/alternates",
)  # fmt: skip
OF_PERSON = (".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes")


def find(root: Path) -> str | None:
    """The path of one, for a person; seen from the root where it lies below that."""
    for where, directories, files in os.walk(root):
        for name in IN_TREE.intersection(files):
            place = Path(where, name)
            if _never_ends(place, follow=False):
                return spelled(str(place.relative_to(root)))
        if ".git" in directories:
            directories.remove(".git")
            for name in IN_GIT_DIR:
                place = Path(where, ".git", name)
                if _never_ends(place, follow=True):
                    return spelled(str(place.relative_to(root)))
    own = (Path.home() / name for name in OF_PERSON)
    return next((str(place) for place in own if _never_ends(place, follow=True)), None)


def _never_ends(place: Path, *, follow: bool) -> bool:
    """Git follows a symbolic link in its own directory only."""
    try:
        mode = place.stat(follow_symlinks=follow).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def opened(place: Path | bytes) -> BinaryIO:
    """Opens a file that somebody may have made a pipe. `OSError` when it is no file."""
    descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(mode := os.fstat(descriptor).st_mode):
        os.close(descriptor)
        number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(number, os.strerror(number), os.fsdecode(place))
    return os.fdopen(descriptor, "rb")


def content(place: Path | bytes) -> bytes:
    with opened(place) as file:
        return file.read()
