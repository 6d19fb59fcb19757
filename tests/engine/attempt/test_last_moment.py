"""A budget that is used up right before the end: the agent has a moment to say that it is done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pilothouse.domain.clock import SystemClock
from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.ports import ToolFinished, ToolStarted, Usage
from pilothouse.domain.task.task import Awaiting, Task, TaskStatus, Verdict
from pilothouse.domain.task.timeouts import PROFILES
from pilothouse.engine.attempt.watch import MOMENT
from pilothouse.store.guard import holds
from tests.engine.listening import Listening
from tests.workbench import WAIT, Workbench, make_repository

SCENARIOS = """
scenarios:
  nearly-done:
    - write: {path: work.txt, text: "all of it\\n"}
    - usage: {cost_usd: 5}
    - say: That was all.
  asks:
    - usage: {cost_usd: 5}
    - ask: Which one?
  fails:
    - usage: {cost_usd: 5}
    - fail: The disk is full.
  stalls:
    - usage: {cost_usd: 5}
    - stall: true
"""


WAITS = (MOMENT, PROFILES["standard"].idle_seconds)
"""How long a run is waited for whose budget is spent: with no tool open, and with one."""


class LongMoment(SystemClock):
    """The moment is over when the test says so, not when a slow machine has let it pass."""

    def __init__(self) -> None:
        self.begun, self.over = asyncio.Event(), asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        if seconds not in WAITS:
            await super().sleep(seconds)
        else:
            self.begun.set()
            await self.over.wait()


@asynccontextmanager
async def overspent(tmp_path: Path, scenario: str) -> AsyncIterator[tuple[Workbench, LongMoment, Task]]:
    clock = LongMoment()
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS), clock) as bench:
        _, task = await bench.begin(f"[[{scenario}]]", budget=Budget(usd=1.0))
        if scenario == "stalls":
            await asyncio.wait_for(clock.begun.wait(), WAIT)
        yield bench, clock, task


async def test_what_is_done_a_moment_after_the_budget_is_spent_is_done(tmp_path: Path) -> None:
    """GRD-8: and asks for no more money, for there is nothing left to be paid"""
    async with overspent(tmp_path, "nearly-done") as (bench, _, task):
        done = await bench.rest(task)
        assert (done.status, done.verdict, done.cost_usd) == (TaskStatus.COMPLETE, Verdict.UNVERIFIED, 5.0)
        assert done.output.endswith("That was all.\n")
        assert await bench.store.read(lambda c: holds.of_task(c, task.id)) is None


async def test_a_run_that_ends_in_that_moment_is_left_alone(tmp_path: Path) -> None:
    """GRD-8, BYD-14: stopping it would end the process that is kept for the next message"""
    clock, agent = LongMoment(), Listening()
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo"), clock) as bench:
        _, task = await agent.begin(bench, budget=Budget(usd=1.0))
        turn = await agent.turn(1)
        turn.say(Usage(cost_usd=5.0))
        await asyncio.wait_for(clock.begun.wait(), WAIT)
        turn.end()
        await bench.rest(task, TaskStatus.COMPLETE)
        assert not turn.stopped


async def test_what_is_asked_in_that_moment_is_asked(tmp_path: Path) -> None:
    """GRD-8"""
    async with overspent(tmp_path, "asks") as (bench, _, task):
        assert (await bench.rest(task)).awaiting is Awaiting.QUESTION


async def test_an_agent_that_fails_in_that_moment_waits_at_the_budget(tmp_path: Path) -> None:
    """GRD-8"""
    async with overspent(tmp_path, "fails") as (bench, _, task):
        assert (await bench.rest(task)).awaiting is Awaiting.BUDGET


async def test_after_the_moment_the_agent_is_stopped(tmp_path: Path) -> None:
    """GRD-8"""
    async with overspent(tmp_path, "stalls") as (bench, clock, task):
        clock.over.set()
        assert (await bench.rest(task)).awaiting is Awaiting.BUDGET


async def test_a_person_who_cancels_does_not_wait_for_the_moment_to_pass(tmp_path: Path) -> None:
    """GRD-8, TSK-6"""
    async with overspent(tmp_path, "stalls") as (bench, _, task):
        await bench.controls.cancel(task.id)
        assert (await bench.rest(task)).status is TaskStatus.CANCELLED


async def test_a_command_that_is_open_comes_to_its_end_before_the_agent_is_stopped(tmp_path: Path) -> None:
    """GRD-8: a budget pauses between two requests, not in the middle of a command"""
    agent = Listening()
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo")) as bench:
        _, task = await agent.begin(bench, budget=Budget(usd=1.0))
        turn = await agent.turn(1)
        turn.say(ToolStarted("1", "Bash", "make"))
        turn.say(Usage(cost_usd=5.0))
        turn.say(ToolFinished("1", True))
        held = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert held.awaiting is Awaiting.BUDGET
        types = await bench.types(task.id)
        assert types.index("step.tool_finished") < types.index("step.finished")
        assert turn.stopped
