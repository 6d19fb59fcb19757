"""The circuit breaker around real runs: what opens it, what it asks, and what closes it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from pilothouse.domain.guard.breaker import BreakerState
from pilothouse.domain.guard.limits import SessionGuards
from pilothouse.domain.ports import AgentRun, Ended, SpawnRequest
from pilothouse.domain.task.task import Awaiting, ResumeMode, Task, TaskStatus
from pilothouse.store.guard import holds
from pilothouse.store.mirror import documents
from tests.engine.guard.test_decisions import opened, waits
from tests.engine.performing import Performer
from tests.workbench import Workbench

S = TaskStatus
SURE = "Everything in calc.py stays as it was, since nothing had to be changed there."
GONE = [Ended("crashed", message="Gone.")]


@pytest_asyncio.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Workbench]:
    made, _ = await opened(tmp_path)
    async with made:
        yield made


async def guards(bench: Workbench, task: Task) -> SessionGuards:
    return await bench.store.read(lambda c: holds.of_session(c, task.session_id))


async def test_the_same_error_five_times_opens_the_breaker_until_a_person_resets_it(bench: Workbench) -> None:
    """GRD-4"""
    session, task = await waits(bench, "[[breaks]]")
    for _ in range(4):
        assert task.status is S.ERROR
        task = await bench.rest(await bench.send(session, "[[breaks]]"))
    opened_at = await bench.until_event("guard.breaker", task.id)
    assert (opened_at.data.state, opened_at.data.trigger) == ("OPEN", "same_error")
    held = await bench.rest(await bench.send(session, "[[cheap]]"))
    assert (held.awaiting, held.error_message) == (
        Awaiting.BREAKER,
        "5 runs in a row ended with the same error.",
    )
    await bench.controls.decide(held.id, "reset")
    await bench.rest(held, S.COMPLETE)
    kept = await guards(bench, task)
    assert kept.breaker.state is BreakerState.CLOSED
    assert [change.target.value for change in kept.breaker.history] == ["OPEN", "CLOSED"]
    files = await bench.store.read(lambda c: documents.of_session(c, session, 100, bench.clock.now()))
    told = files[".circuit_breaker_history"]["transitions"]
    assert (told[0]["from"], told[0]["to"], told[0]["spawnCount"]) == ("CLOSED", "OPEN", 5)


async def test_a_person_who_asks_three_times_is_not_running_in_circles(bench: Workbench) -> None:
    """GRD-4: messages that call for no change are guidance, each of them."""
    session, task = await waits(bench, "[[cheap]]")
    for _ in range(4):
        assert task.status is S.COMPLETE
        task = await bench.rest(await bench.send(session, "[[cheap]]"))
    kept = await guards(bench, task)
    assert kept.breaker.state is BreakerState.CLOSED
    assert kept.signals.no_progress == [1, 2, 3, 4, 5]
    files = await bench.store.read(lambda c: documents.of_session(c, session, 100, bench.clock.now()))
    assert files["status.json"]["exitSignals"]["noProgressSpawns"] == [1, 2, 3, 4, 5]
    assert files["status.json"]["callsThisHour"] == 0
    assert ".circuit_breaker_history" not in files


async def test_a_permission_that_is_denied_is_reported_and_not_tried_again(bench: Workbench) -> None:
    """GRD-4"""
    performer = Performer([Ended("failed", message="I may not delete it.", denied=("Bash: rm -rf build",))])
    ended = await bench.rest(await performer.begin(bench))
    assert (ended.status, ended.error_message, len(performer.requests)) == (S.ERROR, "I may not delete it.", 1)
    assert (await guards(bench, ended)).breaker.idle == 0


async def again(bench: Workbench, task: Task, times: int) -> Task:
    """The person resumes it, without a word."""
    for _ in range(times):
        assert task.awaiting is Awaiting.INTERRUPTED
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        task = await bench.rest(task)
    return task


async def test_runs_that_change_nothing_half_open_the_breaker_which_asks_before_the_next(bench: Workbench) -> None:
    """GRD-4: let go on, they are counted anew; without progress it asks again."""
    performer = Performer(*[GONE] * 7)
    task = await again(bench, await bench.rest(await performer.begin(bench)), 3)
    assert (task.awaiting, task.error_message) == (Awaiting.BREAKER, "3 runs in a row changed no file.")
    assert len(performer.requests) == 3, "the fourth was not started"
    told = await bench.until_event("guard.breaker", task.id)
    assert (told.data.state, told.data.trigger) == ("HALF_OPEN", "no_file_changes")
    await bench.controls.decide(task.id, "reset")
    task = await again(bench, await bench.rest(task), 3)
    assert (task.awaiting, len(performer.requests)) == (Awaiting.BREAKER, 6)
    kept = await guards(bench, task)
    assert [change.target.value for change in kept.breaker.history] == ["HALF_OPEN", "CLOSED", "HALF_OPEN"]


class Writing(Performer):
    """Its third run leaves a file behind."""

    async def start(self, request: SpawnRequest) -> AgentRun:
        if len(self.requests) == 2:
            (request.workspace / "left.txt").write_text("left\n")
        return await super().start(request)


async def test_progress_takes_back_what_went_before(bench: Workbench) -> None:
    """GRD-4"""
    performer = Writing(*[GONE] * 5)
    task = await again(bench, await bench.rest(await performer.begin(bench)), 2)
    kept = await guards(bench, task)
    assert (kept.breaker.state, kept.breaker.idle) == (BreakerState.CLOSED, 0)
    task = await again(bench, task, 1)
    kept = await guards(bench, task)
    assert (kept.breaker.state, kept.breaker.idle) == (BreakerState.CLOSED, 1)


async def test_a_new_message_closes_a_half_open_breaker(bench: Workbench) -> None:
    """GRD-4: a person who says something new gives guidance."""
    performer = Performer(*[GONE] * 3, [Ended("done", SURE)])
    task = await again(bench, await bench.rest(await performer.begin(bench)), 3)
    assert task.awaiting is Awaiting.BREAKER
    await bench.rest(await performer.more(bench, task, "Look at calc.py instead"), S.COMPLETE)
    kept = await guards(bench, task)
    assert kept.breaker.state is BreakerState.CLOSED
    assert [change.trigger.value for change in kept.breaker.history] == ["no_file_changes", "user_intervention"]
