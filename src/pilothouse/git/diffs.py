"""Diffs between two trees of raw files: no filter, no external diff program, no colour."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pilothouse.git.commands import Git
from pilothouse.git.model import ChangeStatus, DiffStat, FileChange
from pilothouse.git.names import spelled

PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color", "--full-index")
STATUS: dict[str, ChangeStatus] = {
    "A": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "T": "type",
    "C": "added",
}


class Entry(NamedTuple):
    """A path that differs between two trees. Mode zero: the path is not in that tree."""

    path: bytes
    old_mode: int
    new_mode: int
    old: str
    new: str


def entries(git: Git, old: str, new: str) -> list[Entry]:
    if old == new:
        return []
    # Without the last option git reads the `.gitmodules` of the tree, which may be broken.
    options = ("--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
    fields = git.run("diff-tree", "-r", "-z", *options, old, new).split(b"\0")
    found = []
    for about, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, new_mode, old_id, new_id, _ = about[1:].decode().split(" ")
        found.append(Entry(path, int(old_mode, 8), int(new_mode, 8), old_id, new_id))
    return found


def patch(git: Git, old: str, new: str, path: str | None = None, prefix: str = "") -> Generator[bytes, None, None]:
    """A patch for `git apply`, binary files included. Piece by piece, because it may not fit into memory."""
    if old == new:
        return
    where = ("--", path) if path is not None else ()
    sides = (f"--src-prefix=a/{prefix}", f"--dst-prefix=b/{prefix}")
    rename = ("-M",) if path is None else ("--no-renames",)
    yield from git.stream("diff-tree", "-r", "-p", "--binary", *rename, *PLAIN, *sides, old, new, *where)


def stat(git: Git, old: str, new: str, prefix: str = "") -> DiffStat:
    if old == new:
        return DiffStat((), 0, 0)
    fields = iter(git.run("diff-tree", "-r", "-z", "-M", "--raw", "--numstat", *PLAIN, old, new).split(b"\0"))
    raw: list[tuple[ChangeStatus, str, str | None]] = []
    counts: list[tuple[bytes, bytes]] = []
    for row in fields:
        if row.startswith(b":"):
            raw.append(_raw(row, fields))
        elif row:
            counts.append(_counts(row, fields))
    changes = []
    for (status, path, old_path), (plus, minus) in zip(raw, counts, strict=True):
        binary = plus == b"-"
        plus_lines, minus_lines = (None, None) if binary else (int(plus), int(minus))
        changes.append(FileChange(path, status, plus_lines, minus_lines, old_path, binary))
    return total(_prefixed(change, prefix) for change in changes)


def total(changes: Iterable[FileChange]) -> DiffStat:
    files = tuple(sorted(changes, key=lambda change: change.path))
    return DiffStat(files, sum(c.insertions or 0 for c in files), sum(c.deletions or 0 for c in files))


def _raw(row: bytes, fields: Iterator[bytes]) -> tuple[ChangeStatus, str, str | None]:
    status = row.rsplit(b" ", 1)[1].decode()[0]
    path = os.fsdecode(next(fields))
    if status in "RC":
        return STATUS[status], os.fsdecode(next(fields)), path
    return STATUS[status], path, None


def _counts(row: bytes, fields: Iterator[bytes]) -> tuple[bytes, bytes]:
    plus, minus, path = row.split(b"\t", 2)
    if not path:
        next(fields), next(fields)
    return plus, minus


def _prefixed(change: FileChange, prefix: str) -> FileChange:
    old_path = spelled(prefix + change.old_path) if change.old_path is not None else None
    return replace(change, path=spelled(prefix + change.path), old_path=old_path)
