"""What the store promises: lists and search over 10,000 sessions and 1,000,000 events, restart with 10,000 queued.

    python -m bench.store [--postgres] [--events 1000000] [--sessions 10000]

Each figure is a ratio to something measured in the same run, and milliseconds; the last line is all of them as JSON.
Ends with a failure when a promise was not kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from pilothouse.domain.chain import GENESIS, canonical, link
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.event.attempt import StepFinished
from pilothouse.domain.event.task import TaskMilestone
from pilothouse.domain.session.session import Project, Session, SessionKind, Workspace
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import RunnerMark, Task, TaskStatus
from pilothouse.store import connections, events, schema
from pilothouse.store.backups import Backups, damage
from pilothouse.store.database import Store, Tx
from pilothouse.store.rows import values
from pilothouse.store.session import overview, projects, workspaces
from pilothouse.store.session.sessions import SessionQuery
from pilothouse.store.tables.event import event_head as event_head_table
from pilothouse.store.tables.event import events as events_table
from pilothouse.store.tables.session import sessions as sessions_table
from pilothouse.store.tables.session import workspaces as workspaces_table
from pilothouse.store.tables.task import tasks as tasks_table
from pilothouse.store.task import output, tasks

START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = (
    *("add", "fix", "remove", "user", "login", "cache", "parser", "queue"),
    *("report", "export", "search", "index", "theme", "mobile", "crash", "retry"),
)
MARK = RunnerMark("bench", 1)
HOST = "bench"
PROJECTS = 50
LIST_MS, RESTART_SECONDS = 50, 2
FIGURES: dict[str, float] = {}
PROMISES: dict[str, float] = {}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sessions", type=int, default=10_000)
    options.add_argument("--events", type=int, default=1_000_000)
    options.add_argument("--postgres", action="store_true")
    chosen = options.parse_args()
    with _database(chosen.postgres) as url:
        asyncio.run(_measure(url, chosen.sessions, chosen.events))
    print(json.dumps(FIGURES))
    over = [name for name, limit in PROMISES.items() if FIGURES[name] > limit]
    if over:
        raise SystemExit(f"over the promise: {', '.join(over)}")


async def _measure(url: str, session_count: int, event_count: int) -> None:
    with _told("build"):
        _build(url, session_count, event_count)
    started = time.perf_counter()
    store = await Store.open(url, SystemClock())
    FIGURES["open_ms"] = (time.perf_counter() - started) * 1000
    print(f"open a database with nothing to migrate: {FIGURES['open_ms']:.1f} ms")
    await _lists(store, session_count)
    await _writes(store)
    await _pages_of_output(store)
    with _told("verify the whole chain"):
        report = await store.read(events.verify)
    assert report.ok, report
    await store.close()
    _care(url)
    await _restart(url)


async def _lists(store: Store, count: int) -> None:
    base = await _timed("an indexed query", lambda: store.read(_indexed_query), runs=200)
    queries = {
        "list, first page": SessionQuery(),
        "list, sorted by creation": SessionQuery(sort="created"),
        "search that finds much": SessionQuery(text="login cache"),
        "search that finds one": SessionQuery(text=f"number {count // 2} "),
        "search that finds nothing": SessionQuery(text="nowhere to be found"),
        "one project": SessionQuery(project_id="p7"),
        "archived too": SessionQuery(archived=None),
    }
    middle = await store.read(partial(overview.overview, query=SessionQuery(limit=200)))
    queries["list, a later page"] = SessionQuery(cursor=middle.next_cursor)
    for name, query in queries.items():
        read = partial(overview.overview, query=query)
        await _timed(name, lambda read=read: store.read(read), runs=100, base=base, limit_ms=LIST_MS)  # type: ignore[misc]
    await _timed("500 events of a session", lambda: store.read(lambda c: events.after(c, 0, 500, "s5")), 100, base)


async def _writes(store: Store) -> None:
    durations: list[float] = []

    def event(tx: Tx, n: int) -> None:
        tx.emit(TaskMilestone(attempt=1, code="bench", text=f"Step {n}"), session_id="s1", task_id="t1")

    async def writer() -> None:
        for n in range(250):
            began = time.perf_counter()
            await store.write(partial(event, n=n))
            durations.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*[writer() for _ in range(8)])
    rate = len(durations) / (time.perf_counter() - began)
    FIGURES["events_per_second"] = rate
    print(f"8 writers: {rate:.0f} events/s, {_spread(durations)}")


def _care(url: str) -> None:
    """What the size of the file costs at start, and each hour in the background."""
    file = connections.file_of(connections.parse(url))
    if file is None:
        return
    megabytes = file.stat().st_size / 1e6
    with _told(f"check {megabytes:.0f} MB"):
        assert not damage(file)
    with _told(f"back up {megabytes:.0f} MB and check the copy"):
        assert Backups(file, file.parent / "backups", 1, SystemClock()).make(1)


async def _pages_of_output(store: Store) -> None:
    block = "".join(f"{n:05} a line of a long log\n" for n in range(2000))
    chunks = [(n * len(block), block) for n in range(50)]
    await store.write(lambda tx: output.append(tx, "t1", 1, chunks))
    at = iter(range(0, 50 * len(block), 23_456))
    await _timed("64 KB of 100,000 lines", lambda: store.read(lambda c: output.page(c, "t1", 1, next(at), 65_536)), 50)


async def _restart(url: str) -> None:
    store = await Store.open(url, SystemClock())
    await store.write(_queue_many)
    await store.close()
    began = time.perf_counter()
    again = await Store.open(url, SystemClock())
    waiting = await again.read(lambda c: workspaces.with_queued(c, HOST))
    started = await asyncio.gather(*[again.write(partial(_claim, workspace_id=id)) for id in waiting])
    seconds = time.perf_counter() - began
    FIGURES["restart_seconds"], PROMISES["restart_seconds"] = seconds, RESTART_SECONDS
    print(f"restart with 10,000 queued in {len(waiting)} workspaces, each running its first: {seconds:.2f} s (≤ 2 s)")
    assert all(started)
    await again.close()


def _claim(tx: Tx, workspace_id: str) -> Task | None:
    upcoming = tasks.upcoming(tx, workspace_id)
    return tasks.move(tx, upcoming, Action.CLAIM, runner=MARK) if upcoming else None


def _queue_many(tx: Tx) -> None:
    for n in range(10_000):
        tasks.add(tx, _task(f"queued{n}", f"s{n % PROJECTS}", f"w{n % PROJECTS}", f"p{n % PROJECTS}", tx.now))


def _indexed_query(c: Connection) -> list[Any]:
    t = sessions_table.c
    query = select(t.id, t.title, t.updated_at).where(t.deleted.is_(False), t.archived.is_(False), t.rank == 0)
    return list(c.execute(query.order_by(t.updated_at.desc()).limit(50)))


async def _timed(
    name: str, run: Callable[[], Awaitable[Any]], runs: int, base: float | None = None, limit_ms: float | None = None
) -> float:
    durations = []
    for _ in range(runs):
        began = time.perf_counter()
        await run()
        durations.append(time.perf_counter() - began)
    median = statistics.median(durations)
    ratio = f", {median / base:.1f} × the indexed query" if base else ""
    promise = f" (≤ {limit_ms:.0f} ms p95)" if limit_ms else ""
    print(f"{name}: {_spread(durations)}{ratio}{promise}")
    key = name.replace(", ", "_").replace(" ", "_")
    FIGURES[f"{key}_p95_ms"] = sorted(durations)[int(runs * 0.95)] * 1000
    if base:
        FIGURES[f"{key}_ratio"] = median / base
    if limit_ms:
        PROMISES[f"{key}_p95_ms"] = limit_ms
    return median


def _spread(durations: list[float]) -> str:
    ordered = sorted(durations)
    points = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return " ".join(f"{name} {ordered[int(len(ordered) * at)] * 1000:.2f}" for name, at in points.items()) + " ms"


def _build(url: str, session_count: int, event_count: int) -> None:
    """Written in bulk: building it through the store would measure something else, and take an hour."""
    engine = connections.writer_engine(connections.parse(url))
    schema.migrate(engine)
    with engine.connect() as c, c.begin():
        for n in range(PROJECTS):
            projects.add(Tx(c, START), Project(f"p{n}", f"/home/ada/projects/{WORDS[n % 16]}-{n}", f"p{n}", START))
            workspaces.add(Tx(c, START), Workspace(f"w{n}", f"p{n}", f"/home/ada/projects/{n}", HOST))
        c.execute(insert(sessions_table), [_session_row(n) for n in range(session_count)])
        done = replace(_task("", "", "", "", START), status=TaskStatus.COMPLETE, attempt=1, output="Done. " * 50)
        c.execute(
            insert(tasks_table),
            [
                values(replace(done, id=f"t{n}", session_id=f"s{n}", workspace_id=f"w{n % PROJECTS}",
                               project_id=f"p{n % PROJECTS}", place=n))
                for n in range(session_count)
            ],
        )  # fmt: skip
        c.execute(update(workspaces_table).values(places=session_count))
        head = (0, GENESIS)
        for first in range(1, event_count + 1, 20_000):
            rows, head = _event_rows(first, min(20_000, event_count + 1 - first), session_count, head)
            c.execute(insert(events_table), rows)
        c.execute(update(event_head_table).values(seq=head[0], hash=head[1]))
        if engine.dialect.name == "postgresql":
            c.exec_driver_sql("ANALYZE")
    engine.dispose()


def _session_row(n: int) -> dict[str, Any]:
    title = f"{WORDS[n % 16]} {WORDS[n // 16 % 16]} {WORDS[n // 256 % 16]} number {n} in the app"
    at = START + timedelta(seconds=n * 7919 % 864_000)
    owner = n % PROJECTS
    session = Session(f"s{n}", f"p{owner}", f"w{owner}", f"slug-{n}", SessionKind.CHAT, title, "rehearsal", at, at)
    path = f"/home/ada/projects/{WORDS[owner % 16]}-{owner}"
    shown = {"rank": 3 if n % 100 == 0 else 1 if n % 37 == 0 else 0, "search": overview.searchable(f"{title}\n{path}")}
    return {**values(session), **shown, "current_task_id": f"t{n}", "doing": "Done: " + title, "tasks": 1}


def _task(id: str, session_id: str, workspace_id: str, project_id: str, at: datetime) -> Task:
    return Task(id, session_id, project_id, workspace_id, "Fix it, please. " * 10, "rehearsal", at, at, 0)


def _event_rows(
    first: int, count: int, session_count: int, head: tuple[int, str]
) -> tuple[list[dict[str, Any]], tuple[int, str]]:
    rows, (seq, previous) = [], head
    detail = {"kind": "edit", "outcome": "done", "detail": "changed calc.py", "duration_ms": 12}
    text = canonical(StepFinished(step_id="x", attempt=1, number=1, **detail).model_dump()).decode()
    for seq in range(first, first + count):
        n = seq * 7919 % session_count
        at = events.timestamp(START + timedelta(milliseconds=seq))
        digest = link(previous, seq, at, f"s{n}", f"t{n}", StepFinished.type, text)
        owner = {"session_id": f"s{n}", "task_id": f"t{n}", "type": StepFinished.type, "data": text}
        rows.append({"seq": seq, "at": at, **owner, "prev_hash": previous, "hash": digest})
        previous = digest
    return rows, (seq, previous)


@contextmanager
def _database(on_postgres: bool) -> Iterator[str]:
    if on_postgres:
        from tests.postgres import MISSING, cluster

        with cluster() as server:
            if server is None:
                raise SystemExit(MISSING)
            yield server.create()
        return
    folder = Path(tempfile.mkdtemp(prefix="store-bench-"))
    try:
        yield f"sqlite:///{folder / 'pilothouse.db'}"
    finally:
        shutil.rmtree(folder)


@contextmanager
def _told(what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
