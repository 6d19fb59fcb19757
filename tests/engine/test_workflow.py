"""A workflow hears of every move of its sessions' tasks, and adds the next."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pilothouse.domain.session.session import SessionAction, SessionKind, SessionStatus
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import Attempt, AttemptMode, Awaiting, Purpose, RunnerMark, Task, TaskStatus
from pilothouse.engine.runtime import LOOK_SECONDS
from pilothouse.engine.transition import move_session, queue
from pilothouse.engine.workflow import Workflow
from pilothouse.errors import IllegalTransition, WorkflowFailed
from pilothouse.store import notices
from pilothouse.store.database import Tx
from pilothouse.store.session import sessions
from pilothouse.store.task import attempts, tasks
from tests.engine.asks import asking, bench_of
from tests.engine.clocks import LiveClock
from tests.workbench import WAIT, Workbench

S = TaskStatus


class Questioner(Workflow):
    """Has every task followed by an ask, as long as nobody cancels."""

    def __init__(self) -> None:
        self.heard: list[tuple[TaskStatus, TaskStatus, Any]] = []

    async def look(self, task: Task) -> Any:
        return f"looked at {task.status}"

    def moved(self, tx: Tx, before: Task, after: Task, seen: Any) -> None:
        self.heard.append((before.status, after.status, seen))
        if after.status is S.COMPLETE and after.purpose is not Purpose.ASK:
            queue(tx, asking(after, "[[answers]]"))


async def test_a_workflow_hears_of_every_move_and_adds_the_next_task_with_it(tmp_path: Path) -> None:
    """TSK-4 BYD-8: in the same transaction, so that a crash between the two is not possible"""
    async with await bench_of(tmp_path) as bench:
        workflow = Questioner()
        bench.runtime.workflows[SessionKind.CHAT] = workflow
        session, first = await bench.begin("[[done]]")
        await bench.rest(first, S.COMPLETE)
        known = await bench.store.read(lambda c: tasks.of_session(c, session.id))
        assert [task.purpose for task in known] == [Purpose.CHANGE, Purpose.ASK]
        await bench.rest(known[1], S.COMPLETE)
        assert workflow.heard == [
            (S.QUEUED, S.RUNNING, None),
            (S.RUNNING, S.COMPLETE, "looked at RUNNING"),
            (S.QUEUED, S.RUNNING, None),
            (S.RUNNING, S.COMPLETE, "looked at RUNNING"),
        ]


class Blind(Questioner):
    async def look(self, task: Task) -> Any:
        raise OSError("the folder is gone")


async def test_a_workflow_that_cannot_look_leaves_no_task_running(tmp_path: Path) -> None:
    """BYD-8: it hears of the move all the same, and that it saw nothing"""
    async with await bench_of(tmp_path) as bench:
        workflow = Blind()
        bench.runtime.workflows[SessionKind.CHAT] = workflow
        _, task = await bench.begin("[[done]]")
        await bench.rest(task, S.COMPLETE)
        assert (S.RUNNING, S.COMPLETE, None) in workflow.heard


async def test_a_workflow_hears_of_a_queued_task_whose_row_goes(tmp_path: Path) -> None:
    """TSK-3"""
    async with await bench_of(tmp_path) as bench:
        session, first = await bench.begin("[[done]]")
        await bench.rest(first, S.COMPLETE)
        workflow = Questioner()
        bench.runtime.workflows[SessionKind.CHAT] = workflow
        await bench.controls.hold(first.workspace_id, "")
        waiting = await bench.send(session, "[[done]]")
        assert await bench.controls.cancel(waiting.id) == (waiting, None)
        assert workflow.heard == [(S.QUEUED, S.CANCELLED, "looked at QUEUED")]


class Broken(Questioner):
    """Fails on every move that leads to one of these."""

    def __init__(self, *on: TaskStatus) -> None:
        super().__init__()
        self._on = on or tuple(S)

    def moved(self, tx: Tx, before: Task, after: Task, seen: Any) -> None:
        super().moved(tx, before, after, seen)
        if after.status in self._on:
            queue(tx, asking(after, "[[answers]]"))
            raise RuntimeError("it has a bug")


async def told(bench: Workbench) -> list[str]:
    """What the notices about workflows name."""
    found = await bench.store.read(notices.open)
    return [detail for notice in found if notice.code == "workflow_failed" for detail in notice.details]


async def test_a_workflow_that_fails_on_the_end_leaves_the_task_to_the_person(tmp_path: Path) -> None:
    """BYD-8: and they can have it tried again"""
    async with await bench_of(tmp_path) as bench:
        bench.runtime.workflows[SessionKind.CHAT] = Broken(S.COMPLETE)
        session, task = await bench.begin("[[done]]")
        waiting = await bench.rest(task, S.AWAITING_RESPONSE)
        assert waiting.awaiting is Awaiting.INTERRUPTED
        assert "it has a bug" in (waiting.error_message or "")
        bench.runtime.workflows[SessionKind.CHAT] = workflow = Questioner()
        await bench.controls.reply(task.id, "Go on.")
        await bench.rest(task, S.COMPLETE)
        assert (S.RUNNING, S.COMPLETE, "looked at RUNNING") in workflow.heard
        assert len(await bench.store.read(lambda c: tasks.of_session(c, session.id))) == 2
        assert await told(bench) == []


async def test_no_task_stays_running_over_a_workflow_that_fails_on_every_move(tmp_path: Path) -> None:
    """TSK-4 BYD-8: what the workflow wrote before it failed is undone, and a notice names the task"""
    async with await bench_of(tmp_path) as bench:
        bench.runtime.workflows[SessionKind.CHAT] = Broken()
        session, task = await bench.begin("[[done]]")
        assert (await bench.rest(task, S.AWAITING_RESPONSE)).awaiting is Awaiting.INTERRUPTED
        with pytest.raises(WorkflowFailed, match="it has a bug"):
            await bench.controls.reply(task.id, "Go on.")
        _, after = await bench.controls.cancel(task.id)
        assert after
        assert after.status is S.CANCELLED
        assert await bench.store.read(lambda c: tasks.of_session(c, session.id)) == [after]
        names, problem = await told(bench)
        assert task.id in names
        assert "it has a bug" in problem


async def left_running(bench: Workbench) -> Task:
    """A task as an earlier life left it, at work."""
    await bench.runner.stop("test")
    _, task = await bench.begin("[[done]]")

    def claim(tx: Tx) -> None:
        tasks.move(tx, task, Action.CLAIM, runner=RunnerMark("an earlier boot"))
        attempts.start(tx, Attempt(task.id, 1, AttemptMode.FIRST, tx.now))

    await bench.store.write(claim)
    return task


async def test_a_start_tells_the_workflow_what_it_finds_interrupted(tmp_path: Path) -> None:
    """WEB-1 BYD-8: having had it look before"""
    async with await bench_of(tmp_path) as bench:
        task = await left_running(bench)
        bench.runtime.workflows[SessionKind.CHAT] = workflow = Questioner()
        await bench.runner.start()
        assert (await bench.task(task.id)).awaiting is Awaiting.INTERRUPTED
        assert workflow.heard == [(S.RUNNING, S.AWAITING_RESPONSE, "looked at RUNNING")]


async def test_a_workflow_that_fails_holds_up_no_start(tmp_path: Path) -> None:
    """WEB-1 BYD-8"""
    async with await bench_of(tmp_path) as bench:
        task = await left_running(bench)
        bench.runtime.workflows[SessionKind.CHAT] = Broken()
        await bench.runner.start()
        assert (await bench.task(task.id)).awaiting is Awaiting.INTERRUPTED
        assert bench.runner.state == "running"
        assert len(await told(bench)) == 2


class Staring(Questioner):
    """Does not come back from its first look."""

    def __init__(self) -> None:
        super().__init__()
        self.looking = asyncio.Event()

    async def look(self, task: Task) -> Any:
        if not self.looking.is_set():
            self.looking.set()
            await asyncio.Event().wait()


async def test_a_workflow_that_looks_for_ever_leaves_no_task_running(tmp_path: Path) -> None:
    """BYD-8"""
    clock = LiveClock()
    async with await bench_of(tmp_path, clock) as bench:
        bench.runtime.workflows[SessionKind.CHAT] = workflow = Staring()
        _, task = await bench.begin("[[done]]")
        await asyncio.wait_for(workflow.looking.wait(), WAIT)
        async with asyncio.timeout(WAIT):
            while (S.RUNNING, S.COMPLETE, None) not in workflow.heard:
                await clock.advance(LOOK_SECONDS)
        await bench.rest(task, S.COMPLETE)


class Pausing(Workflow):
    """Rests when one of its tasks is cancelled, as a feature does."""

    def moved(self, tx: Tx, before: Task, after: Task, seen: Any) -> None:
        if after.status is S.CANCELLED:
            move_session(tx, after.session_id, SessionAction.PAUSE)


async def test_a_cancelled_task_has_its_workflow_pause_the_session(tmp_path: Path) -> None:
    """TSK-3 TSK-4: one that waits in the queue and whose row goes as well"""
    async with await bench_of(tmp_path) as bench:
        session, first = await bench.begin("[[done]]")
        await bench.rest(first, S.COMPLETE)
        bench.runtime.workflows[SessionKind.CHAT] = Pausing()
        await bench.controls.hold(first.workspace_id, "")
        waiting = await bench.send(session, "[[done]]")
        await bench.controls.cancel(waiting.id)
        assert (await bench.store.read(lambda c: sessions.require(c, session.id))).status is SessionStatus.PAUSED
        again = await bench.store.write(lambda tx: move_session(tx, session.id, SessionAction.RESUME))
        assert again.status is SessionStatus.ACTIVE
        with pytest.raises(IllegalTransition):
            await bench.store.write(lambda tx: move_session(tx, session.id, SessionAction.RESUME))
