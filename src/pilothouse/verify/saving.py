"""Writing agent.yaml for the person, never over something that they have not seen."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from pilothouse.errors import Conflict
from pilothouse.verify.config import FILE, parse, read
from pilothouse.verify.document import decoded
from pilothouse.words import say

_MODE = 0o644


def save(root: Path, text: str, seen: str | None) -> None:
    """Put `text` there at once or not at all.

    `seen` is the file's text as the person saw it, None where they saw none. A text that would not be read back is
    refused with its problems.
    """
    parse(text, root)
    place = root / FILE
    if place.is_symlink():
        raise Conflict(say("agent_yaml.link"))
    present = read(root)
    if present == text.encode():
        return
    if present is not None and (seen is None or decoded(present) != seen):
        raise Conflict(say("agent_yaml.changed"))
    if present is None and seen is not None:
        raise Conflict(say("agent_yaml.removed"))
    mode = place.stat().st_mode & 0o777 if present is not None else _MODE
    _write(place, text.encode(), mode, replacing=present is not None)


def _write(place: Path, body: bytes, mode: int, *, replacing: bool) -> None:
    """The unfinished file lies outside the tree's own files: git's folder, where there is one."""
    handle, name = tempfile.mkstemp(prefix="pilothouse-agent-yaml-", dir=_beside(place.parent))
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(body)
            stream.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
        if replacing:
            new.replace(place)
        else:
            _put_new(new, place)
    finally:
        with suppress(FileNotFoundError):
            new.unlink()


def _put_new(new: Path, place: Path) -> None:
    """By a link, which fails where somebody else was faster."""
    try:
        os.link(new, place)
    except FileExistsError:
        raise Conflict(say("agent_yaml.written")) from None


def _beside(root: Path) -> Path:
    git = root / ".git"
    return git if git.is_dir() and git.stat().st_dev == root.stat().st_dev else root
