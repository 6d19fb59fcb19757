"""Every store test runs on SQLite and on PostgreSQL; each gets a fresh, migrated database."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Literal

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.store import connections, schema
from pilothouse.store.database import Store
from tests.postgres import MISSING, Cluster, cluster, database_of

Kind = Literal["sqlite", "postgresql"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip(MISSING)
        yield found


@pytest.fixture(scope="session")
def postgres_template(postgres: Cluster) -> str:
    url = postgres.create()
    _migrate(url)
    return database_of(url)


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
    server: Cluster = request.getfixturevalue("postgres")
    fresh = server.create(request.getfixturevalue("postgres_template"))
    yield fresh
    server.drop(fresh)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def store(url: str, clock: ManualClock) -> AsyncIterator[Store]:
    opened = await Store.open(url, clock)
    yield opened
    await opened.close()


def _migrate(url: str) -> None:
    engine = connections.writer_engine(connections.parse(url))
    schema.migrate(engine)
    engine.dispose()
