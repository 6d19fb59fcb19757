"""The rehearsal program that is started before there is anything to play."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pilothouse.agents.keeping import Pool
from pilothouse.agents.rehearsal.ready import Ready
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import SpawnRequest
from tests.agents.playing import Theatre, Told


class Prepared(Theatre):
    def __init__(self, root: Path) -> None:
        self.pool: Pool[Ready] = Pool(SystemClock(), most=1, idle_seconds=600, memory_floor_mb=0)
        super().__init__(root, pool=self.pool)
        self.request = SpawnRequest("ahead", self.workspace, "", root / "logs" / "ahead.log")

    async def ready(self) -> Ready:
        await self.agent.prepare(self.request)
        (ready,) = self.pool.prepared
        return ready


@pytest.fixture
async def theatre(tmp_path: Path) -> AsyncIterator[Prepared]:
    theatre = Prepared(tmp_path)
    theatre.steps("say: Here I am.", "write: {path: made.txt, text: made}")
    yield theatre
    await theatre.agent.forget()


async def told(theatre: Prepared, **given: str) -> tuple[int, Told]:
    run = await theatre.start(**given)  # type: ignore[arg-type]
    return run.process.pid, Told([event async for event in run.events()])


async def test_a_run_is_served_by_the_program_that_waits_and_writes_its_own_log(theatre: Prepared) -> None:
    """BYD-14: until then the program has done nothing."""
    waiting = await theatre.ready()
    assert not (theatre.workspace / "made.txt").exists()
    pid, heard = await told(theatre)
    assert pid == waiting.spawned.process.pid
    assert heard.end.outcome == "done"
    assert (theatre.workspace / "made.txt").read_text() == "made"
    assert b"Here I am." in (theatre.root / "logs" / "1.log").read_bytes()
    assert [log.name for log in (theatre.root / "logs").iterdir()] == ["1.log"], "it had nothing to log before"
    assert theatre.pool.prepared == []


async def test_a_conversation_goes_on_in_the_program_that_waits(theatre: Prepared) -> None:
    """BYD-14: what came before is told with the request."""
    theatre.steps("ask: Which?", 'say: "You chose {reply}"')
    _, asked = await told(theatre)
    waiting = await theatre.ready()
    pid, answered = await told(theatre, resume=asked.session, reply="the first")
    assert pid == waiting.spawned.process.pid
    assert "You chose the first" in answered.text


async def test_one_that_was_started_for_something_else_is_left_alone(theatre: Prepared, tmp_path: Path) -> None:
    """BYD-14: another folder, or another environment, is another program."""
    waiting = await theatre.ready()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    log_path = tmp_path / "logs" / "other.log"
    run = await theatre.agent.start(SpawnRequest("other", elsewhere, "hello", log_path))
    other = await theatre.agent.start(
        replace(theatre.request, spawn_id="third", prompt="[[it]]", log_path=log_path, extra_env={"COLOUR": "red"})
    )
    assert len({waiting.spawned.process.pid, run.process.pid, other.process.pid}) == 3
    for each in (run, other):
        assert Told([event async for event in each.events()]).end.outcome == "done"
    assert waiting.alive()
    await theatre.agent.forget()
    assert not waiting.alive()


async def test_one_that_cannot_log_its_run_is_ended_with_it(theatre: Prepared, tmp_path: Path) -> None:
    """BYD-14: it is nobody's by then."""
    waiting = await theatre.ready()
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match="file"):
        await theatre.agent.start(replace(theatre.request, prompt="[[it]]", log_path=tmp_path / "file" / "run.log"))
    assert not waiting.alive()
    assert not (theatre.workspace / "made.txt").exists()


async def test_one_whose_directory_was_replaced_is_not_asked(theatre: Prepared) -> None:
    """BYD-14: it works in the old one, and may write there alone."""
    waiting = await theatre.ready()
    theatre.workspace.rename(theatre.root / "old")
    theatre.workspace.mkdir()
    theatre.steps("write: {path: made.txt, text: made}")
    pid, heard = await told(theatre)
    assert pid != waiting.spawned.process.pid
    assert heard.end.outcome == "done"
    assert (theatre.workspace / "made.txt").read_text() == "made"


async def test_a_request_that_cannot_be_told_leaves_the_one_that_waits(theatre: Prepared) -> None:
    """BYD-14: nobody would end it."""
    waiting = await theatre.ready()
    untold: Any = {"Which?": object()}
    try:
        with pytest.raises(TypeError):
            await theatre.agent.start(replace(theatre.request, prompt="[[it]]", answers=untold))
        assert theatre.pool.prepared == [waiting]
        assert waiting.alive()
    finally:
        await waiting.end()


async def test_one_that_died_meanwhile_is_not_asked(theatre: Prepared) -> None:
    """BYD-14"""
    waiting = await theatre.ready()
    await waiting.end()
    pid, heard = await told(theatre)
    assert pid != waiting.spawned.process.pid
    assert heard.end.outcome == "done"
