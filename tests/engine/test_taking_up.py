"""Work for a workspace where nothing is before it: written down and taken up at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Connection, text

from pilothouse.domain.checks import Check
from pilothouse.domain.sessions import Session
from pilothouse.domain.tasks import Awaiting, Task, TaskStatus
from pilothouse.errors import Conflict
from pilothouse.store import projects, tasks
from pilothouse.store.database import Tx
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import WAIT, Workbench, make_repository

SCENARIOS = """
scenarios:
  writes:
    - write: {path: a.txt, text: "a\\n"}
    - say: Written.
  more:
    - write: {path: b.txt, text: "b\\n"}
    - say: Written.
  waits:
    - wait: 600
"""


async def opened(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


def meanwhile(*acts: Callable[[], object]) -> Callable[[], None]:
    """For the thread that writes: has this done on the event loop, and waits until it is."""
    loop = asyncio.get_running_loop()

    def done() -> None:
        over = threading.Event()
        for act in (*acts, over.set):
            loop.call_soon_threadsafe(act)
        assert over.wait(WAIT)

    return done


def opening(bench: Workbench, text: str) -> Opening:
    return Opening(str(bench.repo), message=Message(text, agent="rehearsal"))


async def idle(bench: Workbench, prompt: str = "[[writes]]") -> Task:
    """One for a workspace where nobody looks."""
    _, done = await bench.begin("[[writes]]")
    await bench.rest(done, TaskStatus.COMPLETE)
    await bench.runner.dispatcher.settled()
    return replace(done, id=uuid4().hex, prompt=prompt, attempt=0, started_at=None, status=TaskStatus.QUEUED)


def told(tx: Tx, added: Task, claimed: Task | None) -> Task:
    return claimed or added


async def test_a_message_with_nothing_before_it_is_claimed_as_it_is_queued(tmp_path: Path) -> None:
    """TSK-2: and its sender is told so"""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[waits]]")
        assert (first.status, first.attempt) == (TaskStatus.RUNNING, 1)
        second = await bench.send(session, "[[writes]]")
        assert second.status is TaskStatus.QUEUED
        assert (await bench.task(second.id)).status is TaskStatus.QUEUED
        await bench.controls.cancel(first.id)
        await bench.rest(second, TaskStatus.COMPLETE)


async def test_what_is_stored_while_the_workspace_is_held_counts_for_an_attempt_that_waits_for_it(
    tmp_path: Path,
) -> None:
    """RPL-2: what was read at the claim is old by then"""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[writes]]")
        await bench.rest(first, TaskStatus.COMPLETE)

        async def edit(check: str) -> None:
            await bench.store.write(lambda tx: projects.edit_checks(tx, session.project_id, (Check(check, "true"),)))

        await edit("old")
        async with bench.runtime.lock(session.workspace_id):
            task = await bench.send(session, "[[more]]")
            assert (await bench.task(task.id)).status is TaskStatus.RUNNING
            await edit("new")
        await bench.rest(task, TaskStatus.COMPLETE)
        assert [found.name for found in (await bench.task(task.id)).checks or ()] == ["new"]


async def test_what_is_near_a_task_is_read_with_its_claim(tmp_path: Path) -> None:
    """BYD-14: the agent does not wait for it to be read again"""
    async with await opened(tmp_path) as bench:
        task = await idle(bench, "[[more]]")

        def checked(tx: Tx, name: str) -> None:
            projects.edit_checks(tx, task.project_id, (Check(name, "true"),))

        def add(tx: Tx) -> Task:
            checked(tx, "before")
            return tasks.add(tx, task)

        await bench.runner.dispatcher.queue(task.workspace_id, add, lambda tx, *_: checked(tx, "after"))
        await bench.rest(task, TaskStatus.COMPLETE)
        assert [found.name for found in (await bench.task(task.id)).checks or ()] == ["before"]


async def test_what_is_near_a_task_and_cannot_be_read_is_told_by_its_attempt(tmp_path: Path) -> None:
    """TSK-2: it neither waits for ever nor holds up what is behind it"""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[writes]]")
        await bench.rest(first, TaskStatus.COMPLETE)
        damage = text("UPDATE projects SET checks = '{' WHERE id = :id")
        task = await idle(bench)

        def add(tx: Tx) -> Task:
            tx.conn.execute(damage, {"id": session.project_id})
            return tasks.add(tx, task)

        assert (await bench.runner.dispatcher.queue(task.workspace_id, add, told)).status is TaskStatus.RUNNING
        left = await bench.rest(task, TaskStatus.ERROR)
        assert left.error_message


async def test_what_was_claimed_runs_though_its_sender_has_gone(tmp_path: Path) -> None:
    """BYD-8: or it would be shown as running with nobody behind it"""
    async with await opened(tmp_path) as bench:
        made: list[Task] = []
        leave = meanwhile(lambda: sending.cancel())

        def read(c: Connection, session: Session, task: Task | None) -> None:
            made.extend([task] if task else [])
            leave()

        sending = asyncio.create_task(bench.chat.begin(opening(bench, "[[writes]]"), read))
        with pytest.raises(asyncio.CancelledError):
            await sending
        await bench.rest(made[0], TaskStatus.COMPLETE)


async def test_a_runner_that_stops_in_the_moment_of_a_claim_leaves_the_message_queued(tmp_path: Path) -> None:
    """PLT-4"""
    async with await opened(tmp_path) as bench:
        dispatcher, waits = bench.runner.dispatcher, await idle(bench, "[[waits]]")
        stop = meanwhile(dispatcher.close)

        def add(tx: Tx) -> Task:
            stop()
            return tasks.add(tx, waits)

        assert (await dispatcher.queue(waits.workspace_id, add, told)).status is TaskStatus.QUEUED
        await asyncio.wait_for(dispatcher.settled(), WAIT)
        assert (await bench.task(waits.id)).status is TaskStatus.QUEUED


async def test_a_runner_that_interrupts_in_the_moment_of_a_claim_reaches_that_too(tmp_path: Path) -> None:
    """PLT-4"""
    async with await opened(tmp_path) as bench:
        dispatcher, waits = bench.runner.dispatcher, await idle(bench, "[[waits]]")
        interrupt = meanwhile(dispatcher.interrupt_all)

        def add(tx: Tx) -> Task:
            interrupt()
            return tasks.add(tx, waits)

        assert (await dispatcher.queue(waits.workspace_id, add, told)).status is TaskStatus.RUNNING
        left = await bench.rest(waits, TaskStatus.AWAITING_RESPONSE)
        assert left.awaiting is Awaiting.INTERRUPTED


async def test_a_refused_message_leaves_the_queue_as_it_was(tmp_path: Path) -> None:
    """TSK-2: also where somebody else queued work meanwhile"""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[writes]]")
        await bench.rest(first, TaskStatus.COMPLETE)
        await bench.runner.dispatcher.settled()
        waits: list[asyncio.Task[Task]] = []
        send = meanwhile(lambda: waits.append(asyncio.create_task(bench.send(session, "[[writes]]"))))

        def read(c: Connection, session: Session, task: Task | None) -> None:
            send()
            raise Conflict("No.")

        with pytest.raises(Conflict):
            await bench.chat.begin(opening(bench, "[[writes]]"), read)
        await bench.rest(await waits[0], TaskStatus.COMPLETE)


async def test_whoever_looks_for_work_while_a_message_is_refused_is_heard(tmp_path: Path) -> None:
    """TSK-2"""
    async with await opened(tmp_path) as bench:
        dispatcher, waiting = bench.runner.dispatcher, await idle(bench)
        await bench.store.write(lambda tx: tasks.add(tx, waiting))
        look = meanwhile(lambda: dispatcher.wake(waiting.workspace_id))

        def refuse(tx: Tx) -> Task:
            look()
            raise Conflict("No.")

        with pytest.raises(Conflict):
            await dispatcher.queue(waiting.workspace_id, refuse, told)
        await bench.rest(waiting, TaskStatus.COMPLETE)


async def test_what_was_queued_behind_another_is_looked_at_though_its_sender_has_gone(tmp_path: Path) -> None:
    """TSK-2 BYD-8"""
    async with await opened(tmp_path) as bench:
        dispatcher, waiting = bench.runner.dispatcher, await idle(bench)
        sending: list[asyncio.Task[Task]] = []

        def send() -> None:
            queueing = dispatcher.queue(waiting.workspace_id, lambda tx: tasks.add(tx, waiting), told)
            sending.append(asyncio.create_task(queueing))

        acts = [meanwhile(send), meanwhile(), meanwhile(lambda: sending[0].cancel()), meanwhile()]

        def refuse(tx: Tx) -> Task:
            for act in acts:
                act()
            raise Conflict("No.")

        with pytest.raises(Conflict):
            await dispatcher.queue(waiting.workspace_id, refuse, told)
        with pytest.raises(asyncio.CancelledError):
            await sending[0]
        await bench.rest(waiting, TaskStatus.COMPLETE)


async def test_a_message_is_written_down_though_what_is_before_it_cannot_be_claimed(tmp_path: Path) -> None:
    """TSK-2: a row that somebody damaged is no reason to refuse another's words"""
    async with await opened(tmp_path) as bench:
        damaged = await idle(bench)
        await bench.store.write(lambda tx: tasks.add(tx, damaged))
        damage = text("UPDATE tasks SET options = '{' WHERE id = :id")
        await bench.store.write(lambda tx: tx.conn.execute(damage, {"id": damaged.id}))
        behind = replace(damaged, id=uuid4().hex)
        sent = await bench.runner.dispatcher.queue(damaged.workspace_id, lambda tx: tasks.add(tx, behind), told)
        assert sent.status is TaskStatus.QUEUED
        assert (await bench.task(sent.id)).status is TaskStatus.QUEUED
        await bench.store.write(
            lambda tx: tx.conn.execute(text("DELETE FROM tasks WHERE id = :id"), {"id": damaged.id})
        )
