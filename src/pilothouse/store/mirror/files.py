"""Writes files that are never half written: a temporary file beside them, fsync, a rename. Keeps a `.bak`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import orjson

FILE_MODE, FOLDER_MODE = 0o600, 0o700


def read(file: Path) -> bytes | None:
    """The file's bytes; None if it is missing or not JSON."""
    try:
        body = file.read_bytes()
        orjson.loads(body)
    except (OSError, orjson.JSONDecodeError):
        return None
    return body


def write(file: Path, body: bytes, *, keep: bool) -> None:
    """Writes `body` whole or not at all. `keep` makes a `.bak` of the old file."""
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
    sync(file.parent)


def write_texts(folder: Path, texts: Mapping[str, str], *patterns: str) -> None:
    """Writes these texts, and removes other files whose names fit the patterns."""
    for pattern in patterns:
        for file in folder.glob(pattern):
            if file.name not in texts:
                file.unlink(missing_ok=True)
    for name, text in texts.items():
        body, file = text.encode(errors="replace"), folder / name
        if not (file.is_file() and file.stat().st_size == len(body) and file.read_bytes() == body):
            write(file, body, keep=False)


def _make_folder(folder: Path) -> None:
    """Makes every level with our mode; `mkdir(parents=True)` gives it to the last one only."""
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
    """Makes the `.bak` by a hard link, so that the file itself is never missing."""
    link = file.with_name(f".{file.name}.bak.new")
    with suppress(FileNotFoundError):
        link.unlink(missing_ok=True)
        link.hardlink_to(file)
        link.replace(file.with_name(f"{file.name}.bak"))


def sync(path: Path) -> None:
    """Waits until the disk has what a file holds, or which files a folder has."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
