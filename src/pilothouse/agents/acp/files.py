"""The workspace's files for an agent that reads and writes them through us: nothing outside, nothing of git's own."""

from __future__ import annotations

import os
from pathlib import Path

from acp import RequestError

_GIT = ".git"
_LARGEST = 16 << 20


def confined(workspace: Path, name: str) -> Path:
    """The file that `name` leads to, every link followed. Raises where an agent has no business."""
    root = workspace.resolve()
    try:
        path = (root / name).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _refused(f"“{name}” is no path: {error}") from None
    if not path.is_relative_to(root):
        raise _refused(f"“{name}” lies outside the workspace.")
    if any(part.casefold() == _GIT for part in path.relative_to(root).parts):
        raise _refused(f"“{name}” belongs to git.")
    return path


def within(workspace: Path, name: str) -> bool:
    try:
        confined(workspace, name)
    except RequestError:
        return False
    return True


def read(workspace: Path, name: str, line: int | None = None, limit: int | None = None) -> str:
    path = confined(workspace, name)
    if path.exists() and not path.is_file():
        raise _refused(f"“{name}” is no file.")
    try:
        # Opened without following: a link put there since it was looked at leads nowhere.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise RequestError.resource_not_found(name) from None
    except OSError as error:
        raise _refused(f"“{name}” cannot be read: {error.strerror}.") from None
    if len(data) > _LARGEST:
        raise _refused(f"“{name}” is larger than {_LARGEST >> 20} MiB.")
    text = data.decode(errors="replace")
    if line is None and limit is None:
        return text
    first = max((line or 1) - 1, 0)
    return "".join(text.splitlines(keepends=True)[first : None if limit is None else first + limit])


def holds(path: Path, content: str) -> bool:
    """Whether the file is already what an agent would make of it."""
    try:
        return path.is_file() and path.read_bytes() == content.encode(errors="surrogatepass")
    except OSError:
        return False


def write(path: Path, content: str) -> None:
    """`path` as `confined` answered it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
            file.write(content.encode(errors="surrogatepass"))
    except OSError as error:
        raise _refused(f"“{path.name}” cannot be written: {error.strerror}.") from None


def _refused(why: str) -> RequestError:
    return RequestError.invalid_params({"details": why})
