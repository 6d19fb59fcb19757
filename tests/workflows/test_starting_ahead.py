"""An agent's program that is started before it is asked: for what comes next, and for nothing else."""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection

from pilothouse.agents.keeping import Lease, Pool
from pilothouse.agents.rehearsal.adapter import RehearsalAgent
from pilothouse.agents.rehearsal.ready import Ready
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.ports import Agent, AgentRun, SpawnRequest
from pilothouse.domain.session.session import Project, SessionKind
from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.errors import InvalidInput
from pilothouse.process import strays
from pilothouse.process.environment import Environment, instance_of
from pilothouse.store.database import Store, Tx
from pilothouse.store.tables.session import workspaces
from pilothouse.store.tables.task import rollbacks
from pilothouse.workflows.chat import Message, Opening
from tests.passing import PassingAgent
from tests.real_agent.workshop import until
from tests.workbench import WAIT, Workbench, make_repository

T = TypeVar("T")
SCENARIOS = """
scenarios:
  writes-a:
    - write: {path: a.txt, text: "a\\n"}
    - say: Written.
"""
REQUEST: ContextVar[str | None] = ContextVar("REQUEST", default=None)


class HeldReads(Store):
    """Keeps one of its readers waiting for the answer, where a test says so."""

    _until = 0
    _reached = asyncio.Event()
    go = asyncio.Event()

    async def held(self, number: int) -> bool:
        """Whether the chat reads that many times, from now on, before it rests."""
        self._until, self._reached, self.go = number, asyncio.Event(), asyncio.Event()
        waiting = asyncio.create_task(self._reached.wait()), asyncio.create_task(chat_rests())
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for either in waiting:
            either.cancel()
        return self._reached.is_set()

    async def read(self, job: Callable[[Connection], T]) -> T:
        counts = is_of_chat(asyncio.current_task())
        self._until -= counts
        held = counts and self._until == 0
        found = await super().read(job)
        if held:
            self._reached.set()
            await self.go.wait()
        return found


class Bench(Workbench):
    stores = HeldReads
    store: HeldReads

    async def __aexit__(self, *error: Any) -> None:
        await self.runtime.forget()
        await super().__aexit__(*error)

    def alive(self) -> list[str]:
        return [str(stray) for stray in strays.find([], instance_of(self.data_dir))]

    async def project(self) -> Project:
        made = await self.chat.add_project(str(self.repo))
        await self.chat.choose_agent(made.id, "rehearsal")
        return await self.chat.add_project(str(self.repo))

    def noted(self) -> Noted:
        agent = Noted(self.runtime.agents["rehearsal"])
        self.runtime.agents = {"rehearsal": agent}
        return agent


class Noted(PassingAgent):
    """Notes what it is asked for, and whose context it is asked in."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.asked: list[str] = []
        self.prepared: list[SpawnRequest] = []
        self.contexts: set[str | None] = set()

    async def prepare(self, request: SpawnRequest) -> None:
        self.asked.append(f"prepare{request.prompt}")
        self.prepared.append(request)
        self.contexts.add(REQUEST.get())
        await super().prepare(request)

    async def start(self, request: SpawnRequest) -> AgentRun:
        self.asked.append("start")
        return await super().start(request)


class Counted(Pool[Ready]):
    """Counts the processes that are started with it, and for want of one in it."""

    started = 0

    async def prepare(
        self, lease: Lease, launch: object, believes: Callable[[Ready], bool], make: Callable[[], Awaitable[Ready]]
    ) -> None:
        async def counted() -> Ready:
            self.started += 1
            return await make()

        await super().prepare(lease, launch, believes, counted)

    async def take(self, lease: Lease, launch: object, fits: Callable[[Ready], bool]) -> Ready | None:
        found = await super().take(lease, launch, fits)
        self.started += found is None
        return found


async def opened(tmp_path: Path) -> Bench:
    return await Bench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS), claude_memory_floor_mb=0)


def is_of_chat(task: asyncio.Task[Any] | None) -> bool:
    return str(getattr(task and task.get_coro(), "__qualname__", "")).startswith("Chat.")


async def chat_rests() -> None:
    """Wait for what the chat still does beside the test."""
    async with asyncio.timeout(WAIT):
        while busy := [task for task in asyncio.all_tasks() if is_of_chat(task)]:
            await asyncio.wait(busy)


async def test_an_agent_is_started_ahead_for_what_comes_next_and_for_nothing_else(tmp_path: Path) -> None:
    """BYD-14: it is told nothing; a message that waits behind another has its agent started when its turn comes."""
    async with await opened(tmp_path) as bench:
        agent = bench.noted()
        session, first = await bench.begin("[[writes-a]]")
        await bench.rest(first, TaskStatus.COMPLETE)
        # With the message and with the attempt, in whichever order the two come to it.
        assert sorted(agent.asked) == ["prepare", "prepare", "start"]
        await bench.runner.stop("test")
        waiting = await bench.send(session, "[[writes-a]]")
        await chat_rests()
        assert len(agent.asked) == 3
        await bench.runner.start()
        await bench.rest(waiting, TaskStatus.COMPLETE)
        assert agent.asked[3:] == ["prepare", "start"]
        # What would be written before the run has its log is tidied like that, and here nothing is.
        assert all(fnmatch(request.log_path.name, "rehearsal_*_*.log") for request in agent.prepared)
        assert [log for log in bench.settings.logs.iterdir() if "_prepared" in log.name] == []


async def test_the_program_starts_where_the_work_is_and_belongs_to_no_request(tmp_path: Path) -> None:
    """BYD-14: a request's mark against repetition must not cling to what goes on after it."""
    async with await opened(tmp_path) as bench:
        agent, project = bench.noted(), await bench.project()
        elsewhere = make_repository(tmp_path / "elsewhere", SCENARIOS)
        moved = workspaces.update().where(workspaces.c.id == project.id).values(path=str(elsewhere))
        await bench.store.write(lambda tx: tx.conn.execute(moved))
        REQUEST.set("of the message")
        _, task = await bench.begin("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert [request.workspace for request in agent.prepared] == [elsewhere, elsewhere]
        assert agent.contexts == {None}


async def test_nothing_is_prepared_while_the_runner_is_stopped(tmp_path: Path) -> None:
    """BYD-14: or the next start would take it for what an earlier life left behind."""
    async with await opened(tmp_path) as bench:
        project = await bench.project()
        assert await bench.chat.prepare(project)
        await until(lambda: bool(bench.alive()))
        await bench.runner.stop("test")
        assert not await bench.chat.prepare(project)
        assert bench.alive() == []


async def test_what_is_prepared_when_the_runner_starts_is_no_stray(tmp_path: Path) -> None:
    """BYD-14"""
    async with await opened(tmp_path) as bench:
        await bench.runner.stop("test")
        agent = bench.runtime.agents["rehearsal"]
        await agent.prepare(SpawnRequest("ahead", bench.repo, "", tmp_path / "ahead.log"))
        await until(lambda: bool(bench.alive()))
        await bench.runner.start()
        assert bench.alive() == []
        assert "guard.strays" not in [event.type for event in bench.heard]


async def stopped_at_each_read(bench: Bench, begin: Callable[[], Coroutine[Any, Any, Task | bool]]) -> None:
    """The runner is stopped while the chat waits for its first read, for its second, and so on."""
    for number in itertools.count(1):
        await bench.runtime.forget()
        begun = asyncio.create_task(begin())
        if not await bench.store.held(number):
            break
        await bench.runner.stop("test")
        bench.store.go.set()
        sent = await begun
        await chat_rests()
        assert bench.alive() == [], f"at read {number}"
        if isinstance(sent, Task):
            await bench.controls.cancel(sent.id)
        await bench.runner.start()
    assert number > 2, "it reads more than once"


async def test_no_program_comes_up_for_a_message_after_the_runner_has_stopped(tmp_path: Path) -> None:
    """BYD-14: wherever the stop finds it on its way."""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[writes-a]]")
        await bench.rest(first, TaskStatus.COMPLETE)
        message = Message("[[writes-a]]", agent="rehearsal")
        await stopped_at_each_read(bench, lambda: bench.chat.send(session.id, message))


async def test_no_program_comes_up_for_a_new_chat_after_the_runner_has_stopped(tmp_path: Path) -> None:
    """BYD-14: wherever the stop finds it on its way."""
    async with await opened(tmp_path) as bench:
        project = await bench.project()
        await stopped_at_each_read(bench, lambda: bench.chat.prepare(project))


async def test_messages_that_come_at_once_start_one_program_each(tmp_path: Path) -> None:
    """BYD-14: also where fewer may be kept ready."""
    async with await opened(tmp_path) as bench:
        pool = Counted(SystemClock(), most=2, idle_seconds=600, memory_floor_mb=0)
        agent = RehearsalAgent(tmp_path / "state", Environment({}, instance_of(bench.data_dir)), pool=pool)
        bench.runtime.agents = {"rehearsal": agent}
        repos = [bench.repo, *(make_repository(tmp_path / name, SCENARIOS) for name in ("b", "c", "d"))]
        message = Message("[[writes-a]]", agent="rehearsal")
        begun = await asyncio.gather(
            *(bench.chat.open(Opening(str(repo), SessionKind.CHAT, None, None, message)) for repo in repos)
        )
        for _, task in begun:
            assert task is not None
            await bench.rest(task, TaskStatus.COMPLETE)
        assert pool.started == len(repos)
        assert pool.prepared == []


async def test_a_message_that_is_refused_starts_nothing(tmp_path: Path) -> None:
    """BYD-14"""
    async with await opened(tmp_path) as bench:
        agent = bench.noted()
        session, task = await bench.begin("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        await bench.runner.stop("test")
        await bench.runner.start()
        shutil.rmtree(bench.repo / ".git")
        asked = len(agent.asked)
        with pytest.raises(InvalidInput):
            await bench.send(session, "[[writes-a]]")
        await chat_rests()
        assert len(agent.asked) == asked
        assert bench.alive() == []


async def test_a_message_behind_a_half_done_rollback_starts_nothing(tmp_path: Path) -> None:
    """BYD-14 BYD-8: nothing is taken up before that is whole."""
    async with await opened(tmp_path) as bench:
        agent = bench.noted()
        session, task = await bench.begin("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        rolled = await bench.controls.rollback(task.id)

        def cut_short(tx: Tx) -> None:
            tx.conn.execute(rollbacks.update().where(rollbacks.c.id == rolled.rollback_id).values(finished_at=None))

        await bench.store.write(cut_short)
        asked = len(agent.asked)
        await bench.send(session, "[[writes-a]]")
        await chat_rests()
        assert len(agent.asked) == asked
