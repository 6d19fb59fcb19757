"""While the provider is busy the task says so, and says what it does again when there is word of the agent."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.event.task import TaskMilestone
from pilothouse.domain.ports import Ended, Heartbeat, LimitReached, Retrying, TextOut, ToolFinished, ToolStarted
from pilothouse.domain.task.task import Awaiting, TaskStatus
from pilothouse.store import events
from pilothouse.store.guard import holds
from tests.engine.performing import Performer
from tests.workbench import Workbench, make_repository


async def test_a_retry_is_a_milestone_while_it_lasts(tmp_path: Path) -> None:
    """GRD-6"""
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo")) as bench:
        performer = Performer(
            [
                *(ToolStarted("1", "Edit", "a.py"), ToolFinished("1", True)),
                *(Retrying(12.0), Heartbeat(), Retrying(30.2), TextOut("Here."), Ended("done", "Here.")),
            ]
        )
        task = await bench.rest(await performer.begin(bench), TaskStatus.COMPLETE)
        told = await bench.store.read(lambda c: events.of_task(c, task.id))
        said = [event.data for event in told if isinstance(event.data, TaskMilestone)]
        codes = [one.code for one in said]
        at = codes.index("retrying")
        assert codes[at - 1 : at + 3] == ["editing", "retrying", "retrying", "editing"]
        assert [one.text for one in said[at : at + 2]] == [
            f"The provider is busy; trying again in {seconds} s" for seconds in (12, 30)
        ]


async def test_a_task_waits_to_the_second_that_the_provider_named(tmp_path: Path) -> None:
    """GRD-6"""
    clock = ManualClock()
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo"), clock) as bench:
        named = clock.now() + timedelta(seconds=77)
        limit = LimitReached("The provider is busy.", named)
        performer = Performer([Ended("failed", message="Busy.", limit=limit)], [Ended("done", "Here.")])
        task = await bench.rest(await performer.begin(bench))
        assert task.awaiting is Awaiting.USAGE_LIMIT
        held = await bench.store.read(lambda c: holds.of_task(c, task.id))
        assert held is not None
        assert held.until == named
        await clock.advance(76)
        assert len(performer.requests) == 1
        await clock.advance(1)
        assert (await bench.rest(task, TaskStatus.COMPLETE)).output == "Here."
