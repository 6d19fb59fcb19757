"""Whose rows are whose: several servers may share a database, each with a `DATA_DIR` and workspaces of its own."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from sqlalchemy import Select, select, update

from pilothouse.store.mirror import files
from pilothouse.store.tables.runner import operations
from pilothouse.store.tables.session import workspaces
from pilothouse.store.writer import Tx


def host_id(data_dir: Path) -> str:
    """Made once, and kept for good: a server that lost it would not know its own work."""
    file = data_dir / "host"
    kept = file.read_text().strip() if file.exists() else ""
    if not kept:
        kept = uuid4().hex
        files.write(file, f"{kept}\n".encode(), keep=False)
    return kept


def take_over(tx: Tx, host: str) -> None:
    """Rows of a version that knew no hosts are this server's; a file of SQLite has no other, wherever it came from."""
    for table in (workspaces, operations):
        theirs = table.c.host != host if tx.conn.dialect.name == "sqlite" else table.c.host == ""
        tx.conn.execute(update(table).where(theirs).values(host=host))


def workspaces_on(host: str) -> Select[tuple[str]]:
    """Their ids, for a condition of another query."""
    return select(workspaces.c.id).where(workspaces.c.host == host)
