"""What a spawn uses, from its start to its end, and over a crash."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from pilothouse.domain.agent.usage import Spawn
from pilothouse.domain.ports import AgentSession, Context, Ended, Usage
from pilothouse.domain.task.task import Awaiting, RunnerMark, Step, StepKind, Task, TaskStatus
from pilothouse.engine.broadcast import Interest
from pilothouse.engine.guard.meter import STORE_WITHIN, Meter
from pilothouse.store import notices
from pilothouse.store.agent import usage
from pilothouse.store.database import Tx
from pilothouse.store.guard import holds
from pilothouse.store.tables.task import tasks as tasks_table
from pilothouse.store.task import steps
from tests.engine.clocks import WatchedClock
from tests.engine.performing import Performer
from tests.workbench import WAIT, Workbench, make_repository

SCENARIOS = """
scenarios:
  costs:
    - usage: {cost_usd: 0.25, input_tokens: 100, output_tokens: 20, cache_read_tokens: 900, model: claude-sonnet-4-5}
    - context: {tokens: 50000, window: 200000}
    - usage: {cost_usd: 0.5, output_tokens: 30, cache_write_tokens: 40, model: claude-sonnet-4-5}
    - say: Nothing to do.
  waits:
    - usage: {cost_usd: 0.25, output_tokens: 20}
    - say: Waiting.
    - stall: true
"""


async def opened(tmp_path: Path) -> Workbench:
    repo = tmp_path / "repo"
    return await Workbench.open(tmp_path / "data", repo if repo.exists() else make_repository(repo, SCENARIOS))


async def until_written(bench: Workbench, task: Task, cost_usd: float) -> None:
    async with asyncio.timeout(WAIT):
        while [spawn.cost_usd for spawn in await spawns_of(bench, task)] != [cost_usd]:
            pass


def as_of_now(bench: Workbench, folder: Path) -> None:
    """A data folder as a kill at this moment would leave it."""
    (database,) = bench.data_dir.glob("*.db")
    shutil.copytree(bench.data_dir, folder, ignore=shutil.ignore_patterns("*.db*"))
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(folder / database.name)) as copy:
        source.backup(copy)


async def spawns_of(bench: Workbench, task: Task) -> list[Spawn]:
    return await bench.store.read(lambda c: usage.of_task(c, task.id))


async def test_a_spawn_is_recorded_with_cost_tokens_model_and_outcome(tmp_path: Path) -> None:
    """GRD-8"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("[[costs]]")
        done = await bench.rest(task)
        (spawn,) = await spawns_of(bench, task)
        assert (spawn.agent, spawn.role, spawn.outcome) == ("rehearsal", "edit", "done")
        assert (spawn.cost_usd, spawn.input_tokens, spawn.output_tokens) == (0.75, 100, 50)
        assert (spawn.cache_read_tokens, spawn.cache_write_tokens) == (900, 40)
        assert (spawn.context_tokens, spawn.context_window) == (50_000, 200_000)
        assert (spawn.model, spawn.requested_model, spawn.model_differs) == ("claude-sonnet-4-5", None, False)
        assert spawn.ended_at is not None
        assert done.cost_usd == 0.75
        assert (await bench.store.read(lambda c: usage.of_session(c, session.id))).cost_usd == 0.75
        told = await bench.until_event("usage.recorded", task.id)
        assert (told.data.cost_usd, told.data.step_id) == (0.75, spawn.step_id)


async def test_what_a_spawn_uses_is_told_while_it_runs(tmp_path: Path) -> None:
    """GRD-8"""
    async with await opened(tmp_path) as bench:
        listener = bench.broadcast.subscribe(Interest())
        _, task = await bench.begin("[[waits]]")
        found: list[dict[str, object]] = []
        while not found:
            batch = await listener.next()
            told = [item for frame in batch.frames for item in orjson.loads(frame.text)]
            found = [item for item in told if item["type"] == "usage"]
        assert (found[0]["task_id"], found[0]["cost_usd"], found[0]["output_tokens"]) == (task.id, 0.25, 20)
        assert (await bench.task(task.id)).cost_usd == 0
        await bench.controls.cancel(task.id, hold=False)
        assert (await bench.rest(task, TaskStatus.CANCELLED)).cost_usd == 0.25
        (spawn,) = await spawns_of(bench, task)
        assert spawn.outcome == "cancelled"


async def test_what_is_told_is_written_with_the_next_write_or_soon_and_not_each_time(tmp_path: Path) -> None:
    """GRD-8"""
    clock = WatchedClock(datetime(2026, 3, 4, 14, 30, tzinfo=UTC))
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo, clock) as bench:
        performer = Performer([Ended("done", "Done.")])
        task = await bench.rest(await performer.begin(bench))
        (spawn,) = await spawns_of(bench, task)
        meter = Meter(bench.runtime, task, spawn)
        async with meter.writing():
            await meter.note(Usage(cost_usd=1.0))
            assert [s.cost_usd for s in await spawns_of(bench, task)] == [0.0]
            await meter.write(lambda _: None)
            assert [s.cost_usd for s in await spawns_of(bench, task)] == [1.0]
            await meter.note(Usage(cost_usd=0.5))
            await clock.pass_by(STORE_WITHIN)
            await until_written(bench, task, cost_usd=1.5)


async def test_what_a_killed_spawn_told_counts_against_the_budget_after_a_restart(tmp_path: Path) -> None:
    """GRD-8 WEB-1"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        session, task = await bench.begin("[[waits]]")
        await until_written(bench, task, cost_usd=0.25)
        as_of_now(bench, tmp_path / "killed")
    killed = await Workbench.open(tmp_path / "killed", repo, session_budget_tokens=15)
    async with killed as bench:
        found = await bench.task(task.id)
        assert (found.awaiting, found.cost_usd) == (Awaiting.INTERRUPTED, 0.25)
        spent = await bench.store.read(lambda c: holds.spent_by_session(c, session.id))
        assert (spent.usd, spent.tokens) == (0.25, 20)
        await bench.controls.cancel(task.id, hold=False)
        held = await bench.rest(await bench.send(session, "[[costs]]"))
        assert (held.awaiting, held.error_message) == (
            Awaiting.BUDGET,
            "The budget of 15 tokens is used up for the whole session.",
        )


async def test_a_crash_leaves_an_open_spawn_that_the_next_start_closes_and_pays_for(tmp_path: Path) -> None:
    """GRD-8 WEB-1"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("[[costs]]")
        done = await bench.rest(task)
        spawn = (await spawns_of(bench, task))[0]
        again = await bench.send(session, "more")
        await bench.rest(again)

        def as_if_killed(tx: Tx) -> None:
            lost = Step("lost", done.id, 1, 99, StepKind.EDIT, "", tx.now)
            steps.start(tx, lost)
            usage.start(tx, replace(spawn, step_id="lost", ended_at=None, outcome=None, cost_usd=2.0))
            table = tasks_table
            tx.conn.execute(
                table.update()
                .where(table.c.id == done.id)
                .values(status="RUNNING", runner=RunnerMark("an-earlier-boot", 1, 1.0))
            )

        await bench.store.write(as_if_killed)
    async with await opened(tmp_path) as bench:
        found = {s.step_id: s for s in await spawns_of(bench, done)}
        assert (found["lost"].outcome, found["lost"].ended_at is not None) == ("interrupted", True)
        assert (await bench.task(done.id)).cost_usd == pytest.approx(2.75)
        assert (await bench.store.read(lambda c: usage.of_session(c, session.id))).cost_usd == pytest.approx(2.75)
        closed = await bench.store.read(lambda c: steps.of_task(c, done.id, 1))
        assert closed[-1].cost_usd == 2.0


async def test_another_model_than_the_one_asked_for_is_a_lasting_warning(tmp_path: Path) -> None:
    """GRD-8"""
    async with await opened(tmp_path) as bench:
        small, large = (
            Usage(output_tokens=5, model="claude-haiku-4-5"),
            Usage(output_tokens=90, model="claude-sonnet-4-5"),
        )
        performer = Performer([small, large, Ended("done", "Done.")], [small, large, Ended("done", "Done.")])
        task = await bench.rest(await performer.begin(bench, model="opus"))
        told = await bench.until_event("usage.model_differs", task.id)
        assert (told.data.requested_model, told.data.model) == ("opus", "claude-sonnet-4-5")
        (notice,) = await bench.store.read(notices.open)
        assert (notice.code, "opus" in notice.message, "claude-sonnet-4-5" in notice.message) == (
            "model_differs",
            True,
            True,
        )
        assert await bench.store.read(lambda c: usage.differing_models(c, task.session_id)) == [
            "Asked for the model opus, but claude-sonnet-4-5 answered."
        ]
        right = await bench.rest(await performer.begin(bench, model="sonnet"))
        assert not any(s.model_differs for s in await spawns_of(bench, right))
        assert (await spawns_of(bench, right))[0].models == ("claude-haiku-4-5", "claude-sonnet-4-5")


async def test_each_mark_of_the_memory_is_told_once_in_a_conversation(tmp_path: Path) -> None:
    """FTR-19"""
    async with await opened(tmp_path) as bench:
        performer = Performer(
            [AgentSession("a"), Context(10, 100), Context(82, 100), Context(84, 100), Ended("asked", "Left or right?")],
            [AgentSession("a"), Context(85, 100), Context(97, 100), Context(98, 100), Ended("done", "Left.")],
        )
        task = await bench.rest(await performer.begin(bench))
        await bench.controls.reply(task.id, "left")
        await bench.rest(task, TaskStatus.COMPLETE)
        told = [e.data for e in bench.heard if e.type == "context.filled"]
        assert [(data.level, data.tokens) for data in told] == [(80, 82), (95, 97)]
        assert performer.requests[1].resume == "a"


async def test_the_agent_gets_the_instructions_and_the_step_says_which(tmp_path: Path) -> None:
    """FTR-18"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "AGENTS.md").write_text("Use tabs.\n")
        (bench.repo / "CLAUDE.md").symlink_to("AGENTS.md")
        performer = Performer([Ended("done", "Done.")])
        task = await bench.rest(await performer.begin(bench))
        assert "Use tabs." in performer.requests[0].instructions
        (spawn,) = await spawns_of(bench, task)
        assert [(f.path, f.level, f.size) for f in spawn.instructions] == [("AGENTS.md", "project", 10)]
