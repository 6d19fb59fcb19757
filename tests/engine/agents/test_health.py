"""An agent that does not answer never holds up a page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.ports import Agent, AgentHealth, AgentRun, Ended, LimitReached, SpawnRequest
from pilothouse.domain.task.task import ErrorKind
from pilothouse.engine.agents.health import FRESH_SECONDS, PATIENCE_SECONDS, AgentsHealth
from pilothouse.store.database import Store
from tests.workbench import WAIT

LIMIT = 10.0


class Asked(Agent):
    def __init__(self, name: str, *, answers: bool = True, error: Exception | None = None) -> None:
        self._name = name
        self.asked = 0
        self.version = "1"
        self.error = error
        self.begun = asyncio.Event()
        self.answers = asyncio.Event()
        if answers:
            self.answers.set()

    @property
    def name(self) -> str:
        return self._name

    async def health(self) -> AgentHealth:
        self.asked += 1
        self.begun.set()
        await self.answers.wait()
        if self.error:
            raise self.error
        return AgentHealth(self.name, self.name.title(), True, True, self.version)

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        return None

    async def start(self, request: SpawnRequest) -> AgentRun:
        raise AssertionError("nobody is to be started here")


@pytest.fixture
async def store(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite:///{tmp_path / 'pilothouse.db'}", clock)
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def test_a_page_waits_a_moment_and_shows_the_others(store: Store, clock: ManualClock) -> None:
    """PLT-3"""
    well, hangs = Asked("well"), Asked("hangs", answers=False)
    health = AgentsHealth(lambda: {"hangs": hangs, "well": well}, store, clock, LIMIT)
    looking = asyncio.create_task(health.all())
    await hangs.begun.wait()
    await clock.advance(0)
    await clock.advance(PATIENCE_SECONDS)
    async with asyncio.timeout(WAIT):
        first = await looking
    assert [(one.health.name, one.health.ready) for one in first] == [("hangs", False), ("well", True)]
    assert first[0].checked_at is None
    assert "has not finished" in first[0].health.problem
    await clock.advance(LIMIT)
    later = {one.health.name: one for one in await health.all()}
    assert later["hangs"].checked_at is not None
    assert later["hangs"].health.problem == "It did not answer within 10 seconds."
    assert later["hangs"].health.fix
    assert well.asked == 1
    await health.close()


async def test_what_is_old_is_shown_at_once_and_asked_again_beside_it(store: Store, clock: ManualClock) -> None:
    """PLT-3"""
    agent = Asked("well")
    health = AgentsHealth(lambda: {"well": agent}, store, clock, LIMIT)
    assert (await health.all())[0].health.version == "1"
    agent.version = "2"
    agent.answers.clear()
    assert (await health.all())[0].health.version == "1"
    assert agent.asked == 1
    await clock.advance(FRESH_SECONDS + 1)
    assert (await health.all())[0].health.version == "1"
    agent.answers.set()
    assert (await health.again())[0].health.version == "2"
    assert agent.asked == 2
    await health.close()


async def test_checking_again_asks_now(store: Store, clock: ManualClock) -> None:
    """PLT-3"""
    agent, other = Asked("one"), Asked("two")
    health = AgentsHealth(lambda: {"one": agent, "two": other}, store, clock, LIMIT)
    await health.all()
    agent.version = "2"
    assert [one.health.version for one in await health.again(["one"])] == ["2", "1"]
    assert (agent.asked, other.asked) == (2, 1)
    await health.close()


async def test_an_adapter_that_breaks_is_that_agents_problem(store: Store, clock: ManualClock) -> None:
    """PLT-3"""
    broken, well = Asked("broken", error=RuntimeError("no such file")), Asked("well")
    health = AgentsHealth(lambda: {"broken": broken, "well": well}, store, clock, LIMIT)
    found = await health.all()
    assert found[0].health.problem == "It could not be checked: no such file"
    assert await health.first_ready() == "well"
    await health.close()


async def test_a_usage_limit_is_no_error_of_the_agents(store: Store, clock: ManualClock) -> None:
    """GRD-5: it works again by itself."""
    health = AgentsHealth(lambda: {"well": Asked("well")}, store, clock, LIMIT)
    await health.note("well", Ended("failed", message="Limit", limit=LimitReached("Limit")))
    assert (await health.all())[0].last_error is None
    await health.note("well", Ended("failed", message="401", error_kind=ErrorKind.CREDENTIALS))
    kept = (await health.all())[0].last_error
    assert kept is not None
    assert (kept.message, kept.kind, kept.at) == ("401", ErrorKind.CREDENTIALS, clock.now())
    await health.note("well", Ended("done"))
    assert (await health.all())[0].last_error is None
    await health.close()
