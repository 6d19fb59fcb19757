"""Files that are never half written: a temporary beside it, fsync, rename, and `.bak` of the last good one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import orjson

FILE_MODE, FOLDER_MODE = 0o600, 0o700


def read(file: Path) -> bytes | None:
    """The file's bytes when they are JSON; None when it is missing or damaged."""
    try:
        body = file.read_bytes()
        orjson.loads(body)
    except (OSError, orjson.JSONDecodeError):
        return None
    return body


def write(file: Path, body: bytes, *, keep: bool) -> None:
    """Put `body` there at once or not at all; `keep` makes `.bak` of what was there."""
    _make_folder(file.parent)
    new = file.with_name(f".{file.name}.new")
    try:
        _write_new(new, body)
        if keep:
            _keep(file)
        new.replace(file)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    _sync_folder(file.parent)


def write_texts(folder: Path, texts: Mapping[str, str], *patterns: str) -> None:
    """Have exactly these texts there, of all files whose names fit the patterns."""
    for pattern in patterns:
        for file in folder.glob(pattern):
            if file.name not in texts:
                file.unlink(missing_ok=True)
    for name, text in texts.items():
        body, file = text.encode(errors="replace"), folder / name
        if not (file.is_file() and file.stat().st_size == len(body) and file.read_bytes() == body):
            write(file, body, keep=False)


def _make_folder(folder: Path) -> None:
    """Every level with our mode, which `mkdir(parents=True)` gives to the last one only."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def _write_new(new: Path, body: bytes) -> None:
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, FILE_MODE)
    try:
        with os.fdopen(handle, "wb", closefd=False) as stream:
            stream.write(body)
        os.fsync(handle)
    finally:
        os.close(handle)


def _keep(file: Path) -> None:
    """By a hard link, so that the file itself is never missing."""
    link = file.with_name(f".{file.name}.bak.new")
    with suppress(FileNotFoundError):
        link.unlink(missing_ok=True)
        link.hardlink_to(file)
        link.replace(file.with_name(f"{file.name}.bak"))


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
