"""Work for a workspace where nothing is before it: written down and taken up at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pilothouse.domain.sessions import Session
from pilothouse.domain.tasks import Awaiting, Task, TaskStatus
from pilothouse.errors import Conflict
from pilothouse.workflows.chat import Message, Opening
from tests.workbench import WAIT, Workbench, make_repository

SCENARIOS = """
scenarios:
  writes:
    - write: {path: a.txt, text: "a\\n"}
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


async def test_a_message_with_nothing_before_it_is_claimed_as_it_is_queued(tmp_path: Path) -> None:
    """TSK-2: and what the sender is told is how it was queued"""
    async with await opened(tmp_path) as bench:
        session, first = await bench.begin("[[waits]]")
        assert first.status is TaskStatus.QUEUED
        assert (await bench.task(first.id)).status is TaskStatus.RUNNING
        second = await bench.send(session, "[[writes]]")
        assert (await bench.task(second.id)).status is TaskStatus.QUEUED
        await bench.controls.cancel(first.id)
        await bench.rest(second, TaskStatus.COMPLETE)


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
        stop = meanwhile(bench.runner.dispatcher.close)

        def read(c: Connection, session: Session, task: Task | None) -> Task | None:
            stop()
            return task

        task = await bench.chat.begin(opening(bench, "[[waits]]"), read)
        assert task is not None
        await asyncio.wait_for(bench.runner.dispatcher.settled(), WAIT)
        assert (await bench.task(task.id)).status is TaskStatus.QUEUED


async def test_a_runner_that_interrupts_in_the_moment_of_a_claim_reaches_that_too(tmp_path: Path) -> None:
    """PLT-4"""
    async with await opened(tmp_path) as bench:
        interrupt = meanwhile(bench.runner.dispatcher.interrupt_all)

        def read(c: Connection, session: Session, task: Task | None) -> Task | None:
            interrupt()
            return task

        task = await bench.chat.begin(opening(bench, "[[waits]]"), read)
        assert task is not None
        left = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
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
