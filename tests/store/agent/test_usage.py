"""Rows of spawns, and sums over them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, insert, text

from pilothouse.domain.agent.instructions import InstructionsFile
from pilothouse.domain.agent.usage import Spawn, Totals, slot_of
from pilothouse.domain.task.task import Step, StepKind
from pilothouse.store.agent import usage
from pilothouse.store.agent.usage import By, Summary, UsageQuery
from pilothouse.store.database import Store, Tx
from pilothouse.store.rows import values
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.store.tables.agent import spawns as spawns_table
from pilothouse.store.tables.task import steps as steps_table
from pilothouse.store.task import steps, tasks
from tests.store.samples import NOW, furnish, project, session, task, workspace

FILE = InstructionsFile("AGENTS.md", "project", 120, "ab" * 32, 100, "Cut.")


def spawn(step_id: str, **fields: Any) -> Spawn:
    given = {"task_id": "t", "session_id": "s", "project_id": "p", "agent": "claude", "role": "edit"}
    return Spawn(**{"step_id": step_id, "started_at": NOW, **given, **fields})


def begin(tx: Tx, used: Spawn, number: int) -> None:
    steps.start(tx, Step(used.step_id, used.task_id, 1, number, StepKind.EDIT, "", NOW))
    usage.start(tx, used)


async def summed(store: Store, by: By, **filters: Any) -> Summary:
    return await store.read(lambda c: usage.summary(c, UsageQuery(by, **filters)))


async def filled(store: Store) -> None:
    """Two projects, two agents, three days."""

    def write(tx: Tx) -> None:
        furnish(tx)
        projects.add(tx, project("q"))
        workspaces.add(tx, workspace("v", "q"))
        sessions.add(tx, session("z", project_id="q", workspace_id="v", title="The other"))
        tasks.add(tx, task("t", prompt="Fix add\nand more"))
        tasks.add(tx, task("u", session_id="z", project_id="q", workspace_id="v"))
        other = {"task_id": "u", "session_id": "z", "project_id": "q", "agent": "codex", "model": "gpt"}
        day = timedelta(days=1)
        used = {"cost_usd": 1.0, "input_tokens": 10, "output_tokens": 5, "cache_read_tokens": 30, "model": "opus"}
        begin(tx, spawn("1", **used), 1)
        begin(tx, spawn("2", **used, started_at=NOW + day), 2)
        begin(tx, spawn("3", **other, cost_usd=5.0, output_tokens=7, started_at=NOW + 2 * day), 1)

    await store.write(write)


async def test_a_spawn_is_read_back_as_it_was_written(store: Store) -> None:
    """GRD-8"""
    await filled(store)
    used = spawn("9", requested_model="opus", models=("opus", "haiku"), instructions=(FILE,), context_window=2**40)

    def write(tx: Tx) -> None:
        begin(tx, used, 9)
        usage.note(tx, spawn("1", cost_usd=2.5, agent_session="a", agent="not changed"))
        usage.close(tx, "1", NOW, "done")
        usage.close(tx, "1", NOW + timedelta(days=1), "a second time")

    await store.write(write)
    assert await store.read(lambda c: usage.get(c, "9")) == used
    closed = await store.read(lambda c: usage.get(c, "1"))
    assert closed
    assert (closed.cost_usd, closed.agent, closed.agent_session) == (2.5, "claude", "a")
    assert (closed.ended_at, closed.outcome) == (NOW, "done")
    assert await store.read(lambda c: usage.get(c, "none")) is None


async def test_sums_by_what_is_asked_for_with_the_dearest_first(store: Store) -> None:
    """GRD-8"""
    await filled(store)
    whole = Totals(3, 7.0, 20, 17, 60, 0)
    expected: dict[By, list[tuple[str, str, float]]] = {
        "project": [("q", "q", 5.0), ("p", "p", 2.0)],
        "session": [("z", "The other", 5.0), ("s", "Session s", 2.0)],
        "task": [("u", "Fix add", 5.0), ("t", "Fix add", 2.0)],
        "agent": [("codex", "codex", 5.0), ("claude", "claude", 2.0)],
        "model": [("gpt", "gpt", 5.0), ("opus", "opus", 2.0)],
        "day": [
            ("2026-01-01", "2026-01-01", 1.0),
            ("2026-01-02", "2026-01-02", 1.0),
            ("2026-01-03", "2026-01-03", 5.0),
        ],
    }
    for by, lines in expected.items():
        found = await summed(store, by)
        assert found.totals == whole
        assert [(line.key, line.label.text, line.totals.cost_usd) for line in found.lines] == lines
    one = await summed(store, "session", limit=1)
    assert ([line.key for line in one.lines], one.more, one.totals) == (["z"], True, whole)
    assert (one.lines[0].label.project_id, one.lines[0].label.session_slug) == ("q", "z")


async def test_sums_of_a_time_and_of_a_project(store: Store) -> None:
    """GRD-8"""
    await filled(store)
    late = await summed(store, "project", since=NOW + timedelta(days=1))
    assert [(line.key, line.totals.cost_usd) for line in late.lines] == [("q", 5.0), ("p", 1.0)]
    early = await summed(store, "day", until=datetime(2026, 1, 2, tzinfo=UTC))
    assert [line.key for line in early.lines] == ["2026-01-01"]
    mine = await summed(store, "agent", project_id="p")
    assert (mine.totals.spawns, [line.key for line in mine.lines]) == (2, ["claude"])
    nothing = await summed(store, "model", since=NOW + timedelta(days=9))
    assert (nothing.totals, nothing.lines) == (Totals(), [])


async def test_days_are_those_of_the_person(store: Store) -> None:
    """GRD-8"""

    def write(tx: Tx) -> None:
        furnish(tx)
        tasks.add(tx, task("t"))
        begin(tx, spawn("1", started_at=datetime(2026, 1, 1, 18, 20, tzinfo=UTC)), 1)
        begin(tx, spawn("2", started_at=datetime(2026, 1, 1, 18, 40, tzinfo=UTC)), 2)

    await store.write(write)
    there = await summed(store, "day", zone=ZoneInfo("Asia/Kolkata"))
    assert [line.key for line in there.lines] == ["2026-01-01", "2026-01-02"]
    assert len((await summed(store, "day")).lines) == 1


async def test_the_day_on_which_clocks_are_changed_is_counted_whole(store: Store) -> None:
    """GRD-8"""
    vienna = ZoneInfo("Europe/Vienna")
    # 25 hours long: 22:00 UTC of the day before to 23:00 UTC.
    moments = [datetime(2026, 10, 24, 21, 50, tzinfo=UTC), datetime(2026, 10, 24, 22, 5, tzinfo=UTC)]
    moments += [datetime(2026, 10, 25, 22, 50, tzinfo=UTC), datetime(2026, 10, 25, 23, 5, tzinfo=UTC)]

    def write(tx: Tx) -> None:
        furnish(tx)
        tasks.add(tx, task("t"))
        for number, moment in enumerate(moments, 1):
            begin(tx, spawn(str(number), started_at=moment), number)

    await store.write(write)
    found = await summed(store, "day", zone=vienna)
    assert [(line.key, line.totals.spawns) for line in found.lines] == [
        ("2026-10-24", 1),
        ("2026-10-25", 2),
        ("2026-10-26", 1),
    ]


async def test_totals_of_a_task_and_a_session_count_what_has_ended(store: Store) -> None:
    """GRD-8"""
    await filled(store)
    await store.write(lambda tx: usage.close(tx, "1", NOW, "done"))
    assert await store.read(lambda c: usage.of_session(c, "s")) == Totals(1, 1.0, 10, 5, 30, 0)
    assert await store.read(lambda c: usage.total(usage.of_task(c, "t"))) == Totals(1, 1.0, 10, 5, 30, 0)
    assert await store.read(lambda c: usage.of_session(c, "none")) == Totals()


async def test_the_newest_spawn_of_a_conversation_is_found(store: Store) -> None:
    """FTR-19"""
    await filled(store)

    def write(tx: Tx) -> None:
        begin(tx, spawn("4", agent_session="a", context_tokens=10, context_window=100), 4)
        later = NOW + timedelta(hours=1)
        begin(tx, spawn("5", agent_session="a", context_tokens=96, context_window=100, started_at=later), 5)

    await store.write(write)
    newest = await store.read(lambda c: usage.newest_of_conversation(c, "s", "a"))
    assert newest
    assert (newest.step_id, newest.fill) == ("5", 96)
    assert await store.read(lambda c: usage.newest_of_conversation(c, "z", "a")) is None


def _many(count: int) -> Iterator[dict[str, Any]]:
    for n in range(count):
        used = spawn(str(n), started_at=NOW + timedelta(minutes=n), cost_usd=0.5, model="opus")
        yield {**values(used), "slot": slot_of(used.started_at)}


async def test_a_window_of_time_is_read_from_an_index_and_not_from_every_row(store: Store) -> None:
    """GRD-8 WEB-12"""
    await filled(store)

    def write(tx: Tx) -> None:
        rows = list(_many(20_000))
        tx.conn.execute(insert(steps_table), [_step(row["step_id"], n) for n, row in enumerate(rows, 100)])
        tx.conn.execute(insert(spawns_table), [{**row, "step_id": f"n{row['step_id']}"} for row in rows])

    def _step(step_id: str, number: int) -> dict[str, Any]:
        return values(Step(f"n{step_id}", "t", 1, number, StepKind.EDIT, "", NOW))

    await store.write(write)
    slot = slot_of(NOW + timedelta(days=13))

    def plan(c: Connection) -> str:
        analyse = "EXPLAIN" if c.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
        query = f"{analyse} SELECT slot, count(*), sum(cost_usd) FROM spawns WHERE slot >= {slot} GROUP BY slot"  # noqa: S608
        return "\n".join(str(tuple(row)) for row in c.execute(text(query)))

    await store.write(lambda tx: tx.conn.execute(text("ANALYZE spawns")))
    assert "ix_spawns_sums" in await store.read(plan)
    since = NOW + timedelta(days=13)
    found = await summed(store, "day", since=since)
    assert found.totals.spawns == 20_000 - 13 * 24 * 60
