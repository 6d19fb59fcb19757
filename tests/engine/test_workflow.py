"""A workflow hears of every move of its sessions' tasks, and adds the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pilothouse.domain.session.session import SessionKind
from pilothouse.domain.task.task import Purpose, Task, TaskStatus
from pilothouse.engine.transition import queue
from pilothouse.engine.workflow import Workflow
from pilothouse.store.database import Tx
from pilothouse.store.task import tasks
from tests.engine.asks import asking, bench_of

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
