from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from pilothouse.domain.clock import ManualClock, SystemClock
from pilothouse.errors import BadConfiguration
from pilothouse.store import connections, schema
from pilothouse.store.agent_tables import metadata
from pilothouse.store.database import Store


def test_the_migrated_schema_is_the_one_the_code_speaks_of(url: str) -> None:
    """WEB-12"""
    engine = connections.writer_engine(connections.parse(url))
    with engine.connect() as c, c.begin():
        differences = compare_metadata(MigrationContext.configure(c, opts={"compare_type": True}), metadata)
    engine.dispose()
    assert differences == []


def test_the_newest_migration_is_the_one_start_up_looks_for() -> None:
    config = Config()
    config.set_main_option("script_location", "pilothouse.store:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == schema.NEWEST


async def test_a_database_of_a_newer_version_is_refused_in_words(url: str, clock: ManualClock) -> None:
    engine = connections.writer_engine(connections.parse(url))
    with engine.connect() as c, c.begin():
        c.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(BadConfiguration, match="newer version"):
        await Store.open(url, clock)


def test_opening_a_migrated_database_imports_no_migration_tool(sqlite_template: Path) -> None:
    code = f"""
import asyncio, sys
from pilothouse.domain.clock import SystemClock
from pilothouse.store.database import Store
async def main():
    store = await Store.open("sqlite:///{sqlite_template}", SystemClock())
    await store.close()
asyncio.run(main())
print("alembic" in sys.modules, "psycopg" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert done.stdout.split() == ["False", "False"]


async def test_a_look_at_a_database_can_change_nothing(tmp_path: Path) -> None:
    """BYD-6"""
    url = connections.parse(f"sqlite:///{tmp_path / 'pilothouse.db'}")
    absent = connections.looking_engine(url)
    with pytest.raises(OperationalError):
        absent.connect()
    store = await Store.open(str(url), SystemClock())
    looking = connections.looking_engine(url)
    with looking.connect() as c:
        schema.require_newest(c)
        with pytest.raises(OperationalError, match="readonly"):
            c.execute(text("DELETE FROM events"))
    looking.dispose()
    await store.close()
