"""Tells a database that has no room or is away from one that is broken: those pass by themselves.

`hurried` says whether somebody waits for the answer. A request does, and is told at once. The engine does not, and
waits until the storage is back, so that nothing is lost and nobody has to start anything again.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextvars import ContextVar
from pathlib import Path

from sqlalchemy.exc import DBAPIError, OperationalError

from pilothouse.errors import PilothouseError, StorageAway, StorageFull
from pilothouse.words import say

hurried: ContextVar[bool] = ContextVar("hurried", default=False)
RETRY_SECONDS = 1.0
_PRIMARY = 0xFF
"""The lower byte of SQLite's code; the others say more."""
_NO_ROOM = 1 << 20
_DISK_FULL = "53100"
_AWAY = ("08", "53", "57P")


def of(error: BaseException, file: Path | None) -> PilothouseError | None:
    """None where the trouble is of another kind. `file`: the database, for SQLite."""
    if isinstance(error, StorageAway):
        return error
    if not isinstance(error, DBAPIError):
        return None
    return _of_sqlite(error.orig, file) if file else _of_postgres(error)


def _of_sqlite(error: BaseException | None, file: Path) -> PilothouseError | None:
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    # A file that could not be made or made longer is reported as an error of input and output.
    if code == sqlite3.SQLITE_FULL or (code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and is_full(file)):
        return StorageFull(say("storage.full"))
    return None


def _of_postgres(error: DBAPIError) -> PilothouseError | None:
    state = getattr(error.orig, "sqlstate", None)
    if state == _DISK_FULL:
        return StorageFull(say("storage.full"))
    is_lost = error.connection_invalidated or (state is None and isinstance(error, OperationalError))
    return StorageAway(say("storage.away")) if is_lost or (state or "").startswith(_AWAY) else None


def is_full(file: Path) -> bool:
    """A small write may still find a place in the file as it is."""
    return shutil.disk_usage(file.parent).free < _NO_ROOM
