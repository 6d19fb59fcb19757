"""A person cancels in the very moment in which the task comes to rest by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pilothouse.domain.event.task import TaskCancelled
from pilothouse.domain.ports import Ended
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus
from pilothouse.errors import IllegalTransition
from pilothouse.store.database import Store, Tx
from pilothouse.store.guard import holds
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts
from tests.engine.performing import Performer
from tests.workbench import WAIT, Workbench, make_repository

T = TypeVar("T")
S = TaskStatus


class Lingering(Store):
    """Whoever settles a task learns of it late: it is written, and its attempt not over yet."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.at: frozenset[TaskStatus] = frozenset()
        self.settled = asyncio.Event()
        self.go_on = asyncio.Event()

    async def write(self, job: Callable[[Tx], T]) -> T:
        written = await super().write(job)
        after = written[1] if isinstance(written, tuple) else None
        if isinstance(after, Task) and after.status in self.at:
            self.at = frozenset()
            self.settled.set()
            await self.go_on.wait()
        return written


class LingeringBench(Workbench):
    stores = Lingering


async def opened(tmp_path: Path, **settings: Any) -> tuple[LingeringBench, Lingering]:
    bench = await LingeringBench.open(tmp_path / "data", make_repository(tmp_path / "repo"), **settings)
    assert isinstance(bench.store, Lingering)
    return bench, bench.store


async def cancelled_at_the_end(
    bench: Workbench, store: Lingering, task: Task, hold: bool = False
) -> tuple[Task, Task | None]:
    """Cancel when the end of the attempt is written and the attempt itself is still there."""
    async with asyncio.timeout(WAIT):
        await store.settled.wait()
    assert bench.runner.dispatcher.run_of(task.id)
    cancelling = asyncio.create_task(bench.controls.cancel(task.id, hold))
    await asyncio.sleep(0)
    store.go_on.set()
    return await cancelling


async def test_what_a_guard_holds_in_that_moment_is_cancelled(tmp_path: Path) -> None:
    """TSK-6 GRD-6: it would go on by itself at the next hour"""
    bench, store = await opened(tmp_path, max_calls_per_hour=1)
    async with bench:
        performer = Performer(*[[Ended("done", "Done.")]] * 2)
        first = await bench.rest(await performer.begin(bench), S.COMPLETE)
        store.at = frozenset({S.AWAITING_RESPONSE})
        task = await performer.more(bench, first)
        before, after = await cancelled_at_the_end(bench, store, task)
        assert (before.status, after and after.status) == (S.RUNNING, S.CANCELLED)
        ended = await bench.task(task.id)
        assert (ended.status, ended.awaiting, ended.milestone) == (S.CANCELLED, None, "")
        assert await bench.store.read(lambda c: holds.waiting(c, bench.runtime.host_id)) == []
        (done,) = await bench.store.read(lambda c: attempts.of_task(c, task.id))
        assert done.outcome == Awaiting.USAGE_LIMIT
        assert len(performer.requests) == 1


@pytest.mark.parametrize("hold", [False, True])
async def test_a_question_of_that_moment_is_cancelled(tmp_path: Path, hold: bool) -> None:
    """TSK-6"""
    bench, store = await opened(tmp_path)
    async with bench:
        store.at = frozenset({S.AWAITING_RESPONSE})
        task = await Performer([Ended("asked", "Hm.", "Which one?")]).begin(bench)
        before, after = await cancelled_at_the_end(bench, store, task, hold)
        assert (before.status, after and after.status) == (S.RUNNING, S.CANCELLED)
        assert (await bench.task(task.id)).question is None
        told = [event.data for event in bench.heard if isinstance(event.data, TaskCancelled)]
        assert [(one.old_status, one.holds) for one in told] == [(S.AWAITING_RESPONSE, hold)]
        assert [event.type for event in bench.heard].count("workspace.held") == int(hold)
        workspace = await bench.store.read(lambda c: workspaces.get(c, task.workspace_id))
        assert workspace is not None
        assert workspace.held is hold


async def test_what_is_answered_in_that_moment_is_cancelled_and_not_begun(tmp_path: Path) -> None:
    """TSK-6"""
    bench, store = await opened(tmp_path)
    async with bench:
        store.at = frozenset({S.AWAITING_RESPONSE})
        performer = Performer([Ended("asked", "Hm.", "Which one?")], [Ended("done", "Done.")])
        task = await performer.begin(bench)
        async with asyncio.timeout(WAIT):
            await store.settled.wait()
        await bench.controls.reply(task.id, "This one.")
        assert (await bench.task(task.id)).status is S.QUEUED
        _, after = await cancelled_at_the_end(bench, store, task)
        assert after is not None
        assert after.status is S.CANCELLED
        assert await bench.store.read(lambda c: attempts.unfinished(c, bench.runtime.host_id)) == []


async def test_a_task_that_ended_in_that_moment_stays_as_it_ended(tmp_path: Path) -> None:
    """TSK-6"""
    bench, store = await opened(tmp_path)
    async with bench:
        store.at = frozenset({S.COMPLETE})
        task = await Performer([Ended("done", "Done.")]).begin(bench)
        with pytest.raises(IllegalTransition, match="just ended: Complete"):
            await cancelled_at_the_end(bench, store, task, hold=True)
        assert (await bench.task(task.id)).status is S.COMPLETE
        workspace = await bench.store.read(lambda c: workspaces.get(c, task.workspace_id))
        assert workspace is not None
        assert not workspace.held
