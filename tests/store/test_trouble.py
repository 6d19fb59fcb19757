"""A full disk and a database that is away pass by themselves: who waits is told, and the rest goes on afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pilothouse.domain.clock import SystemClock
from pilothouse.errors import StorageAway, StorageFull
from pilothouse.store import notices, trouble
from pilothouse.store.database import Store, Tx
from tests.disk import filled, small_disk
from tests.postgres import MISSING, cluster

SIZE = 3 << 20
FIRST, LAST = "A first one", "The last one"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", SIZE) as folder:
        yield folder


def note(text: str) -> str:
    return text + "x" * 200_000


def telling(text: str):  # type: ignore[no-untyped-def]
    def job(tx: Tx) -> None:
        notices.add(tx, text, note(text), [])

    return job


async def _texts(store: Store) -> list[str]:
    return [notice.code for notice in await store.read(notices.open)]


async def _write_on(store: Store) -> None:
    for _ in range(20):
        await store.write(telling("Somebody waits"))


async def test_what_waits_on_a_full_disk_is_written_when_there_is_room(disk: Path) -> None:
    """PLT-3 BYD-3"""
    store = await Store.open(f"sqlite:///{disk / 'pilothouse.db'}", SystemClock())
    await store.write(telling(FIRST))
    assert await store.trouble() is None
    with filled(disk):
        hurried = trouble.hurried.set(True)
        with pytest.raises(StorageFull):
            await _write_on(store)
        found = await store.trouble()
        assert found
        assert found.code == "storage_full"
        trouble.hurried.reset(hurried)
        before = await _texts(store)
        waiting = asyncio.create_task(store.write(telling(LAST)))
        await asyncio.wait({waiting}, timeout=trouble.RETRY_SECONDS * 1.5)
        assert not waiting.done()
        assert await _texts(store) == before
    await asyncio.wait_for(waiting, 30)
    assert await _texts(store) == [*before, LAST]
    assert await store.trouble() is None
    await store.close()


async def test_what_waits_for_postgresql_is_written_when_it_is_back() -> None:
    """PLT-3 BYD-9"""
    with cluster() as postgres:
        if postgres is None:
            pytest.skip(MISSING)
        store = await Store.open(postgres.create(), SystemClock())
        await store.write(telling(FIRST))
        postgres.stop()
        hurried = trouble.hurried.set(True)
        with pytest.raises(StorageAway):
            await store.write(telling("Somebody waits"))
        with pytest.raises(StorageAway):
            await _texts(store)
        found = await store.trouble()
        assert found
        assert found.code == "storage_away"
        trouble.hurried.reset(hurried)
        waiting = [asyncio.create_task(store.write(telling(LAST))), asyncio.create_task(_texts(store))]
        await asyncio.wait(waiting, timeout=trouble.RETRY_SECONDS * 1.5)
        assert not any(task.done() for task in waiting)
        postgres.start()
        await asyncio.wait_for(asyncio.gather(*waiting), 30)
        assert await _texts(store) == [FIRST, LAST]
        assert await store.trouble() is None
        await store.close()


async def test_a_commit_whose_answer_was_lost_is_not_made_again() -> None:
    """PLT-3 BYD-3: it may have been carried out."""
    with cluster() as postgres:
        if postgres is None:
            pytest.skip(MISSING)
        url = postgres.create()
        store = await Store.open(url, SystemClock())
        tries = 0

        def cut(tx: Tx) -> None:
            nonlocal tries
            tries += 1
            pid = tx.conn.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            postgres.sql(f"SELECT pg_terminate_backend({pid}, 10000)")

        with pytest.raises(StorageAway, match="not known"):
            await asyncio.wait_for(store.write(cut), 30)
        assert tries == 1
        await store.write(telling(LAST))
        assert await _texts(store) == [LAST]
        await store.close()


async def test_a_damaged_database_is_not_waited_for(tmp_path: Path) -> None:
    """PLT-3: waiting would never end."""
    store = await Store.open(f"sqlite:///{tmp_path / 'pilothouse.db'}", SystemClock())

    def wrong(tx: Tx) -> None:
        tx.conn.exec_driver_sql("SELECT a FROM nowhere")

    with pytest.raises(Exception, match="no such table"):
        await store.write(wrong)
    await store.close()
