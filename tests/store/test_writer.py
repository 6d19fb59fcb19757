from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest
from sqlalchemy import insert, update
from sqlalchemy.exc import IntegrityError

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.event.log import Event
from pilothouse.domain.event.runner import RunnerStarted, RunnerStopped
from pilothouse.domain.event.session import ProjectAdded
from pilothouse.errors import Conflict, Unavailable
from pilothouse.store import events
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import projects
from pilothouse.store.tables.event import event_head as event_head_table
from pilothouse.store.tables.session import projects as projects_table
from tests.postgres import Cluster
from tests.store.samples import project


def _added(tx: Tx, id: str) -> None:
    projects.add(tx, project(id))
    tx.emit(ProjectAdded(project_id=id, path=f"/home/ada/{id}", name=id))


def _refused(tx: Tx) -> None:
    _added(tx, "refused")
    raise Conflict("no")


async def test_a_job_that_fails_is_undone_alone(store: Store) -> None:
    """WEB-12"""
    heard: list[Event] = []
    store.on_commit(heard.extend)
    results = await asyncio.gather(
        store.write(lambda tx: _added(tx, "a")),
        store.write(_refused),
        store.write(lambda tx: _added(tx, "b")),
        store.write(lambda tx: _added(tx, "a")),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), Conflict, type(None), IntegrityError]
    assert {found.id for found in await store.read(projects.all)} == {"a", "b"}
    assert [event.data.project_id for event in heard] == ["a", "b"]
    assert [event.seq for event in heard] == [1, 2]
    assert (await store.read(events.verify)).ok


async def test_listeners_have_heard_when_the_write_returns(store: Store) -> None:
    """PLT-2"""
    heard: list[int] = []
    store.on_commit(lambda page: heard.extend(event.seq for event in page))
    for n in range(1, 4):
        await store.write(lambda tx: tx.emit(RunnerStarted(boot_id="b", version="1")))
        assert heard == list(range(1, n + 1))


async def test_a_listener_that_fails_stops_nobody_else(store: Store) -> None:
    heard: list[int] = []

    def fail(page: list[Event]) -> None:
        raise RuntimeError(f"cannot take {len(page)}")

    store.on_commit(fail)
    store.on_commit(lambda page: heard.extend(event.seq for event in page))
    await store.write(lambda tx: tx.emit(RunnerStarted(boot_id="b", version="1")))
    assert heard == [1]


async def test_many_writes_at_once_keep_their_order_and_lose_nothing(store: Store) -> None:
    """BYD-6"""
    heard: list[str] = []
    store.on_commit(lambda page: heard.extend(event.data.reason for event in page))

    def stop(n: int) -> asyncio.Task[None]:
        return asyncio.create_task(
            store.write(lambda tx: tx.emit(RunnerStopped(boot_id="b", reason=str(n)))), name=f"write {n}"
        )

    await asyncio.gather(*[stop(n) for n in range(300)])
    assert heard == [str(n) for n in range(300)]
    report = await store.read(events.verify)
    assert (report.ok, report.count) == (True, 300)


async def test_a_broken_statement_fails_its_job_and_the_others_are_written(store: Store) -> None:
    def broken(tx: Tx) -> None:
        tx.conn.exec_driver_sql("SELECT nonsense FROM nowhere")

    results = await asyncio.gather(
        store.write(lambda tx: _added(tx, "a")),
        store.write(broken),
        store.write(lambda tx: _added(tx, "b")),
        return_exceptions=True,
    )
    assert [result is None for result in results] == [True, False, True]
    assert (await store.read(events.head))[0] == 2


async def test_events_that_cannot_be_written_fail_their_own_job(store: Store) -> None:
    class Unnamed(RunnerStarted):
        type = "runner.unknown"

    results = await asyncio.gather(
        store.write(lambda tx: _added(tx, "a")),
        store.write(lambda tx: tx.emit(Unnamed(boot_id="b", version="1"))),
        return_exceptions=True,
    )
    assert results[0] is None
    assert isinstance(results[1], ValueError)


async def test_two_processes_that_block_each_other_both_get_through(postgres: Cluster, postgres_template: str) -> None:
    """BYD-9"""
    url = postgres.create(postgres_template)
    ours, theirs = await Store.open(url, ManualClock()), await Store.open(url, ManualClock())
    for id in "ab":
        await ours.write(partial(_added, id=id))
    both_hold_one = threading.Barrier(2)
    tries: list[str] = []

    def rename(tx: Tx, first: str, second: str) -> None:
        tries.append(first)
        tx.conn.execute(update(projects_table).where(projects_table.c.id == first).values(name="new"))
        if len(tries) <= 2:
            both_hold_one.wait()
        tx.conn.execute(update(projects_table).where(projects_table.c.id == second).values(name="new"))

    await asyncio.gather(
        ours.write(partial(rename, first="a", second="b")), theirs.write(partial(rename, first="b", second="a"))
    )
    assert len(tries) == 3
    assert {found.name for found in await ours.read(projects.all)} == {"new"}
    await ours.close()
    await theirs.close()
    postgres.drop(url)


async def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(Exception, match=r"read.?only"):
        await store.read(lambda c: c.execute(insert(event_head_table).values(id=2, seq=0, hash="")))


async def test_a_closed_store_says_so(store: Store) -> None:
    """PLT-4"""
    await store.close()
    with pytest.raises(Unavailable):
        await store.write(lambda tx: _added(tx, "late"))


async def test_text_no_database_takes_is_shown_and_not_lost(store: Store) -> None:
    """PLT-8"""
    odd = "nul \x00 and half a pair \ud800."
    heard: list[Event] = []
    store.on_commit(heard.extend)

    def job(tx: Tx) -> None:
        projects.add(tx, project("a", name=odd))
        tx.emit(ProjectAdded(project_id="a", path=odd, name="漢字"))

    await store.write(job)
    found = await store.read(lambda c: projects.get(c, "a"))
    assert found
    assert found.name == "nul ␀ and half a pair ?."
    stored = await store.read(lambda c: events.after(c, 0, 10))
    assert stored == heard
    assert stored[0].data.name == "漢字"
    assert (await store.read(events.verify)).ok
