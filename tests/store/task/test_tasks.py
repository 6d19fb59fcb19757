from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.scope import Scope
from pilothouse.domain.task.task import (
    Awaiting,
    ErrorKind,
    Proposal,
    Reply,
    ResumeMode,
    RunnerMark,
    Task,
    TaskOptions,
    TaskStatus,
    Verdict,
)
from pilothouse.errors import IllegalTransition, NotFound
from pilothouse.store import events
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import overview, sessions, workspaces
from pilothouse.store.task import tasks
from tests.store.samples import HOST, MARK, NOW, awaiting, claim, furnish, move, session, submit, task, workspace


@pytest.fixture(autouse=True)
async def _furnished(store: Store) -> None:
    await store.write(furnish)


async def test_a_task_comes_back_exactly_as_it_was_stored(store: Store) -> None:
    """WEB-12"""
    whole = task(
        "t",
        prompt="Fix add\n\twith ‘quotes’, 漢字 and 🙂",
        scope=Scope(("no new dependency",), ("speed",), ("src/**",)),
        options=TaskOptions(timeout_profile="long"),
        output="Done?",
        summary="Fixed add",
        error_kind=ErrorKind.GUARD,
        error_message="no",
        verdict=Verdict.PASS,
        resume_mode=ResumeMode.SOFT,
        pending_reply="yes",
        replies=(Reply("A", NOW, "Which?", 1), Reply("B", NOW, "And now?", 2, replayed=True)),
        question="Which?",
        agent_session="agent-7",
        runner=RunnerMark("boot", 12, 3.5),
        holds_workspace=True,
        milestone="Making changes",
        files_changed=3,
        insertions=10,
        deletions=2,
        cost_usd=0.125,
        started_at=NOW,
        finished_at=NOW,
        attempt=2,
    )
    stored = await store.write(lambda tx: tasks.add(tx, whole))
    assert stored == replace(whole, place=1)
    assert await store.read(lambda c: tasks.get(c, "t")) == stored


async def test_a_task_keeps_its_counters_doubts_and_proposal(store: Store) -> None:
    """TSK-7, TSK-9, BYD-4"""
    await submit(store, "t")
    doubt = Doubt(DoubtKind.TEST_SKIPPED, "test_calc.py", 4, "test_add", "test_add is skipped now.")
    changes = {"loop": LoopState(4, 1, 1), "doubts": (doubt,), "proposal": Proposal("b", "c", "refs/x")}
    changed = await store.write(lambda tx: tasks.update(tx, "t", **changes))
    assert (changed.loop, changed.doubts, changed.proposal) == tuple(changes.values())
    assert await store.read(lambda c: tasks.get(c, "t")) == changed


async def test_a_queue_is_first_come_first_served_and_runs_one_at_a_time(store: Store) -> None:
    """TSK-2"""
    await submit(store, "a", "b", "c")
    done = []
    while (running := await claim(store)) is not None:
        assert await claim(store) is None
        assert [found.id for found in await store.read(lambda c: tasks.running_on(c, HOST))] == [running.id]
        done.append(running.id)
        await move(store, running, Action.FINISH, verdict=Verdict.NO_CHANGES)
    assert done == ["a", "b", "c"]


async def test_order_survives_a_restart(store: Store, url: str, clock: ManualClock) -> None:
    """TSK-2"""
    await submit(store, "b", "a", "c")
    await store.close()
    again = await Store.open(url, clock)
    try:
        assert [found.id for found in await again.read(lambda c: tasks.queue(c, "w"))] == ["b", "a", "c"]
        assert await again.read(lambda c: workspaces.with_queued(c, HOST)) == ["w"]
        first = await claim(again)
        assert first
        assert first.id == "b"
    finally:
        await again.close()


async def test_workspaces_run_side_by_side(store: Store) -> None:
    """TSK-2"""

    def second(tx: Tx) -> None:
        workspaces.add(tx, workspace("w2", path="/home/ada/tree"))
        sessions.add(tx, session("s2", workspace_id="w2"))

    await store.write(second)
    await submit(store, "a")
    await submit(store, "b", workspace_id="w2", session_id="s2")
    both = [await claim(store, "w"), await claim(store, "w2")]
    assert [found.id for found in both if found] == ["a", "b"]
    assert len(await store.read(lambda c: tasks.running_on(c, HOST))) == 2


async def test_the_schema_itself_refuses_a_second_running_task(store: Store) -> None:
    """TSK-2"""
    await submit(store, "a")
    await claim(store)
    with pytest.raises(IntegrityError):
        await submit(store, "b", status=TaskStatus.RUNNING, attempt=1)


async def test_a_claim_marks_who_runs_it_and_counts_the_attempt(store: Store, clock: ManualClock) -> None:
    """WEB-12"""
    await submit(store, "a")
    await clock.advance(60)
    running = await claim(store)
    assert running
    assert (running.status, running.attempt, running.runner) == (TaskStatus.RUNNING, 1, MARK)
    assert running.started_at == running.updated_at == clock.now()


async def test_a_replied_task_runs_before_those_submitted_after_it(store: Store) -> None:
    """TSK-2, RPL-1"""
    waiting = await awaiting(store, "a", question="Which?")
    await submit(store, "b")
    replied = await move(store, waiting, Action.REPLY, pending_reply="A")
    assert (replied.status, replied.awaiting, replied.question) == (TaskStatus.QUEUED, None, None)
    running = await claim(store)
    assert running
    assert (running.id, running.attempt, running.pending_reply) == ("a", 2, "A")


async def test_a_task_whose_changes_wait_in_the_tree_holds_the_workspace(store: Store) -> None:
    """TSK-2, TSK-3"""
    waiting = await awaiting(store, "a", holds_workspace=True)
    await submit(store, "b")
    assert await claim(store) is None
    found = await store.read(lambda c: tasks.holder(c, "w"))
    assert found
    assert found.id == "a"
    cancelled = await move(store, waiting, Action.CANCEL)
    assert not cancelled.holds_workspace
    following = await claim(store)
    assert following
    assert following.id == "b"


async def test_an_older_task_does_not_start_on_top_of_changes_that_wait(store: Store) -> None:
    """TSK-2"""
    older = await awaiting(store, "older")
    newer = await awaiting(store, "newer", holds_workspace=True)
    await move(store, older, Action.REPLY)
    assert await claim(store) is None
    await move(store, newer, Action.REPLY)
    await submit(store, "newest", "last")
    queued = await store.read(lambda c: tasks.queue(c, "w"))
    assert [found.id for found in queued] == ["newer", "older", "newest", "last"]
    assert await store.read(lambda c: [tasks.position(c, one) for one in queued]) == [1, 2, 3, 4]
    first = await claim(store)
    assert first
    assert (first.id, first.holds_workspace) == ("newer", False)


async def test_a_claim_takes_along_what_else_changes_at_that_moment(store: Store) -> None:
    """TSK-2, WEB-12"""
    await submit(store, "a")
    upcoming = await store.write(lambda tx: tasks.upcoming(tx, "w"))
    assert upcoming
    claimed = await store.write(
        lambda tx: tasks.move(tx, upcoming, Action.CLAIM, runner=MARK, milestone="Saving", resume_mode=None)
    )
    assert (claimed.status, claimed.milestone, claimed.attempt) == (TaskStatus.RUNNING, "Saving", 1)
    assert await store.read(lambda c: tasks.get(c, "a")) == claimed
    shown = await store.read(lambda c: overview.row(c, "s"))
    assert shown
    assert (shown.task_status, shown.doing) == (TaskStatus.RUNNING, "Saving")
    assert await store.write(lambda tx: tasks.upcoming(tx, "w")) is None
    with pytest.raises(IllegalTransition):
        await store.write(lambda tx: tasks.move(tx, upcoming, Action.CLAIM, runner=MARK))
    with pytest.raises(TypeError):
        await store.write(lambda tx: tasks.move(tx, upcoming, Action.CLAIM, runner=MARK, place=7))


async def test_a_held_workspace_starts_nothing_until_it_is_released(store: Store) -> None:
    """TSK-17"""
    await submit(store, "a")
    held = await store.write(lambda tx: workspaces.hold(tx, "w", "let me look"))
    assert (held.held, held.held_reason) == (True, "let me look")
    assert await claim(store) is None
    released = await store.write(lambda tx: workspaces.release(tx, "w"))
    assert (released.held, released.held_at) == (False, None)
    assert await claim(store) is not None


async def test_a_queued_task_is_removed_without_a_trace(store: Store) -> None:
    """TSK-3"""
    await submit(store, "a", "b", "c")
    await store.write(lambda tx: tasks.remove(tx, "b"))
    assert await store.read(lambda c: tasks.get(c, "b")) is None
    assert [found.id for found in await store.read(lambda c: tasks.queue(c, "w"))] == ["a", "c"]
    assert (await store.read(events.head))[0] == 0
    with pytest.raises(NotFound):
        await store.write(lambda tx: tasks.remove(tx, "b"))


async def test_a_place_is_never_given_twice(store: Store) -> None:
    """TSK-2"""
    (first,) = await submit(store, "a")
    await store.write(lambda tx: tasks.remove(tx, "a"))
    (second,) = await submit(store, "b")
    assert second.place > first.place


async def test_a_task_that_has_started_cannot_be_removed(store: Store) -> None:
    """TSK-3"""
    waiting = await awaiting(store, "a")
    queued_again = await move(store, waiting, Action.REPLY)
    assert queued_again.status is TaskStatus.QUEUED
    with pytest.raises(IllegalTransition, match="has started"):
        await store.write(lambda tx: tasks.remove(tx, "a"))


async def test_two_replies_at_once_one_wins(store: Store) -> None:
    """RPL-7"""
    waiting = await awaiting(store, "a")
    results = await asyncio.gather(
        *[move(store, waiting, Action.REPLY, pending_reply=text) for text in ("first", "second")],
        return_exceptions=True,
    )
    won = [result for result in results if isinstance(result, Task)]
    lost = [result for result in results if isinstance(result, IllegalTransition)]
    assert (len(won), len(lost)) == (1, 1)
    assert "moved on" in lost[0].message
    present = await store.read(lambda c: tasks.get(c, "a"))
    assert present == won[0]


async def test_two_claims_at_once_one_wins(store: Store) -> None:
    """TSK-2"""
    await submit(store, "a", "b")
    results = await asyncio.gather(*[claim(store) for _ in range(8)])
    assert [found.id for found in results if found] == ["a"]


async def test_what_ended_meanwhile_cannot_be_ended_again(store: Store) -> None:
    """TSK-4"""
    await submit(store, "a")
    running = await claim(store)
    assert running
    await move(store, running, Action.CANCEL)
    with pytest.raises(IllegalTransition):
        await move(store, running, Action.FINISH, verdict=Verdict.PASS)
    present = await store.read(lambda c: tasks.get(c, "a"))
    assert present
    assert (present.status, present.runner, present.verdict) == (TaskStatus.CANCELLED, None, None)
    assert present.finished_at is not None


async def test_a_status_seen_in_an_earlier_attempt_does_not_count(store: Store) -> None:
    """TSK-4"""
    first = await awaiting(store, "a")
    await move(store, first, Action.REPLY)
    again = await claim(store)
    assert again
    await move(store, again, Action.AWAIT, awaiting=Awaiting.QUESTION)
    with pytest.raises(IllegalTransition, match="attempt 2"):
        await move(store, first, Action.REPLY, pending_reply="late")


async def test_a_resumed_error_starts_clean(store: Store) -> None:
    """WEB-12"""
    await submit(store, "a")
    running = await claim(store)
    assert running
    failed = await move(store, running, Action.FAIL, error_kind=ErrorKind.AGENT, error_message="gone")
    assert failed.finished_at is not None
    resumed = await move(store, failed, Action.RESUME, resume_mode=ResumeMode.ROLLBACK)
    assert (resumed.error_kind, resumed.error_message, resumed.finished_at) == (None, None, None)
    again = await claim(store)
    assert again
    assert (again.attempt, again.resume_mode, again.started_at) == (2, ResumeMode.ROLLBACK, running.started_at)


async def test_only_moves_change_a_status(store: Store) -> None:
    """TSK-4"""
    await submit(store, "a")
    wrong: tuple[dict[str, Any], ...] = ({"status": TaskStatus.COMPLETE}, {"place": 9}, {"nonsense": 1})
    for forbidden in wrong:
        with pytest.raises(TypeError):
            await store.write(partial(tasks.update, task_id="a", **forbidden))
    changed = await store.write(lambda tx: tasks.update(tx, "a", milestone="Looking"))
    assert changed.milestone == "Looking"
    with pytest.raises(NotFound):
        await store.write(lambda tx: tasks.update(tx, "none", milestone="x"))


async def test_the_newest_of_a_workspace_is_the_one_that_ran_last(store: Store, clock: ManualClock) -> None:
    """WEB-13"""
    assert await store.read(lambda c: tasks.newest_of_workspace(c, "w")) is None
    waiting = await awaiting(store, "a")
    await clock.advance(1)
    await submit(store, "b", "never-ran")
    running = await claim(store)
    assert running
    await move(store, running, Action.FINISH, verdict=Verdict.PASS)
    newest = await store.read(lambda c: tasks.newest_of_workspace(c, "w"))
    assert newest
    assert newest.id == "b"
    await clock.advance(1)
    await move(store, waiting, Action.REPLY)
    await claim(store)
    newest = await store.read(lambda c: tasks.newest_of_workspace(c, "w"))
    assert newest
    assert newest.id == "a"


async def test_tasks_of_a_session_are_paged_in_order(store: Store) -> None:
    await submit(store, *"abcde")
    first = await store.read(lambda c: tasks.of_session(c, "s", 0, 3))
    rest = await store.read(lambda c: tasks.of_session(c, "s", first[-1].place, 3))
    assert [found.id for found in first + rest] == list("abcde")
    counted = await store.read(lambda c: tasks.counts(c, HOST))
    assert counted[TaskStatus.QUEUED] == 5
    assert counted[TaskStatus.RUNNING] == 0
