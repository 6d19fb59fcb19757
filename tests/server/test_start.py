"""What a start does not do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
