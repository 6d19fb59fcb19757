"""What an agent is told ahead, while its attempt's checkpoint is made, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from pilothouse.domain.ports import Agent, AgentRun, SpawnRequest
from pilothouse.domain.tasks import ErrorKind, StepKind, Task, TaskStatus
from pilothouse.engine.talk.talk import Talk
from pilothouse.errors import NoCredentials
from pilothouse.store import steps
from tests.passing import PassingAgent
from tests.workbench import WAIT, Workbench, make_repository

SCENARIOS = """
scenarios:
  writes:
    - write: {path: a.txt, text: "a\\n"}
    - say: Written.
  asks:
    - ask: "Which name?"
    - write: {path: a.txt, text: "{reply}\\n"}
    - say: Written.
  wants:
    - permission: {tool: Bash, detail: make}
    - say: Made.
"""


class Briefed(PassingAgent):
    def __init__(self, agent: Agent, bench: Workbench, *, deaf: bool = False) -> None:
        super().__init__(agent)
        self._bench = bench
        self._deaf = deaf
        self.told: list[SpawnRequest] = []
        self.bare = False
        """Whether it has no credentials."""
        self.begun: list[SpawnRequest] = []
        self.known: list[bool] = []
        """Whether the step was a row when the agent was told of it."""

    @property
    def takes_briefs(self) -> bool:
        return True

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        if self.bare:
            raise NoCredentials("There is no login.")
        await super().check(prompt, workspace, env)

    async def brief(self, request: SpawnRequest) -> None:
        self.told.append(request)
        self.known.append(bool(await self._bench.store.read(lambda c: steps.get(c, request.spawn_id))))
        if self._deaf:
            raise OSError("The pipe is closed.")

    async def start(self, request: SpawnRequest) -> AgentRun:
        self.begun.append(request)
        self.known.append(bool(await self._bench.store.read(lambda c: steps.get(c, request.spawn_id))))
        return await super().start(request)


async def opened(tmp_path: Path, *, deaf: bool = False) -> tuple[Workbench, Briefed]:
    bench = await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))
    agent = Briefed(bench.runtime.agents["rehearsal"], bench, deaf=deaf)
    bench.runtime.agents = {"rehearsal": agent}
    return bench, agent


async def numbers(bench: Workbench, task: Task) -> list[tuple[int, int]]:
    return [(s.attempt, s.number) for s in await bench.store.read(lambda c: steps.of_task(c, task.id))]


@pytest.mark.parametrize("deaf", [False, True], ids=["it hears", "it does not"])
async def test_the_run_is_asked_for_the_very_thing_its_agent_was_told_ahead(tmp_path: Path, deaf: bool) -> None:
    """BYD-14, RPL-2: and the step is a row before the run begins"""
    bench, agent = await opened(tmp_path, deaf=deaf)
    async with bench:
        session, first = await bench.begin("[[writes]] Once.")
        await bench.rest(first, TaskStatus.COMPLETE)
        second = await bench.send(session, "[[writes]] Twice.")
        await bench.rest(second, TaskStatus.COMPLETE)
        assert len(agent.told) == 2
        assert agent.told == [request for request in agent.begun if request.role == "edit"]
        assert agent.known[:2] == [False, True]
        assert await numbers(bench, first) == [(1, 1)]


async def test_an_answer_goes_with_what_is_told_ahead(tmp_path: Path) -> None:
    """BYD-14: an adapter that cannot tell an answer ahead sees that it is one"""
    bench, agent = await opened(tmp_path)
    async with bench:
        _, task = await bench.begin("[[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await Talk(bench.runtime, bench.runner).reply(task.id, "This one.")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert agent.told[1].reply == "This one."
        assert agent.told == agent.begun


async def test_nothing_is_told_ahead_where_something_comes_before_the_turn(tmp_path: Path) -> None:
    """BYD-14: scouts look around first, and what they find goes along; a dry run works elsewhere"""
    bench, agent = await opened(tmp_path)
    async with bench:
        for kind in ("scouts", "dry_run"):
            _, task = await bench.begin("[[writes]]", **{kind: True})
            await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.AWAITING_RESPONSE)
        assert agent.begun
        assert agent.told == []


async def test_a_decision_is_told_by_the_run_itself(tmp_path: Path) -> None:
    """BYD-14"""
    bench, agent = await opened(tmp_path)
    async with bench:
        _, task = await bench.begin("[[wants]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await Talk(bench.runtime, bench.runner).permit(task.id, "once", "")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert [request.decision is not None for request in agent.begun] == [False, True]
        assert agent.told == agent.begun[:1]


async def holding(hold: AbstractAsyncContextManager[object], held: asyncio.Event, over: asyncio.Event) -> None:
    async with hold:
        held.set()
        await over.wait()


async def told(agent: Briefed, times: int) -> None:
    async with asyncio.timeout(WAIT):
        while len(agent.told) < times:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("scouts", [False, True], ids=["as before", "scouts first"])
async def test_it_is_told_while_the_workspace_is_looked_through_and_anew_if_that_was_changed(
    tmp_path: Path, scouts: bool
) -> None:
    """BYD-14, RPL-2: what was told before does not count, nor does the number of its step"""
    bench, agent = await opened(tmp_path)
    async with bench:
        session, first = await bench.begin("[[writes]]")
        await bench.rest(first, TaskStatus.COMPLETE)
        await bench.runner.dispatcher.settled()
        lock, looked, go = bench.runtime.lock(first.workspace_id), asyncio.Event(), asyncio.Event()
        looking = asyncio.create_task(holding(lock.looking(), looked, go))
        await looked.wait()
        changed = asyncio.Event()
        changing = asyncio.create_task(holding(lock, changed, changed))
        await asyncio.sleep(0)
        second = await bench.send(session, "[[writes]] again")
        await told(agent, 2)
        if scouts:
            (bench.repo / "agent.yaml").write_text("scouts: true\n")
        go.set()
        await asyncio.gather(looking, changing)
        await bench.rest(second, TaskStatus.COMPLETE)
        done = await bench.store.read(lambda c: steps.of_task(c, second.id))
        kinds = [(step.number, step.kind) for step in done][: 3 if scouts else 1]
        plain = [(1, StepKind.EDIT)]
        assert kinds == ([(1, StepKind.SCOUT), (2, StepKind.SCOUT), (3, StepKind.EDIT)] if scouts else plain)
        assert len(agent.told) == (2 if scouts else 3)


async def test_a_broken_file_is_told_before_a_missing_login(tmp_path: Path) -> None:
    """GRD-8: it stands nearer, and is the first thing to mend"""
    bench, agent = await opened(tmp_path)
    async with bench:
        await bench.runner.stop("test")
        _, task = await bench.begin("[[writes]]")
        agent.bare = True
        (bench.repo / "agent.yaml").write_text("version: [\n")
        await bench.runner.start()
        assert (await bench.rest(task, TaskStatus.ERROR)).error_kind is ErrorKind.CONFIGURATION
