"""Scouts and the guards: one that was not let begin was not asked, and its answer is not given up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from pilothouse.domain.agent.scouts import TRIES
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.guard.limits import hour_of
from pilothouse.domain.ports import AgentEvent, AgentRun, Ended, LimitReached, SpawnRequest
from pilothouse.domain.task.task import Awaiting, TaskStatus
from pilothouse.store.agent import usage
from tests.engine.loop.test_scouts import GUIDE, MAP, prompt_of, scouts_of
from tests.engine.scripted import Scripted, ScriptedAgent
from tests.workbench import Workbench, make_repository

SAYS = {"scout A": f"The map is {MAP}", "scout B": GUIDE, "edit": "Done."}


class AtLimit(Scripted):
    async def events(self) -> AsyncIterator[AgentEvent]:
        yield Ended("failed", limit=LimitReached("Usage limit reached."))


class Limited(ScriptedAgent):
    """Scout A comes to the provider's limit that often."""

    def __init__(self, times: int) -> None:
        super().__init__(SAYS)
        self._left = times

    async def start(self, request: SpawnRequest) -> AgentRun:
        if request.role != "scout A" or not self._left:
            return await super().start(request)
        self._left -= 1
        return AtLimit("")


async def opened(tmp_path: Path, **settings: object) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo"), SystemClock(), **settings)


async def test_a_scout_held_at_the_hourly_limit_is_not_asked_and_uses_up_no_try(tmp_path: Path) -> None:
    """TSK-14 GRD-6: the other one comes to its end, and is not asked again."""
    async with await opened(tmp_path, max_calls_per_hour=1) as bench:
        agent = ScriptedAgent(SAYS)
        task = await bench.rest(await agent.begin(bench))
        for _ in range(TRIES + 1):
            assert task.awaiting is Awaiting.USAGE_LIMIT
            assert "1 agent runs were started this hour" in (task.error_message or "")
            await bench.controls.decide(task.id, "retry")
            task = await bench.rest(task)
        held = [step for step in await scouts_of(bench, task) if step.outcome == "held"]
        assert len(held) == TRIES + 2
        assert {step.detail for step in held} == {"It was not started; it is asked when the task continues."}
        begun = await bench.store.read(lambda c: usage.begun_since(c, hour_of(bench.clock.now())))
        assert (begun, len(agent.requests)) == (1, 1)
        await bench.controls.decide(task.id, "override")
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert sorted(request.role for request in agent.requests) == ["edit", "scout A", "scout B"]
        assert not any("try 2" in request.prompt for request in agent.requests)
        prompt = await prompt_of(bench, done)
        assert "calc.py: adds numbers" in prompt
        assert "sh check.sh" in prompt


async def test_scouts_held_at_a_budget_are_asked_once_there_is_more(tmp_path: Path) -> None:
    """TSK-14 GRD-8"""
    async with await opened(tmp_path) as bench:
        agent = ScriptedAgent({**SAYS, "edit": None})
        first = await agent.begin(bench)
        await agent.heard("edit")
        await bench.controls.cancel(first.id, hold=False)
        await bench.rest(first, TaskStatus.CANCELLED)
        await bench.sessions.change(first.session_id, budget={"usd": 0.5})
        agent = ScriptedAgent(SAYS)
        task = await bench.rest(await agent.more(bench, first))
        assert (task.awaiting, agent.requests) == (Awaiting.BUDGET, [])
        assert [step.outcome for step in await scouts_of(bench, task)] == ["held", "held"]
        await bench.controls.decide(task.id, "more", 10)
        await bench.rest(task, TaskStatus.COMPLETE)
        assert [request.role for request in agent.requests][-1] == "edit"
        assert len(agent.requests) == 3


async def test_a_scout_at_the_providers_limit_is_asked_again_however_often(tmp_path: Path) -> None:
    """TSK-14 GRD-6"""
    async with await opened(tmp_path) as bench:
        agent = Limited(TRIES + 1)
        task = await bench.rest(await agent.begin(bench))
        for _ in range(TRIES):
            assert (task.awaiting, task.error_message) == (Awaiting.USAGE_LIMIT, "Usage limit reached.")
            await bench.controls.decide(task.id, "retry")
            task = await bench.rest(task)
        await bench.controls.decide(task.id, "retry")
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert {step.outcome for step in await scouts_of(bench, done, "scout A")} == {"limit", "done"}
        assert "calc.py: adds numbers" in await prompt_of(bench, done)
