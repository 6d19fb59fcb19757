from __future__ import annotations

import asyncio
import multiprocessing
import os
from datetime import UTC, datetime
from functools import partial

import pytest
from sqlalchemy import text

from pilothouse.domain.clock import ManualClock, SystemClock
from pilothouse.domain.event.log import Event
from pilothouse.domain.event.runner import RunnerStarted
from pilothouse.domain.event.storage import StorageRestored
from pilothouse.domain.event.task import TaskReplied
from pilothouse.store import connections, events
from pilothouse.store.database import Store, Tx
from tests.postgres import Cluster

WRITERS, EACH = 8, 40


async def _fill(store: Store, count: int) -> None:
    def reply(tx: Tx, n: int) -> None:
        tx.emit(TaskReplied(attempt=n, reply=f"Antwort {n} 漢字"), session_id=f"s{n % 2}", task_id="t")

    for n in range(1, count + 1):
        await store.write(partial(reply, n=n))


def _tamper(url: str, *statements: str) -> None:
    engine = connections.writer_engine(connections.parse(url))
    with engine.connect() as c, c.begin():
        for statement in statements:
            c.execute(text(statement))
    engine.dispose()


async def test_events_come_back_as_they_were_told_and_hash_the_same(store: Store) -> None:
    """BYD-6"""
    heard: list[Event] = []
    store.on_commit(heard.extend)
    await _fill(store, 5)
    moment = datetime(2026, 2, 3, 4, 5, 6, 789012, tzinfo=UTC)
    await store.write(lambda tx: tx.emit(StorageRestored(backup="b", backup_at=moment, lost=["one"])))
    assert await store.read(lambda c: events.after(c, 0, 100)) == heard
    assert heard[-1].data.backup_at == moment
    assert await store.read(events.verify) == events.ChainReport(True, 6)
    assert (await store.read(events.head))[0] == 6


async def test_a_reader_can_go_on_from_any_cursor(store: Store) -> None:
    """PLT-2"""
    await _fill(store, 7)
    assert [event.seq for event in await store.read(lambda c: events.after(c, 3, 2))] == [4, 5]
    assert [event.seq for event in await store.read(lambda c: events.after(c, 2, 10, "s1"))] == [3, 5, 7]
    assert [event.seq for event in await store.read(lambda c: events.of_task(c, "t", after=5))] == [6, 7]
    assert await store.read(lambda c: events.after(c, 7, 10)) == []


@pytest.mark.parametrize(
    ("statements", "seq", "word"),
    [
        (["UPDATE events SET data = replace(data, 'Antwort 3', 'Antwort X') WHERE seq = 3"], 3, "changed"),
        (["UPDATE events SET task_id = 'other' WHERE seq = 4"], 4, "changed"),
        (["UPDATE events SET at = '2025-01-01T00:00:00.000000Z' WHERE seq = 2"], 2, "changed"),
        (["DELETE FROM events WHERE seq = 4"], 4, "removed"),
        (["DELETE FROM events WHERE seq IN (3, 4)"], 3, "Events 3 to 4 were removed"),
        (["DELETE FROM events WHERE seq = 1"], 1, "removed"),
        (["DELETE FROM events WHERE seq > 5"], 6, "removed from the end"),
        (
            [
                "UPDATE events SET seq = 100 WHERE seq = 3",
                "UPDATE events SET seq = 3 WHERE seq = 4",
                "UPDATE events SET seq = 4 WHERE seq = 100",
            ],
            3,
            "does not follow",
        ),
        (["UPDATE event_head SET hash = 'f'"], 6, "head"),
    ],
    ids=["data", "task", "time", "removed", "two-removed", "first-removed", "end-cut", "reordered", "head"],
)
async def test_the_first_broken_link_is_named(
    store: Store, url: str, statements: list[str], seq: int, word: str
) -> None:
    """BYD-6"""
    await _fill(store, 6)
    _tamper(url, *statements)
    report = await store.read(events.verify)
    assert (report.ok, report.first_broken) == (False, seq)
    assert word in report.why


async def test_listeners_hear_what_other_processes_wrote_first(postgres: Cluster, postgres_template: str) -> None:
    """PLT-2, BYD-9"""
    url = postgres.create(postgres_template)
    ours, theirs = await Store.open(url, ManualClock()), await Store.open(url, ManualClock())
    heard: list[int] = []
    ours.on_commit(lambda page: heard.extend(event.seq for event in page))
    await _fill(theirs, 3)
    assert heard == []
    await _fill(ours, 1)
    await _fill(theirs, 2)
    await _fill(ours, 1)
    assert heard == [1, 2, 3, 4, 5, 6, 7]
    await ours.close()
    await theirs.close()
    postgres.drop(url)


def _write_many(url: str, number: int) -> None:
    async def run() -> None:
        store = await Store.open(url, SystemClock())
        heard: list[int] = []
        store.on_commit(lambda page: heard.extend(event.seq for event in page))
        writes = [
            store.write(lambda tx: tx.emit(RunnerStarted(boot_id=f"{number}-{os.getpid()}", version="1")))
            for _ in range(EACH)
        ]
        await asyncio.gather(*writes[: EACH // 2])
        for write in writes[EACH // 2 :]:
            await write
        await store.close()
        assert heard == list(range(heard[0], heard[0] + len(heard)))

    asyncio.run(run())


async def test_eight_writers_and_a_polling_reader_miss_nothing(postgres: Cluster, postgres_template: str) -> None:
    """PLT-2, BYD-6, BYD-9"""
    url = postgres.create(postgres_template)
    store = await Store.open(url, SystemClock())
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_write_many, args=(url, n)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    seen: list[int] = []
    while len(seen) < WRITERS * EACH:
        page = await store.read(lambda c: events.after(c, seen[-1] if seen else 0, 1000))
        seen.extend(event.seq for event in page)
        if not page and not any(writer.is_alive() for writer in writers):
            break
    for writer in writers:
        await asyncio.to_thread(writer.join)
    assert seen == list(range(1, WRITERS * EACH + 1))
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    assert await store.read(events.verify) == events.ChainReport(True, WRITERS * EACH)
    await store.close()
    postgres.drop(url)
