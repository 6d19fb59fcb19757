"""Silence, time limits and absence, on a clock the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from pilothouse.domain.ports import Agent, AgentEvent, AgentHealth, AgentRun, Ended, ProcessMark, SpawnRequest, TextOut
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Awaiting, Task, TaskOptions, TaskStatus
from pilothouse.domain.task.timeouts import PROFILES
from pilothouse.engine.attempt.watch import Stop
from pilothouse.engine.broadcast import Interest
from pilothouse.store.task import output
from pilothouse.workflows.chat import Message, Opening
from tests.engine.clocks import LiveClock
from tests.workbench import WAIT, Workbench, make_repository

SCENARIOS = """
scenarios:
  stalls:
    - write: {path: half.txt, text: "half\\n"}
    - stall: true
  quiet-tool:
    - run: sleep 600
  beats:
    - wait: 600
"""


async def opened(tmp_path: Path) -> tuple[Workbench, LiveClock]:
    clock = LiveClock()
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    return await Workbench.open(tmp_path / "data", repo, clock), clock


async def in_tool(bench: Workbench, task: Task, kind: str) -> None:
    await bench.until_event(kind, task.id)


async def stalled(bench: Workbench, task: Task) -> None:
    """Until its last words have been heard: the silence begins with them."""
    heard = bench.broadcast.subscribe(Interest(tasks=frozenset({task.id})))
    while not await bench.store.read(lambda c: output.total(c, task.id, 1)):
        await asyncio.wait_for(heard.next(), WAIT)


async def test_silence_ends_the_spawn_and_waits_for_the_person(tmp_path: Path) -> None:
    """WEB-11"""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await bench.begin("[[stalls]]")
        await stalled(bench, task)
        await clock.advance(59)
        assert (await bench.task(task.id)).status is TaskStatus.RUNNING
        await clock.advance(2)
        waiting = await bench.rest(task)
        assert waiting.awaiting is Awaiting.TIMEOUT
        guard = await bench.until_event("guard.timeout", task.id)
        assert (guard.data.limit, guard.data.seconds) == ("idle", 60)
        assert waiting.holds_workspace


async def test_an_open_tool_whose_process_lives_counts_as_progress(tmp_path: Path) -> None:
    """WEB-11"""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await bench.begin("[[quiet-tool]]")
        await in_tool(bench, task, "step.tool_started")
        for _ in range(5):
            await clock.advance(61)
        assert (await bench.task(task.id)).status is TaskStatus.RUNNING


async def test_the_hard_limit_ends_a_spawn_that_keeps_talking(tmp_path: Path) -> None:
    """WEB-11 TSK-16"""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await bench.begin("[[quiet-tool]]")
        await in_tool(bench, task, "step.tool_started")
        for _ in range(12):
            await clock.advance(55)
        waiting = await bench.rest(task)
        assert waiting.awaiting is Awaiting.TIMEOUT
        guard = await bench.until_event("guard.timeout", task.id)
        assert (guard.data.limit, guard.data.seconds) == ("hard", 600)


async def test_a_longer_profile_allows_more(tmp_path: Path) -> None:
    """WEB-11"""
    bench, clock = await opened(tmp_path)
    async with bench:
        _, task = await bench.begin("[[stalls]]", timeout_profile="long")
        await stalled(bench, task)
        await clock.advance(119)
        assert (await bench.task(task.id)).status is TaskStatus.RUNNING
        await clock.advance(2)
        assert (await bench.rest(task)).awaiting is Awaiting.TIMEOUT
        guard = await bench.until_event("guard.timeout", task.id)
        assert (guard.data.limit, guard.data.seconds) == ("idle", 120)


class Gone(AgentRun):
    """A run whose program is dead while its stream stays open, as when something else holds the pipe."""

    process = ProcessMark(2**22 + 1, 0.0)

    def __init__(self) -> None:
        self.lives = False
        self._over = asyncio.Event()
        self.read = asyncio.Event()

    async def events(self) -> AsyncIterator[AgentEvent]:
        yield TextOut("I am still here")
        self.read.set()
        await self._over.wait()
        yield Ended("crashed", message="The agent was stopped.")

    def alive(self) -> bool:
        return self.lives

    def tool_alive(self) -> bool:
        return False

    async def stop(self, grace: float = 5.0) -> None:
        self._over.set()


class GoneAgent(Agent):
    name = "gone"

    def __init__(self) -> None:
        self.run = Gone()

    async def health(self) -> AgentHealth:
        return AgentHealth("gone", "Gone", True, True)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        return None

    async def start(self, request: SpawnRequest) -> AgentRun:
        return self.run


async def begun(bench: Workbench, agent: GoneAgent, profile: str) -> Task:
    bench.runtime.agents = {agent.name: agent}
    message = Message("anything", agent="gone", options=TaskOptions(timeout_profile=profile))
    _, task = await bench.chat.open(Opening(str(bench.repo), SessionKind.CHAT, None, None, message))
    assert task is not None
    await agent.run.read.wait()
    return task


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_process_that_goes_after_a_long_silence_is_missed_at_once(tmp_path: Path, profile: str) -> None:
    """WEB-4: not at the idle limit, which is minutes away in the longer profiles."""
    bench, clock = await opened(tmp_path)
    agent = GoneAgent()
    agent.run.lives = True
    async with bench:
        task = await begun(bench, agent, profile)
        await clock.advance(40)
        assert (await bench.task(task.id)).status is TaskStatus.RUNNING
        agent.run.lives = False
        await clock.advance(2)
        waiting = await bench.rest(task)
        assert waiting.awaiting is Awaiting.INTERRUPTED
        assert (await bench.until_event("guard.absent", task.id)).data.silent_seconds < 45


@pytest.mark.parametrize("profile", PROFILES)
async def test_silence_with_no_process_behind_it_counts_as_absence(tmp_path: Path, profile: str) -> None:
    """WEB-4"""
    bench, clock = await opened(tmp_path)
    agent = GoneAgent()
    async with bench:
        task = await begun(bench, agent, profile)
        await clock.advance(29)
        assert (await bench.task(task.id)).status is TaskStatus.RUNNING
        await clock.advance(2)
        waiting = await bench.rest(task)
        assert waiting.awaiting is Awaiting.INTERRUPTED
        assert 30 <= (await bench.until_event("guard.absent", task.id)).data.silent_seconds < 35


def test_a_person_who_cancels_comes_before_a_guard() -> None:
    """GRD-8"""
    assert Stop.CANCELLED.outranks(Stop.BUDGET)
    assert Stop.INTERRUPTED.outranks(Stop.LIMIT)
    assert not Stop.BUDGET.outranks(Stop.CANCELLED)
    assert not Stop.CANCELLED.outranks(Stop.IDLE)
