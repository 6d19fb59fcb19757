"""Two servers share a database: what one of them left is settled by its own next start, and by nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pilothouse.domain.operations import Operation, OperationKind, OperationOutcome, Phase
from pilothouse.domain.talk.steering import SteerMessage, SteerState
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import Attempt, AttemptMode, Awaiting, ResumeMode, RunnerMark, Task, TaskStatus
from pilothouse.errors import Conflict
from pilothouse.store import operations
from pilothouse.store.database import Tx
from pilothouse.store.talk import steering
from pilothouse.store.task import attempts, rollbacks, tasks
from tests.postgres import Cluster
from tests.workbench import Workbench, make_repository

S = TaskStatus
SCENARIOS = """
scenarios:
  writes:
    - write: {path: one.txt, text: "one\\n"}
  then-done:
    - write: {path: one.txt, text: "one\\n"}
    - run: until test -e ignored/go; do sleep 0.02; done
    - write: {path: two.txt, text: "two\\n"}
"""
EARLIER = RunnerMark("an earlier boot")


@pytest.fixture
def url(postgres: Cluster) -> Iterator[str]:
    url = postgres.create()
    yield url
    postgres.drop(url)


async def server(tmp_path: Path, name: str, url: str) -> Workbench:
    """One of several, each with its `DATA_DIR` and repository."""
    repo = tmp_path / f"repo-{name}"
    if not repo.exists():
        make_repository(repo, SCENARIOS)
    return await Workbench.open(tmp_path / f"data-{name}", repo, database_url=url)


@dataclass(frozen=True)
class Left:
    """What a server leaves that is killed."""

    host: str
    running: Task
    rolled_back: Task
    waiting: Task


async def left_by(bench: Workbench, tmp_path: Path) -> Left:
    """One task at work, which a message was handed to; one half rolled back; one queued. Each in its own workspace."""
    made = []
    for name in ("running", "rolled back", "waiting"):
        bench.repo = make_repository(tmp_path / name, SCENARIOS)
        session, done = await bench.begin("[[writes]]")
        made.append((session, await bench.rest(done, S.COMPLETE)))
    await bench.runner.stop("test")
    (session, _), (_, rolled_back), (third, _) = made
    running, waiting = await bench.send(session, "[[writes]]"), await bench.send(third, "[[writes]]")
    base = (await bench.store.read(lambda c: attempts.of_task(c, rolled_back.id)))[0].base
    assert base

    def leave(tx: Tx) -> None:
        assert tasks.upcoming(tx, running.workspace_id) == running
        tasks.move(tx, running, Action.CLAIM, runner=EARLIER)
        attempts.start(tx, Attempt(running.id, 1, AttemptMode.FIRST, tx.now))
        undo = "refs/pilothouse/none"
        rollbacks.add(tx, Rollback("cut-short", rolled_back.id, rolled_back.workspace_id, base, undo, tx.now))
        message = SteerMessage("handed", session.id, running.id, "Use tabs", tx.now, SteerState.HANDED)
        steering.add(tx, message)

    await bench.store.write(leave)
    return Left(bench.runtime.host_id, running, rolled_back, waiting)


async def half_done(bench: Workbench, left: Left) -> tuple[TaskStatus, list[SteerState], list[str], list[str]]:
    """What became of the task, the message, the rollback and the attempt."""

    def read(c: Connection) -> tuple[list[SteerState], list[str], list[str]]:
        messages = steering.of_task(c, left.running.id)
        cut_short = rollbacks.unfinished_of_task(c, left.rolled_back.id)
        return [one.state for one in messages], [row.id for row in cut_short], attempts.unfinished(c, left.host)

    return (await bench.task(left.running.id)).status, *await bench.store.read(read)


async def test_a_start_settles_what_its_own_host_left_and_nothing_of_another(tmp_path: Path, url: str) -> None:
    """WEB-1 BYD-8 BYD-9"""
    async with await server(tmp_path, "a", url) as first:
        left = await left_by(first, tmp_path)
    async with await server(tmp_path, "b", url) as other:
        other.runner.dispatcher.wake(left.waiting.workspace_id)
        await other.passed_over(left.waiting)
        assert (await other.task(left.running.id)).runner == EARLIER
        assert await half_done(other, left) == (S.RUNNING, [SteerState.HANDED], ["cut-short"], [left.running.id])
        with pytest.raises(Conflict, match="another server"):
            await other.controls.rollback(left.rolled_back.id)
        async with await server(tmp_path, "a", url) as again:
            assert (await again.task(left.running.id)).awaiting is Awaiting.INTERRUPTED
            assert await half_done(again, left) == (S.AWAITING_RESPONSE, [SteerState.WAITING], [], [])
            await again.rest(left.waiting, S.COMPLETE)


async def test_what_another_server_is_at_goes_on_whatever_this_one_does(tmp_path: Path, url: str) -> None:
    """WEB-1 BYD-9"""
    async with await server(tmp_path, "a", url) as first:
        _, task = await first.begin("[[then-done]]")
        await first.until_event("step.tool_finished", task.id)
        async with await server(tmp_path, "b", url) as other:
            assert (await other.task(task.id)).status is S.RUNNING
        (first.repo / "ignored").mkdir()
        (first.repo / "ignored" / "go").touch()
        await first.rest(task, S.COMPLETE)
        assert (first.repo / "two.txt").exists()


async def test_an_operation_is_cut_short_by_its_own_server_alone(tmp_path: Path, url: str) -> None:
    """WEB-8 BYD-9"""
    async with await server(tmp_path, "a", url) as first, await server(tmp_path, "b", url) as other:
        for bench in (first, other):
            await bench.runner.stop("test")
        now, host = first.clock.now(), first.runtime.host_id
        left = Operation("left", OperationKind.BUILD, "an earlier boot", host, now).entered(Phase.BUILD, now)
        await first.store.write(lambda tx: operations.add(tx, left))
        await other.operations.boot()
        assert other.operations.last is None
        assert await first.store.read(partial(operations.get, operation_id="left")) == left
        await first.operations.boot()
        assert first.operations.last
        assert first.operations.last.outcome is OperationOutcome.CUT_SHORT


async def test_two_servers_have_the_same_path_each_with_a_directory_of_its_own(tmp_path: Path, url: str) -> None:
    """BYD-9: one project, and each runs what was sent to it"""
    async with await server(tmp_path, "a", url) as first, await server(tmp_path, "b", url) as other:
        session, task = await first.begin("[[writes]]")
        await first.rest(task, S.COMPLETE)
        other.repo = first.repo
        _, theirs = await other.begin("[[writes]]")
        done = await other.rest(theirs, S.COMPLETE)
        assert (done.project_id, done.workspace_id == task.workspace_id) == (task.project_id, False)
        assert (await other.directory(task.project_id)).id == done.workspace_id
        assert (await first.directory(task.project_id)).id == task.workspace_id
        with pytest.raises(Conflict, match="another server"):
            await other.send(session, "[[writes]]")


async def test_a_task_is_queued_again_by_the_server_that_runs_it_alone(tmp_path: Path, url: str) -> None:
    """BYD-9: nobody would run it, and it would wait for ever"""
    async with await server(tmp_path, "a", url) as first:
        left = await left_by(first, tmp_path)
    async with await server(tmp_path, "a", url) as first, await server(tmp_path, "b", url) as other:
        waits = await first.task(left.running.id)
        assert waits.awaiting is Awaiting.INTERRUPTED
        with pytest.raises(Conflict, match="another server"):
            await other.controls.reply(waits.id, "Go on.")
        with pytest.raises(Conflict, match="another server"):
            await other.controls.resume(waits.id, ResumeMode.ROLLBACK)
        assert await first.task(waits.id) == waits
        await first.controls.reply(waits.id, "Go on.")
        await first.rest(waits, S.COMPLETE)
