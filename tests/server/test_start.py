"""What a start does, and what it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pilothouse.cli import composed
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.session.session import Project, Workspace
from pilothouse.settings import Settings
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import projects, workspaces
from tests.server.processes import environment

_STARTED = """
import sys
from pilothouse import sample
from pilothouse.agents.rehearsal import adapter
from pilothouse.engine import controls
from pilothouse.server import app, requirements, web_server
from pilothouse.store import mirror
print(*sys.modules)
"""


def test_what_only_some_starts_need_is_not_imported_by_all(tmp_path: Path) -> None:
    """PLT-3"""
    command = [sys.executable, "-c", _STARTED]
    said = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=True).stdout
    loaded = set(said.split())
    seldom = {"alembic", "sqlalchemy.dialects.postgresql", "psycopg", "segno", "httpx", "rich", "sqlalchemy.orm"}
    assert not loaded & seldom


async def test_what_a_version_without_hosts_left_belongs_to_the_server_that_starts(tmp_path: Path) -> None:
    """WEB-1 BYD-9"""
    settings = Settings(data_dir=tmp_path)
    store = await Store.open(settings.storage_url, SystemClock())

    def as_before(tx: Tx) -> None:
        projects.add(tx, Project("p", "/home/ada/p", "p", tx.now))
        workspaces.add(tx, Workspace("p", "p", "/home/ada/p", host=""))

    await store.write(as_before)
    await store.close()
    async with composed(settings) as services:
        own = await services.store.read(lambda c: workspaces.directory_of(c, "p", services.host_id))
    assert own.host == (tmp_path / "host").read_text().strip()
