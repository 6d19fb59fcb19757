"""Attempts, steps, rollbacks, questions, notices, projects and remembered answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy.exc import IntegrityError

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.event.talk import Option
from pilothouse.domain.talk.questions import Question
from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.domain.task.task import Attempt, AttemptMode, Step, StepKind
from pilothouse.errors import Conflict, NotFound
from pilothouse.store import idempotency, notices
from pilothouse.store.database import Store
from pilothouse.store.session import projects, workspaces
from pilothouse.store.talk import questions
from pilothouse.store.task import attempts, rollbacks, steps
from tests.store.samples import NOW, furnish, project, submit, workspace


@pytest.fixture(autouse=True)
async def _furnished(store: Store) -> None:
    await store.write(furnish)
    await submit(store, "t")


async def test_projects_and_workspaces_come_back(store: Store) -> None:
    assert await store.read(projects.all) == [project()]
    assert await store.read(lambda c: projects.get(c, "none")) is None
    assert await store.read(lambda c: workspaces.get(c, "w")) == workspace()
    assert await store.read(lambda c: workspaces.of_project(c, "p")) == [workspace()]
    with pytest.raises(NotFound):
        await store.write(lambda tx: workspaces.hold(tx, "none", ""))


async def test_an_attempt_is_started_changed_and_finished(store: Store, clock: ManualClock) -> None:
    """WEB-12"""
    first = Attempt("t", 1, AttemptMode.FIRST, NOW, checkpoint="c0ffee")
    await store.write(lambda tx: attempts.start(tx, first))
    await store.write(lambda tx: attempts.update(tx, "t", 1, patch_sha256="a" * 64))
    done = await store.write(lambda tx: attempts.finish(tx, "t", 1, outcome="done"))
    assert done == replace(first, outcome="done", finished_at=clock.now(), patch_sha256="a" * 64)
    assert await store.read(lambda c: attempts.get(c, "t", 1)) == done
    assert await store.read(lambda c: attempts.of_task(c, "t")) == [done]
    with pytest.raises(NotFound):
        await store.write(lambda tx: attempts.finish(tx, "t", 2, outcome="done"))


async def test_the_step_log_keeps_every_step_in_order(store: Store, clock: ManualClock) -> None:
    """WEB-12"""
    for attempt, number in ((1, 1), (1, 2), (2, 1)):
        step = Step(f"{attempt}-{number}", "t", attempt, number, StepKind.EDIT, "Fix add", NOW)
        await store.write(partial(steps.start, step=step))
    done = await store.write(lambda tx: steps.finish(tx, "1-2", outcome="done", exit_code=0, output_to=17))
    assert (done.outcome, done.exit_code, done.output_to, done.finished_at) == ("done", 0, 17, clock.now())
    assert [step.id for step in await store.read(lambda c: steps.of_task(c, "t"))] == ["1-1", "1-2", "2-1"]
    assert [step.id for step in await store.read(lambda c: steps.of_task(c, "t", 2))] == ["2-1"]


async def test_a_rollback_is_undone_once(store: Store) -> None:
    """BYD-3"""
    older = Rollback("r1", "t", "w", "c1", "u1", NOW, files=1)
    newer = Rollback("r2", "t", "w", "c2", "u2", NOW + timedelta(seconds=1), replay=True)
    for rollback in (older, newer):
        await store.write(partial(rollbacks.add, rollback=rollback))
    assert await store.read(lambda c: rollbacks.newest_undoable(c, "t")) == newer
    await store.write(lambda tx: rollbacks.mark_undone(tx, "r2"))
    assert await store.read(lambda c: rollbacks.newest_undoable(c, "t")) == older
    with pytest.raises(Conflict):
        await store.write(lambda tx: rollbacks.mark_undone(tx, "r2"))
    with pytest.raises(NotFound):
        await store.write(lambda tx: rollbacks.mark_undone(tx, "none"))


async def test_a_question_is_answered_once(store: Store, clock: ManualClock) -> None:
    """WEB-5"""
    options = (Option(value="A", label="Flat", recommended=True), Option(value="B", label="Nested"))
    asked = Question("q", "s", "t", 1, "single_choice", "Which structure?", NOW, options)
    await store.write(lambda tx: questions.ask(tx, asked))
    assert await store.read(lambda c: questions.open_of_task(c, "t")) == [asked]
    answered = await store.write(lambda tx: questions.answer(tx, "q", "A", replayed=True))
    assert answered == replace(asked, answer="A", answered_at=clock.now(), replayed=True)
    assert await store.read(lambda c: questions.open_of_task(c, "t")) == []
    assert await store.read(lambda c: questions.of_session(c, "s")) == [answered]
    assert await store.read(lambda c: questions.of_task(c, "t")) == [answered]
    with pytest.raises(Conflict):
        await store.write(lambda tx: questions.answer(tx, "q", "B"))


async def test_a_notice_stands_until_it_is_dismissed_and_never_twice(store: Store) -> None:
    """PLT-9"""
    for _ in range(2):
        await store.write(lambda tx: notices.add(tx, "backup_failed", "No room", ["/data"]))
    (notice,) = await store.read(notices.open)
    assert (notice.code, notice.details) == ("backup_failed", ("/data",))
    await store.write(lambda tx: notices.dismiss(tx, notice.id))
    assert await store.read(notices.open) == []


async def test_an_answer_is_remembered_for_a_day(store: Store, clock: ManualClock) -> None:
    """PLT-2"""
    await store.write(lambda tx: idempotency.remember(tx, "key", "POST /x", "hash", 201, '{"id": 1}'))
    found = await store.read(lambda c: idempotency.find(c, "key", "POST /x", clock.now()))
    assert found
    assert (found.body_hash, found.status, found.response) == ("hash", 201, '{"id": 1}')
    assert await store.read(lambda c: idempotency.find(c, "key", "POST /y")) is None
    with pytest.raises(IntegrityError):
        await store.write(lambda tx: idempotency.remember(tx, "key", "POST /x", "other", 201, "{}"))
    await clock.advance(25 * 3600)
    assert await store.read(lambda c: idempotency.find(c, "key", "POST /x", clock.now())) is None
    await store.write(lambda tx: idempotency.remember(tx, "key2", "POST /x", "hash", 201, "{}"))
    assert await store.read(lambda c: idempotency.find(c, "key", "POST /x")) is None
