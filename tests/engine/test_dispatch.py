"""The queue of a workspace: order, holding, cancelling."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pilothouse.domain.event.log import Event
from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.errors import IllegalTransition, NotFound
from pilothouse.process import strays
from pilothouse.process.environment import instance_of
from pilothouse.store import events
from pilothouse.store.session import workspaces
from pilothouse.store.task import attempts, tasks
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import Workbench, make_repository

SCENARIOS = """
scenarios:
  quick:
    - write: {path: order.txt, text: "done\\n"}
    - say: Written.
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
  stubborn:
    - spawn_child: {seconds: 600, how: setsid}
    - write: {path: spawned.txt, text: "yes\\n"}
    - wait: 600
  asks:
    - write: {path: half.txt, text: "half\\n"}
    - ask: "Which one?"
    - say: Thank you.
"""


async def opened(tmp_path: Path, name: str = "repo") -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / name, SCENARIOS))


async def running(bench: Workbench, task: Task) -> None:
    await bench.until_event("step.tool_finished", task.id)


async def test_tasks_of_a_workspace_run_one_at_a_time_in_order(tmp_path: Path) -> None:
    """TSK-2"""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[quick]]")
        others = [await bench.send(session, "[[quick]]") for _ in range(4)]
        for task in (first, *others):
            await bench.rest(task, TaskStatus.COMPLETE)
        log = [e for e in bench.heard if e.type in ("task.started", "task.completed")]
        expected = [(kind, t.id) for t in (first, *others) for kind in ("task.started", "task.completed")]
        assert [(e.type, e.task_id) for e in log] == expected


async def test_a_task_says_what_it_does_from_the_moment_it_is_taken(tmp_path: Path) -> None:
    """TSK-2 WEB-12"""
    async with await opened(tmp_path) as bench:
        seen: list[Task | None] = []

        def look(heard: list[Event]) -> None:
            # Before anything else of the attempt can be written: that is asked for on the loop that calls this.
            if not seen and (begun := next((e.task_id for e in heard if e.type == "task.started"), None)):
                seen.append(bench.store.snapshot(lambda c: tasks.get(c, begun)))

        bench.store.on_commit(look)
        _, task = await bench.begin("[[quick]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert (await bench.types(task.id))[:3] == ["task.started", "task.milestone", "attempt.started"]
        told = await bench.until_event("task.milestone", task.id)
        [taken] = seen
        assert taken
        assert (taken.status, taken.attempt, taken.milestone) == (TaskStatus.RUNNING, 1, told.data.text)


async def test_workspaces_run_in_parallel(tmp_path: Path) -> None:
    """TSK-2"""
    async with await opened(tmp_path) as bench:
        _, slow = await bench.begin("[[slow]]")
        await running(bench, slow)
        other = make_repository(tmp_path / "other", SCENARIOS)
        message = Message("[[quick]]", agent="rehearsal")
        _, quick = await bench.chat.open(Opening(str(other), SessionKind.CHAT, None, None, message))
        assert quick is not None
        await bench.rest(quick, TaskStatus.COMPLETE)
        assert (await bench.task(slow.id)).status is TaskStatus.RUNNING


async def test_cancelling_a_queued_task_leaves_no_trace(tmp_path: Path) -> None:
    """TSK-3"""
    async with await opened(tmp_path) as bench:
        session, slow = await bench.begin("[[slow]]")
        await running(bench, slow)
        queued, last = [await bench.send(session, "[[quick]]") for _ in range(2)]
        before = await bench.store.read(events.head)
        seen, gone = await bench.controls.cancel(queued.id)
        assert (seen.prompt, gone) == ("[[quick]]", None)
        assert await bench.store.read(lambda c: tasks.get(c, queued.id)) is None
        assert await bench.store.read(events.head) == before
        waiting = await bench.store.read(lambda c: tasks.queue(c, session.workspace_id))
        assert [t.id for t in waiting] == [last.id]
        with pytest.raises(NotFound):
            await bench.controls.cancel(queued.id)


async def test_cancelling_a_running_task_keeps_the_tree_and_starts_the_next(tmp_path: Path) -> None:
    """TSK-6"""
    async with await opened(tmp_path) as bench:
        session, slow = await bench.begin("[[slow]]")
        await running(bench, slow)
        after = await bench.send(session, "[[quick]]")
        _, cancelled = await bench.controls.cancel(slow.id)
        assert cancelled is not None
        assert (cancelled.status, cancelled.summary) == (TaskStatus.CANCELLED, "")
        assert (bench.repo / "half.txt").exists()
        await bench.rest(after, TaskStatus.COMPLETE)


async def test_cancel_and_hold_keeps_the_next_task_waiting_until_released(tmp_path: Path) -> None:
    """TSK-17"""
    async with await opened(tmp_path) as bench:
        session, slow = await bench.begin("[[slow]]")
        await running(bench, slow)
        after = await bench.send(session, "[[quick]]")
        await bench.controls.cancel(slow.id, hold=True)
        held = await bench.store.read(lambda c: workspaces.get(c, session.workspace_id))
        assert held is not None
        assert held.held
        await bench.passed_over(after)
        await bench.controls.release(session.workspace_id)
        await bench.rest(after, TaskStatus.COMPLETE)


async def test_a_held_queue_takes_nothing(tmp_path: Path) -> None:
    """TSK-17"""
    async with await opened(tmp_path) as bench:
        project = await bench.projects.add(str(bench.repo))
        workspace = await bench.directory(project.id)
        await bench.controls.hold(workspace.id, "looking at something")
        _, task = await bench.begin("[[quick]]")
        await bench.passed_over(task)
        await bench.controls.release(workspace.id)
        await bench.rest(task, TaskStatus.COMPLETE)
        assert [e.type for e in bench.heard if e.type.startswith("workspace")] == [
            "workspace.held",
            "workspace.released",
        ]


async def test_a_replied_task_runs_before_those_submitted_after_it(tmp_path: Path) -> None:
    """TSK-2 RPL-3"""
    async with await opened(tmp_path) as bench:
        session, asking = await bench.begin("[[asks]]")
        await bench.rest(asking)
        later = await bench.send(session, "[[quick]]")
        await bench.controls.reply(asking.id, "the first")
        await bench.rest(later, TaskStatus.COMPLETE)
        ended = [e.task_id for e in bench.heard if e.type == "task.completed"]
        assert ended == [asking.id, later.id]


async def test_two_replies_at_once_only_one_wins(tmp_path: Path) -> None:
    """RPL-7"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[asks]]")
        await bench.rest(task)
        both = [bench.controls.reply(task.id, text) for text in ("one", "two")]
        results = await asyncio.gather(*both, return_exceptions=True)
        assert sum(isinstance(result, IllegalTransition) for result in results) == 1
        done = await bench.rest(task, TaskStatus.COMPLETE)
        assert len(done.replies) == 1


async def test_nothing_of_a_cancelled_task_stays_alive(tmp_path: Path) -> None:
    """TSK-6"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[stubborn]]")
        await running(bench, task)
        await bench.controls.cancel(task.id)
        assert strays.find([], instance_of(bench.data_dir)) == []


async def test_an_ended_task_cannot_be_cancelled(tmp_path: Path) -> None:
    """TSK-4"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[quick]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        with pytest.raises(IllegalTransition):
            await bench.controls.cancel(task.id)


async def test_a_cancel_in_the_moment_of_the_claim_leaves_no_agent_behind(tmp_path: Path) -> None:
    """TSK-6"""
    async with await opened(tmp_path) as bench:
        project = await bench.projects.add(str(bench.repo))
        workspace = await bench.directory(project.id)
        for _ in range(5):
            await bench.controls.hold(workspace.id, "")
            _, task = await bench.begin("[[slow]]")
            release = asyncio.create_task(bench.controls.release(workspace.id))
            await asyncio.sleep(0)
            await bench.controls.cancel(task.id)
            await release
            found = await bench.store.read(lambda c, task=task: tasks.get(c, task.id))  # type: ignore[misc]
            assert found is None or found.status is TaskStatus.CANCELLED
            assert await bench.store.read(lambda c: tasks.running_on(c, bench.runtime.host_id)) == []
            # One may wait for the next message, and was told of none.
            await bench.runtime.agents["rehearsal"].forget()
            assert strays.find([], instance_of(bench.data_dir)) == []
            assert await bench.store.read(lambda c: attempts.unfinished(c, bench.runtime.host_id)) == []
