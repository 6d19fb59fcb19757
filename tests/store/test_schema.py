from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, inspect, text
from sqlalchemy.exc import OperationalError

from pilothouse.domain.clock import ManualClock, SystemClock
from pilothouse.errors import BadConfiguration
from pilothouse.store import connections, schema
from pilothouse.store.database import Store
from pilothouse.store.tables.catalog import metadata


def everything(c: Connection) -> dict[str, Any]:
    """All that a SQLite database holds, schema and rows; the order of columns is nobody's business."""
    found, reflected = inspect(c), MetaData()
    indexes = text("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = :name")
    reflected.reflect(c)
    return {
        name: {
            "columns": {
                column["name"]: (column["type"].compile(c.dialect), column["nullable"], column["default"])
                for column in found.get_columns(name)
            },
            "primary key": found.get_pk_constraint(name),
            "foreign keys": sorted(found.get_foreign_keys(name), key=str),
            "unique": sorted(found.get_unique_constraints(name), key=str),
            "checks": sorted(found.get_check_constraints(name), key=str),
            # SQLite keeps the statement, and with it the condition of an index.
            "indexes": {row.name: row.sql for row in c.execute(indexes, {"name": name})},
            "rows": [dict(row) for row in c.execute(table.select()).mappings()],
        }
        for name, table in reflected.tables.items()
    }


def test_an_empty_database_gets_at_once_what_migrating_it_would_give(sqlite_template: Path, tmp_path: Path) -> None:
    """WEB-12"""
    made = []
    for file in (sqlite_template, tmp_path / "empty.db"):
        engine = connections.writer_engine(connections.parse(f"sqlite:///{file}"))
        schema.migrate(engine)
        with engine.connect() as c, c.begin():
            made.append(everything(c))
        engine.dispose()
    migrated, created = made
    assert created.keys() == migrated.keys()
    for table in migrated:
        assert created[table] == migrated[table], table
    assert len(created) > len(metadata.tables)
    assert created["event_head"]["rows"] != []


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


@pytest.mark.parametrize("new", [False, True])
def test_opening_a_new_or_a_migrated_database_imports_no_migration_tool(
    sqlite_template: Path, tmp_path: Path, new: bool
) -> None:
    file = tmp_path / "new.db" if new else sqlite_template
    code = f"""
import asyncio, sys
from pilothouse.domain.clock import SystemClock
from pilothouse.store.database import Store
async def main():
    store = await Store.open("sqlite:///{file}", SystemClock())
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
