"""Remembers the permission bits of a working tree's files: git knows only two kinds of file."""

from __future__ import annotations

import json
import os
import stat
import time
from collections import Counter
from collections.abc import Iterable

from pilothouse.git.checkpoint.shadow import Shadow

FRESH_SECONDS = 2.0


class Modes:
    """The bits belong to one state of the private index and are kept in a file beside it."""

    def __init__(self, shadow: Shadow) -> None:
        self._root = os.fsencode(shadow.repository.root) + b"/"
        self._file = shadow.path / "modes.json"
        self._index: str | None = None
        self._fresh: set[bytes] = set()
        self._saved: tuple[object, ...] | None = None
        self.unusual: dict[bytes, int] = {}
        """Permission bits that differ from the default."""
        self.usual = (0o644, 0o755)
        """The usual bits of a plain and of an executable file."""

    def begin(self, usual: tuple[int, int]) -> None:
        """For a working tree that was just written: only the usual bits are known."""
        self.usual = usual
        self.save(None)

    def belong_to(self, index: bytes | None) -> bool:
        if self._index is None:
            self._load()
        return index is not None and self._index == index.hex()

    def start_over(self, paths: Iterable[bytes]) -> None:
        self.unusual = {}
        if self._index is None:
            self.usual = self._most_usual(paths)

    def follow(self, changed: Iterable[bytes], removed: Iterable[bytes]) -> None:
        """A change of the bits changes a file's ctime, so the scan names the file."""
        gone = set(removed)
        noted = {*changed, *self._fresh} - gone
        # Git compares times by the second, so the next scan would not name a file that changes right after this one.
        soon = time.time() - FRESH_SECONDS
        self._fresh = set()
        for path in gone:
            self.unusual.pop(path, None)
        for path in noted:
            about = self._stat(path)
            if about and about.st_ctime >= soon:
                self._fresh.add(path)
            bits = _bits(about)
            if bits is None or bits == self.usual[bool(bits & stat.S_IXUSR)]:
                self.unusual.pop(path, None)
            else:
                self.unusual[path] = bits

    def save(self, index: bytes | None) -> None:
        """From now on the bits belong to this state of the private index."""
        self._index = index.hex() if index else ""
        state = (self._index, self._fresh)
        if state == self._saved:
            return
        modes = {os.fsdecode(path): bits for path, bits in self.unusual.items()}
        fresh = [os.fsdecode(path) for path in self._fresh]
        temporary = self._file.with_suffix(".new")
        temporary.write_text(json.dumps({"index": self._index, "usual": self.usual, "modes": modes, "fresh": fresh}))
        temporary.replace(self._file)
        self._saved = state

    def _load(self) -> None:
        try:
            saved = json.loads(self._file.read_text())
        except (FileNotFoundError, ValueError):
            return
        self._index = saved["index"]
        self.usual = (saved["usual"][0], saved["usual"][1])
        self.unusual = {os.fsencode(path): bits for path, bits in saved["modes"].items()}
        self._fresh = {os.fsencode(path) for path in saved["fresh"]}
        self._saved = (self._index, self._fresh)

    def _most_usual(self, paths: Iterable[bytes]) -> tuple[int, int]:
        seen = Counter(_bits(self._stat(path)) for path in paths)
        plain = [(n, bits) for bits, n in seen.items() if bits is not None and not bits & stat.S_IXUSR]
        runs = [(n, bits) for bits, n in seen.items() if bits is not None and bits & stat.S_IXUSR]
        return max(plain, default=(0, 0o644))[1], max(runs, default=(0, 0o755))[1]

    def _stat(self, path: bytes) -> os.stat_result | None:
        try:
            return os.lstat(self._root + path)
        except OSError:
            return None


def _bits(about: os.stat_result | None) -> int | None:
    """The permission bits, if it is a regular file."""
    return stat.S_IMODE(about.st_mode) if about and stat.S_ISREG(about.st_mode) else None
