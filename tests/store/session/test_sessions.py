from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import insert

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.session.session import (
    SLUG_LIMIT,
    SessionAction,
    SessionKind,
    SessionStatus,
    free_slug,
    wanted_slug,
)
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import Awaiting, TaskStatus, Verdict
from pilothouse.errors import IllegalTransition, InvalidInput, NotFound
from pilothouse.store.database import Store, Tx
from pilothouse.store.rows import values
from pilothouse.store.session import overview, projects, sessions, workspaces
from pilothouse.store.session.sessions import Group, SessionPage, SessionQuery
from pilothouse.store.tables.session import sessions as sessions_table
from pilothouse.store.task import tasks
from tests.store.samples import awaiting, claim, furnish, move, project, session, submit, workspace


async def _list(store: Store, **query: object) -> SessionPage:
    return await store.read(partial(sessions.overview, query=SessionQuery(**query)))  # type: ignore[arg-type]


def _ids(page: SessionPage) -> list[str]:
    return [row.session.id for row in page.items]


@pytest.fixture
async def busy(store: Store, clock: ManualClock) -> Store:
    """Five sessions in workspaces of their own, one in each state that the list tells apart."""

    def make(tx: Tx) -> None:
        projects.add(tx, project("p", path="/home/ada/Ärger"))
        projects.add(tx, project("q", path="/srv/other"))
        for id, owner in (("waits", "p"), ("runs", "p"), ("queued", "p"), ("done", "q"), ("empty", "q")):
            workspaces.add(tx, workspace(f"w-{id}", owner, path=f"/home/ada/{owner}/{id}"))
            titled = {"title": f"The {id} 100% ONE", "slug": id}
            times = {"created_at": tx.now, "updated_at": tx.now}
            sessions.add(tx, session(id, project_id=owner, workspace_id=f"w-{id}", **titled, **times))

    await store.write(make)
    for id, owner in (("done", "q"), ("waits", "p"), ("runs", "p"), ("queued", "p")):
        await clock.advance(10)
        await submit(store, f"t-{id}", session_id=id, workspace_id=f"w-{id}", project_id=owner)
        running = await claim(store, f"w-{id}") if id != "queued" else None
        if running and id == "done":
            await move(store, running, Action.FINISH, verdict=Verdict.PASS, summary="All good", cost_usd=0.5)
        if running and id == "waits":
            await move(store, running, Action.AWAIT, awaiting=Awaiting.QUESTION, question="Which one?")
        if running and id == "runs":
            await store.write(lambda tx: tasks.update(tx, "t-runs", milestone="Making changes", cost_usd=0.25))
    return store


async def test_a_session_comes_back_and_keeps_its_slug(store: Store) -> None:
    """WEB-9"""
    await store.write(furnish)
    assert await store.read(lambda c: sessions.get(c, "s")) == session()
    assert await store.read(lambda c: sessions.by_slug(c, "p", "s")) == session()
    assert await store.read(lambda c: sessions.taken_slugs(c, "p", "s")) == {"s"}
    assert await store.read(lambda c: sessions.taken_slugs(c, "p", "other")) == set()
    assert await store.read(lambda c: sessions.count(c, "p", SessionKind.CHAT)) == 1
    assert await store.read(lambda c: sessions.count(c, "p", SessionKind.SPEC)) == 0
    gone = await store.write(lambda tx: sessions.update(tx, "s", deleted=True))
    assert (gone.deleted, gone.status) == (True, SessionStatus.ACTIVE)
    assert await store.read(lambda c: sessions.taken_slugs(c, "p", "s")) == {"s"}
    with pytest.raises(TypeError):
        await store.write(lambda tx: sessions.update(tx, "s", slug="other"))
    with pytest.raises(NotFound):
        await store.write(lambda tx: sessions.update(tx, "none", title="x"))
    with pytest.raises(NotFound):
        await store.write(lambda tx: sessions.update(tx, "none", archived=True))


async def test_only_moves_change_the_status_of_a_session(store: Store, clock: ManualClock) -> None:
    """TSK-4"""
    await store.write(furnish)
    with pytest.raises(TypeError):
        await store.write(lambda tx: sessions.update(tx, "s", status=SessionStatus.COMPLETED))
    await clock.advance(1)
    closed = await store.write(lambda tx: sessions.move(tx, "s", SessionAction.CLOSE))
    assert closed == session(status=SessionStatus.COMPLETED, updated_at=clock.now())
    assert await store.read(lambda c: sessions.get(c, "s")) == closed
    with pytest.raises(IllegalTransition):
        await store.write(lambda tx: sessions.move(tx, "s", SessionAction.CLOSE))
    with pytest.raises(NotFound):
        await store.write(lambda tx: sessions.move(tx, "none", SessionAction.CLOSE))


@pytest.mark.parametrize("title", ["Fix it", "x" * 70, "a" * 57 + " 12 bc", "b" * 49 + "-", "3", "漢字"])
async def test_a_thousandth_session_of_the_same_title_is_named_as_if_each_name_was_asked_for(
    store: Store, title: str
) -> None:
    """WEB-9"""
    await store.write(furnish)
    wanted = wanted_slug(title, SessionKind.CHAT, lambda: 2)
    same = {wanted} | {wanted[: SLUG_LIMIT - 1 - len(str(n))] + f"-{n}" for n in range(2, 1001) if n != 998}
    other = {f"{wanted[:50]}x", f"{wanted[:40]}-0a", f"9{wanted[:50]}-2"} - same
    rows = [replace(session(f"s{n}"), slug=slug) for n, slug in enumerate(sorted(same | other))]

    def write(tx: Tx) -> None:
        tx.conn.execute(insert(sessions_table), [{**values(row), "search": "", "rank": 0} for row in rows])

    await store.write(write)
    taken = await store.read(lambda c: sessions.taken_slugs(c, "p", wanted))
    assert taken >= same
    assert free_slug(wanted, taken) == wanted[: SLUG_LIMIT - 4] + "-998"


async def test_the_list_is_grouped_by_what_each_session_needs(busy: Store) -> None:
    """TSK-3"""
    page = await _list(busy)
    assert [(row.session.id, row.group) for row in page.items] == [
        ("waits", Group.NEEDS_YOU),
        ("runs", Group.RUNNING),
        ("queued", Group.QUEUED),
        ("done", Group.RECENT),
        ("empty", Group.RECENT),
    ]
    assert page.counts == {Group.NEEDS_YOU: 1, Group.RUNNING: 1, Group.QUEUED: 1, Group.RECENT: 2}
    rows = {row.session.id: row for row in page.items}
    assert rows["waits"].doing == "Which one?"
    assert rows["waits"].awaiting is Awaiting.QUESTION
    assert (rows["runs"].doing, rows["runs"].cost_usd) == ("Making changes", 0.25)
    assert (rows["done"].doing, rows["done"].verdict, rows["done"].cost_usd) == ("All good", Verdict.PASS, 0.5)
    assert (rows["done"].current_task_id, rows["done"].task_status) == ("t-done", TaskStatus.COMPLETE)
    assert (rows["empty"].tasks, rows["empty"].current_task_id) == (0, None)
    assert (rows["done"].project_path, rows["done"].project_name) == ("/srv/other", "q")


async def test_what_the_list_shows_follows_every_change_of_a_task(store: Store) -> None:
    """TSK-3"""
    await store.write(furnish)

    async def shown() -> tuple[Group, int, str | None]:
        row = await store.read(lambda c: overview.row(c, "s"))
        assert row
        return row.group, row.tasks, row.current_task_id

    waiting = await awaiting(store, "a")
    assert await shown() == (Group.NEEDS_YOU, 1, "a")
    await submit(store, "b")
    assert await shown() == (Group.NEEDS_YOU, 2, "a")
    await move(store, waiting, Action.CANCEL)
    assert await shown() == (Group.QUEUED, 2, "b")
    await store.write(lambda tx: tasks.remove(tx, "b"))
    assert await shown() == (Group.RECENT, 1, "a")
    await submit(store, "c", "d")
    await claim(store)
    assert await shown() == (Group.RUNNING, 3, "c")


async def test_what_needs_a_person_is_shown_before_what_was_sent_earlier(store: Store) -> None:
    """TSK-3"""
    await store.write(furnish)
    first = await awaiting(store, "a")
    await awaiting(store, "b")
    await move(store, first, Action.REPLY, pending_reply="Go on")
    row = await store.read(lambda c: overview.row(c, "s"))
    assert row
    assert (row.group, row.current_task_id) == (Group.NEEDS_YOU, "b")


async def test_the_list_is_searched_by_title_and_path_in_any_case(busy: Store) -> None:
    assert _ids(await _list(busy, text="RUNS")) == ["runs"]
    assert _ids(await _list(busy, text="ärGER waits")) == ["waits"]
    assert _ids(await _list(busy, text="SRV/oth")) == ["done", "empty"]
    assert _ids(await _list(busy, text="100% one")) == ["waits", "runs", "queued", "done", "empty"]
    assert _ids(await _list(busy, text="1_0%")) == []
    found = await _list(busy, text="srv")
    assert found.counts[Group.NEEDS_YOU] == 0
    await busy.write(lambda tx: sessions.update(tx, "done", title="Straße"))
    assert _ids(await _list(busy, text="STRASSE")) == ["done"]
    assert _ids(await _list(busy, text="other")) == ["done", "empty"]


async def test_the_list_is_filtered(busy: Store) -> None:
    await busy.write(lambda tx: sessions.update(tx, "done", archived=True))
    await busy.write(lambda tx: sessions.move(tx, "done", SessionAction.CLOSE))
    await busy.write(lambda tx: sessions.update(tx, "empty", deleted=True))
    assert _ids(await _list(busy)) == ["waits", "runs", "queued"]
    assert _ids(await _list(busy, archived=True)) == ["done"]
    assert _ids(await _list(busy, archived=None)) == ["waits", "runs", "queued", "done"]
    assert _ids(await _list(busy, archived=None, project_id="q")) == ["done"]
    assert _ids(await _list(busy, archived=None, status=SessionStatus.COMPLETED)) == ["done"]
    assert _ids(await _list(busy, kind=SessionKind.SPEC)) == []
    grouped = await _list(busy, group=Group.RUNNING)
    assert _ids(grouped) == ["runs"]
    assert grouped.counts[Group.QUEUED] == 1


@pytest.mark.parametrize("sort", ["activity", "created"])
async def test_pages_join_to_the_whole_list(store: Store, clock: ManualClock, sort: str) -> None:
    await store.write(furnish)
    for n in range(25):
        if n % 3:
            await clock.advance(1)
        times = {"created_at": clock.now(), "updated_at": clock.now()}
        await store.write(partial(sessions.add, session=session(f"s{n:02}", **times)))
    await submit(store, "t", session_id="s07")
    whole = await _list(store, sort=sort, limit=100)
    paged: list[str] = []
    cursor: str | None = None
    while True:
        page = await _list(store, sort=sort, limit=4, cursor=cursor)
        paged += _ids(page)
        assert page.counts == whole.counts
        cursor = page.next_cursor
        if cursor is None:
            break
    assert paged == _ids(whole)
    assert len(set(paged)) == 26
    assert paged[0] == "s07"


@pytest.mark.parametrize("cursor", ["x", "!!!!", "MSAy", "w6TDtg", "MSBub3QtYS1kYXRlIGlk"])
async def test_a_cursor_of_someone_elses_is_refused(store: Store, cursor: str) -> None:
    """PLT-8"""
    with pytest.raises(InvalidInput):
        await _list(store, cursor=cursor)
