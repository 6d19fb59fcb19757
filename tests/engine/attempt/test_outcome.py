"""An attempt that breaks around its agent's run leaves no agent behind, and says what it left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import pytest

from pilothouse.domain.ports import Agent
from pilothouse.domain.task.task import Awaiting, ResumeMode, TaskStatus
from pilothouse.errors import CheckpointFailed, IllegalTransition
from pilothouse.process import strays
from pilothouse.process.environment import instance_of
from pilothouse.store.task import attempts
from tests.passing import PassingAgent
from tests.workbench import Workbench, make_repository

T = TypeVar("T")
SCENARIOS = """
scenarios:
  writes-a:
    - write: {path: a.txt, text: "a\\n"}
    - say: Written.
  writes-b:
    - write: {path: b.txt, text: "b\\n"}
    - say: Written.
  asks-first:
    - ask: "Which name?"
    - write: {path: a.txt, text: "{reply}\\n"}
    - say: Written.
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
  crashes:
    - write: {path: a.txt, text: "a\\n"}
    - crash: 137
"""


async def opened(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


class Leaving(PassingAgent):
    """Is gone once it was looked at for the attempt, as when a setting takes it away at that moment."""

    def __init__(self, agent: Agent, bench: Workbench) -> None:
        super().__init__(agent)
        self._bench = bench
        self._looks = 0

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        await super().check(prompt, workspace, env)
        self._looks += 1
        if self._looks > 1:
            self._bench.runtime.agents = {}


async def test_an_attempt_that_breaks_right_before_its_agent_has_begun_all_the_same(tmp_path: Path) -> None:
    """RPL-2 BYD-3"""
    async with await opened(tmp_path) as bench:
        agent = bench.runtime.agents["rehearsal"]
        bench.runtime.agents = {"rehearsal": Leaving(agent, bench)}
        _, task = await bench.begin("[[writes-a]]")
        broken = await bench.rest(task, TaskStatus.ERROR)
        await agent.forget()
        assert "There is no agent" in (broken.error_message or "")
        told = [event.type for event in bench.heard if event.task_id == task.id]
        assert told.index("attempt.started") < told.index("attempt.finished")
        done = await bench.store.read(lambda c: attempts.get(c, task.id, 1))
        assert done is not None
        assert done.base == done.checkpoint
        assert done.checkpoint


async def test_a_failing_checkpoint_after_the_agent_ran_holds_the_workspace(tmp_path: Path) -> None:
    """WEB-3"""
    async with await opened(tmp_path) as bench:
        session, task = await bench.begin("[[slow]]")
        await bench.until_event("step.tool_finished", task.id)
        run = bench.runner.dispatcher.run_of(task.id)
        assert run is not None
        before = bench.runtime.on_tree

        async def full(workspace: object, work: Callable[..., T]) -> T:
            raise CheckpointFailed("No space left on device")

        bench.runtime.on_tree = full  # type: ignore[method-assign]
        cancelling = asyncio.create_task(bench.controls.cancel(task.id))
        waiting = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        with pytest.raises(IllegalTransition, match="could not be saved: No space left"):
            await cancelling
        bench.runtime.on_tree = before  # type: ignore[method-assign]
        assert waiting.awaiting is Awaiting.INTERRUPTED
        assert waiting.holds_workspace
        after = await bench.send(session, "[[writes-b]]")
        assert (await bench.task(after.id)).status is TaskStatus.QUEUED
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("task.rolled_back", task.id)


async def test_a_store_that_fails_while_an_agent_speaks_ends_the_agent(tmp_path: Path) -> None:
    """TSK-6 WEB-1"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[slow]]")
        await bench.until_event("step.tool_finished", task.id)
        tell = bench.runtime.broadcast.item

        def full(item: dict[str, object], *, until: str | None = None) -> None:
            if item["type"] == "progress":
                raise OSError(28, "No space left on device")
            tell(item, until=until)

        bench.runtime.broadcast.item = full  # type: ignore[method-assign]
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert strays.find([], instance_of(bench.data_dir)) == []


async def test_an_attempt_whose_end_could_not_be_saved_does_not_claim_that_nothing_was_done(tmp_path: Path) -> None:
    """WEB-3"""
    async with await opened(tmp_path) as bench:
        (bench.data_dir / "artifacts").write_text("in the way")
        _, task = await bench.begin("[[writes-a]]")
        waiting = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert "What the agent did could not be saved" in (waiting.error_message or "")
        view = await bench.controls.resume_options(task.id)
        assert [part.saved for part in view.saved] == [False, False, False]
