"""Every store test runs on SQLite and on PostgreSQL; each gets a fresh database, made by the migrations.

All other tests have theirs made at once, as new installations do.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Literal

import pytest
from sqlalchemy import delete, insert, text

from pilothouse.domain.chain import GENESIS
from pilothouse.domain.clock import ManualClock
from pilothouse.store import connections, schema
from pilothouse.store.database import Store
from pilothouse.store.tables.catalog import metadata
from pilothouse.store.tables.event import event_head
from tests.postgres import Cluster, database_of
from tests.store.samples import furnish, submit

Kind = Literal["sqlite", "postgresql"]


@pytest.fixture(scope="session")
def postgres_template(postgres: Cluster) -> str:
    """A migrated database to copy, for tests that need one of their own."""
    url = postgres.create()
    _migrate(url)
    return database_of(url)


@pytest.fixture(scope="session")
def postgres_url(postgres: Cluster, postgres_template: str) -> str:
    """The one that tests share, each after the other: emptying it is much faster than making one."""
    return postgres.create(postgres_template)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "template.db"
    _migrate(f"sqlite:///{file}")
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> Kind:
    value: Kind = request.param
    return value


@pytest.fixture
def url(kind: Kind, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if kind == "sqlite":
        file = tmp_path / "pilothouse.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), file)
        yield f"sqlite:///{file}"
        return
    shared: str = request.getfixturevalue("postgres_url")
    _empty(shared)
    yield shared


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def store(url: str, clock: ManualClock) -> AsyncIterator[Store]:
    opened = await Store.open(url, clock)
    yield opened
    await opened.close()


@pytest.fixture
async def furnished(store: Store) -> Store:
    """With a project, its workspace, a session, and a task that waits."""
    await store.write(furnish)
    await submit(store, "t")
    return store


def _empty(url: str) -> None:
    engine = connections.writer_engine(connections.parse(url))
    with engine.connect() as c, c.begin():
        for table in reversed(metadata.sorted_tables):
            c.execute(delete(table))
        c.execute(insert(event_head).values(id=1, seq=0, hash=GENESIS))
        c.execute(text("UPDATE alembic_version SET version_num = :newest"), {"newest": schema.NEWEST})
    engine.dispose()


def _migrate(url: str) -> None:
    engine = connections.writer_engine(connections.parse(url))
    with engine.connect() as c, c.begin():
        schema.upgrade(c, None)
    engine.dispose()
