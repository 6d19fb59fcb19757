"""Rollbacks, undos and commits that a kill cut short are finished by the next start, and never done twice."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from pilothouse.domain.task.task import ResumeMode, Task, TaskStatus
from pilothouse.engine.workspace import refs
from pilothouse.store import events, idempotency
from pilothouse.store.idempotency import UNANSWERED, Mark
from pilothouse.store.task import rollbacks
from tests.crash import matrix
from tests.crash.aftermath import Survivor
from tests.crash.journal import Journal, State, state_of
from tests.crash.matrix import Kill
from tests.crash.scripts import MESSAGE, SCOPE
from tests.crash.victim import Hangman
from tests.workbench import git

T = TypeVar("T")


def began(journal: Journal, task: Task) -> State | None:
    return journal.first_state(refs.step(replace(task, attempt=1), 0))


def before_undo(journal: Journal) -> State | None:
    """What the first rollback found; none where it had not come to look."""
    return next((row["state"] for row in journal.lines("state") if "/undo/" in row["ref"]), None)


async def asked_again(bench: Survivor, key: int, deed: Awaitable[T]) -> T:
    """The request with the same key, as the server hands it on after a crash."""
    found = await bench.store.read(lambda c: idempotency.find(c, str(key), SCOPE))
    assert found is None or found.status == UNANSWERED
    token = idempotency.current.set(Mark(str(key), SCOPE, "", begun=found.response if found else ""))
    try:
        return await deed
    finally:
        idempotency.current.reset(token)


async def told(bench: Survivor, type_: str) -> int:
    return len(await bench.store.read(lambda c: events.of_types(c, [type_], 0)))


async def test_a_replay_that_died_while_it_rolled_back_waits_on_a_whole_tree(hangman: Hangman, tmp_path: Path) -> None:
    """BYD-8 WEB-3"""
    matrix.execute(hangman, Kill("replay", "tree.changing restore", 2), tmp_path)
    journal = Journal(tmp_path / "journal")
    half_way = state_of(tmp_path / "repo")
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        (task,) = await bench.everything()
        whole = began(journal, task)
        assert state_of(bench.repo) == whole != half_way
        assert await bench.store.read(lambda c: rollbacks.unfinished(c, bench.runtime.host_id)) == []
        (row,) = await bench.store.read(lambda c: rollbacks.of_task(c, task.id))
        await bench.controls.undo_rollback(task.id, row.id)
        assert state_of(bench.repo) == before_undo(journal)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.release()
        await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.AWAITING_RESPONSE)
        await bench.mirror.stop()


@pytest.mark.parametrize(
    ("point", "nth"),
    [
        ("write.inside _announced", 1),
        ("write.returned _announced", 1),
        ("tree.changing restore", 3),
        ("write.before _carry_out", 1),
        ("write.returned _carry_out", 1),
    ],
)
async def test_a_rollback_asked_for_again_after_a_kill_is_done_once(
    hangman: Hangman, tmp_path: Path, point: str, nth: int
) -> None:
    """BYD-8 PLT-2"""
    matrix.execute(hangman, Kill("rollback", point, nth), tmp_path)
    journal = Journal(tmp_path / "journal")
    found = before_undo(journal) or state_of(tmp_path / "repo")
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        (task,) = await bench.everything()
        done = await asked_again(bench, 1, bench.controls.rollback(task.id))
        assert state_of(bench.repo) == began(journal, task)
        assert await told(bench, "task.rolled_back") == 1
        assert done.stat.files
        assert not done.nothing_to_do
        again = await asked_again(bench, 1, bench.controls.rollback(task.id))
        assert again == done
        await bench.controls.undo_rollback(task.id, done.rollback_id)
        assert state_of(bench.repo) == found
        await bench.mirror.stop()


@pytest.mark.parametrize("point", ["tree.changing restore", "write.returned _carry_out"])
async def test_an_undo_asked_for_again_after_a_kill_is_done_once(hangman: Hangman, tmp_path: Path, point: str) -> None:
    """BYD-8 PLT-2"""
    changes = next(int(kill.nth) for kill in reversed(matrix.surveyed()) if kill[:2] == ("rollback", point))
    nth = changes // 3 + 2 if point.startswith("tree") else 2
    matrix.execute(hangman, Kill("rollback", point, nth), tmp_path)
    journal = Journal(tmp_path / "journal")
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        (task,) = await bench.everything()
        first = (await bench.store.read(lambda c: rollbacks.of_task(c, task.id)))[0]
        await asked_again(bench, 2, bench.controls.undo_rollback(task.id, first.id))
        assert state_of(bench.repo) == before_undo(journal)
        assert await told(bench, "task.rollback_undone") == 1
        await bench.mirror.stop()


@pytest.mark.parametrize("point", ["tree.changing write_over", "write.before _carry_out"])
async def test_what_is_written_over_a_later_task_is_finished_too(hangman: Hangman, tmp_path: Path, point: str) -> None:
    """BYD-8 BYD-22"""
    matrix.execute(hangman, Kill("older", point, 1), tmp_path)
    journal = Journal(tmp_path / "journal")
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        first, _ = await bench.everything()
        assert not (bench.repo / "quick.txt").exists()
        assert (bench.repo / "plain.txt").exists()
        await asked_again(bench, 1, bench.controls.rollback(first.id))
        assert await told(bench, "task.rolled_back") == 1
        await bench.controls.undo_rollback(first.id, None)
        assert state_of(bench.repo) == before_undo(journal)
        await bench.mirror.stop()


@pytest.mark.parametrize("point", ["write.returned Controls.commit", "write.before Controls.commit"])
@pytest.mark.parametrize("nth", [1, 2])
async def test_a_commit_asked_for_again_after_a_kill_is_made_once(
    hangman: Hangman, tmp_path: Path, point: str, nth: int
) -> None:
    """BYD-8 PLT-2"""
    matrix.execute(hangman, Kill("older", point, nth), tmp_path)
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        _, second = await bench.everything()
        deed = bench.controls.commit(second.project_id, MESSAGE, None, second.id)
        sha, files = await asked_again(bench, 3, deed)
        assert git(bench.repo, "log", "--format=%s").splitlines() == [MESSAGE, "base"]
        assert git(bench.repo, "rev-parse", "HEAD").strip() == sha
        assert await told(bench, "task.committed") == 1
        deed = bench.controls.commit(second.project_id, MESSAGE, None, second.id)
        assert await asked_again(bench, 3, deed) == (sha, files)
        assert await told(bench, "task.committed") == 1
        await bench.mirror.stop()
