"""Checks the SQLite file at start, copies it every hour, and restores it from the newest good copy when it is damaged.

PostgreSQL is backed up by whoever runs it, not by us.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from pilothouse.domain.clock import Clock
from pilothouse.domain.event.storage import StorageRestored
from pilothouse.errors import StorageDamaged
from pilothouse.store.losses import losses
from pilothouse.store.mirror.files import sync
from pilothouse.words import say

log = logging.getLogger(__name__)

_STAMP = "%Y%m%dT%H%M%S.%fZ"
# Locked, no rights, a disk that does not answer: those are no reason to go back to a backup.
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_PREFIX, _SUFFIX = "pilothouse-", ".db"


class Backups:
    def __init__(self, file: Path, folder: Path, kept: int, clock: Clock) -> None:
        self._file, self._folder, self._kept, self._clock = file, folder, kept, clock
        self._commits = 0
        self._one_at_a_time = threading.Lock()
        self._seal = file.with_name(f"{file.name}.seal")
        self.unchecked = False
        """Whether `check` only looked at the seal, so that the file itself is still to be checked."""

    def check(self) -> StorageRestored | None:
        """Restores the database if it cannot be read. Returns None when all was well.

        Reading all of a large one takes seconds, so a file that nobody touched since it was sealed is taken as good.
        """
        self.unchecked = self._sealed()
        self._seal.unlink(missing_ok=True)
        if self.unchecked:
            return None
        copies = self.copies()
        there = self._file.exists() and self._file.stat().st_size > 0
        if (there and not (problem := damage(self._file))) or (not there and not copies):
            return None
        problem = problem if there else say("database.gone")
        log.error("the database %s cannot be used: %s", self._file, problem)
        for copy in copies:
            if found := damage(copy, alone=True):
                log.error("the backup %s cannot be used either: %s", copy, found)
                continue
            return self._restore(copy, problem)
        raise StorageDamaged(say("database.lost", file=str(self._file), problem=problem, folder=str(self._folder)))

    def seal(self) -> None:
        """Remembers how the closed file looks, of which a good copy has just been made."""
        if look := self._look():
            self._seal.write_text(look)

    def look(self) -> str:
        """Says what is wrong with the database, which may be in use; empty when nothing is."""
        return damage(self._file)

    def _sealed(self) -> bool:
        try:
            return self._seal.read_text() == self._look()
        except OSError:
            return False

    def _look(self) -> str | None:
        """How the file looks now; None while part of the data is in a journal."""
        if self._file.with_name(f"{self._file.name}-wal").exists():
            return None
        found = self._file.stat()
        return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"

    def copies(self) -> list[Path]:
        """Newest first."""
        return sorted(self._folder.glob(f"{_PREFIX}*{_SUFFIX}"), reverse=True)

    def make(self, commits: int) -> Path | None:
        """Copies the database, checks the copy, then gives it its name. None if nothing was written since."""
        with self._one_at_a_time:
            if commits == self._commits and self.copies():
                return None
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            name = f"{_PREFIX}{self._clock.now().astimezone(UTC).strftime(_STAMP)}{_SUFFIX}"
            unnamed = self._folder / f".{name}.part"
            try:
                _copy(self._file, unnamed)
                if problem := damage(unnamed, alone=True):
                    raise OSError(say("database.copy_damaged", problem=problem))
                sync(unnamed)
                unnamed.replace(self._folder / name)
                sync(self._folder)
            except sqlite3.Error as error:
                raise OSError(str(error)) from error
            finally:
                unnamed.unlink(missing_ok=True)
            self._commits = commits
            for old in self.copies()[self._kept :]:
                old.unlink(missing_ok=True)
            return self._folder / name

    def _restore(self, copy: Path, problem: str) -> StorageRestored:
        made = datetime.strptime(copy.name[len(_PREFIX) : -len(_SUFFIX)], _STAMP).replace(tzinfo=UTC)
        aside = self._file.parent / "damaged" / self._clock.now().astimezone(UTC).strftime(_STAMP)
        aside.mkdir(mode=0o700, parents=True)
        lost = losses(copy, made, self._file.parent, aside)
        for ending in ("", "-wal", "-shm"):
            part = self._file.with_name(self._file.name + ending)
            if part.exists():
                part.replace(aside / part.name)
        unnamed = self._file.with_name(f".{self._file.name}.part")
        shutil.copyfile(copy, unnamed)
        unnamed.chmod(0o600)
        sync(unnamed)
        unnamed.replace(self._file)
        sync(self._file.parent)
        kept = say("database.damaged_kept", problem=problem, folder=str(aside))
        return StorageRestored(backup=copy.name, backup_at=made, lost=[*lost, kept])


def damage(file: Path, *, alone: bool = False, patience: float = 10) -> str:
    """Says what is wrong with a database file; empty when nothing is. `alone`: nobody has it open."""
    # Not read-only when it is the live file: after a crash its journal has to be taken in first.
    address = f"file:{quote(str(file))}?" + ("mode=ro&immutable=1" if alone else "mode=rw")
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=patience)) as c:
            found = [row[0] for row in c.execute("PRAGMA quick_check(1)")]
            c.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _DAMAGED:
            return str(error)
        raise StorageDamaged(say("database.not_opened", file=str(file), problem=str(error))) from error
    return "" if found == ["ok"] else "; ".join(str(line) for line in found)


def _copy(source: Path, target: Path) -> None:
    target.touch(mode=0o600)
    with closing(sqlite3.connect(source, timeout=10)) as a, closing(sqlite3.connect(target)) as b:
        a.backup(b)
