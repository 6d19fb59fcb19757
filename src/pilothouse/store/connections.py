"""Opens a database: one engine for the writer, one for readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

BUSY_TIMEOUT_MS = 10_000
READERS = 4
_WAIT_SECONDS = 5
"""For a PostgreSQL that does not answer."""
_LIMITS = {"connect_timeout": _WAIT_SECONDS}


def parse(url: str) -> URL:
    parsed = make_url(url)
    if parsed.get_backend_name() in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def file_of(url: URL) -> Path | None:
    """The SQLite file; None for PostgreSQL."""
    if url.get_backend_name() != "sqlite":
        return None
    if not url.database or url.database == ":memory:":
        raise ValueError("SQLite needs a file: the readers have connections of their own")
    return Path(url.database)


def writer_engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, "BEGIN IMMEDIATE", pool_size=1, read_only=False)
    return create_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True, connect_args=_LIMITS)


def reader_engine(url: URL) -> Engine:
    """Each read runs in one snapshot and cannot write."""
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, "BEGIN", pool_size=READERS, read_only=True)
    engine = create_engine(url, pool_size=READERS, max_overflow=0, pool_pre_ping=True, connect_args=_LIMITS)
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def looking_engine(url: URL) -> Engine:
    """Reads once from a database that another process may be using. Makes, migrates and writes nothing."""
    file = file_of(url)
    if file is None:
        return reader_engine(url)
    return create_engine(url.set(database=f"file:{quote(str(file.absolute()))}", query={"mode": "ro", "uri": "true"}))


def _sqlite(url: URL, begin: str, *, pool_size: int, read_only: bool) -> Engine:
    engine = create_engine(url, pool_size=pool_size, max_overflow=0, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # SQLAlchemy's "begin" below is the only one
        for pragma in (
            f"busy_timeout={BUSY_TIMEOUT_MS}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "temp_store=MEMORY",
            "cache_size=-16000",
            f"query_only={int(read_only)}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
