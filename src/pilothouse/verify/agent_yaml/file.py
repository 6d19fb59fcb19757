"""Reads the file agent.yaml, and writes it for a person, never over something they have not seen."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from pilothouse.errors import BadAgentYaml, Conflict, Problem
from pilothouse.verify.agent_yaml.config import Config, parse
from pilothouse.verify.agent_yaml.document import decoded
from pilothouse.words import say

FILE = "agent.yaml"
_MODE = 0o644


def load(root: Path) -> Config | None:
    """The configuration of a working tree; None where it has no agent.yaml."""
    body = read(root)
    return None if body is None else parse(decoded(body), root)


def read(root: Path) -> bytes | None:
    """The file's bytes, whatever they are; None where there is none."""
    path = root / FILE
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadAgentYaml([Problem(1, 1, say("yaml.no_file"), say("yaml.fix.put_file"))])
        return path.read_bytes()
    except FileNotFoundError:
        if path.is_symlink():
            raise BadAgentYaml([Problem(1, 1, say("yaml.dead_link"), say("yaml.fix.link"))]) from None
        return None
    except OSError as error:
        why = say("yaml.unreadable", problem=error.strerror or str(error))
        raise BadAgentYaml([Problem(1, 1, why, say("yaml.fix.permissions"))]) from error


def save(root: Path, text: str, seen: str | None) -> None:
    """Writes `text`, all of it or nothing.

    `seen` is the file's text as the person saw it, None if there was none. Refuses a text that could not be read
    back, with its problems.
    """
    parse(text, root)
    path = root / FILE
    if path.is_symlink():
        raise Conflict(say("agent_yaml.link"))
    present = read(root)
    if present == text.encode():
        return
    if present is not None and (seen is None or decoded(present) != seen):
        raise Conflict(say("agent_yaml.changed"))
    if present is None and seen is not None:
        raise Conflict(say("agent_yaml.removed"))
    mode = path.stat().st_mode & 0o777 if present is not None else _MODE
    _write(path, text.encode(), mode, replacing=present is not None)


def _write(path: Path, body: bytes, mode: int, *, replacing: bool) -> None:
    """The unfinished file is not among the tree's own files: it is in git's folder, if there is one."""
    handle, name = tempfile.mkstemp(prefix="pilothouse-agent-yaml-", dir=_beside(path.parent))
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(body)
            stream.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
        if replacing:
            new.replace(path)
        else:
            _put_new(new, path)
    finally:
        with suppress(FileNotFoundError):
            new.unlink()


def _put_new(new: Path, path: Path) -> None:
    """Uses a link, which fails if somebody else was faster."""
    try:
        os.link(new, path)
    except FileExistsError:
        raise Conflict(say("agent_yaml.written")) from None


def _beside(root: Path) -> Path:
    git = root / ".git"
    return git if git.is_dir() and git.stat().st_dev == root.stat().st_dev else root
