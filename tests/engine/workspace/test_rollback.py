"""What is rolled back, resumed or committed is the task's own work, whatever came in between."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection

from pilothouse.domain.task.task import ResumeMode, Task, TaskStatus
from pilothouse.errors import Conflict, RestoreIncomplete, ResumeUnavailable, WorkspaceBusy
from pilothouse.store.database import Store, Tx
from pilothouse.store.task import rollbacks
from tests.workbench import Workbench, git, make_repository, tree

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


async def asked_before_another(bench: Workbench) -> Task:
    """A task that waits for an answer, while the next one has written b.txt."""
    session, asking = await bench.begin("[[asks-first]]")
    await bench.rest(asking, TaskStatus.AWAITING_RESPONSE)
    await bench.rest(await bench.send(session, "[[writes-b]]"), TaskStatus.COMPLETE)
    return asking


async def test_what_others_did_meanwhile_is_not_the_tasks_own(tmp_path: Path) -> None:
    """WEB-6 BYD-3"""
    async with await opened(tmp_path) as bench:
        asking = await asked_before_another(bench)
        await bench.controls.reply(asking.id, "Ada")
        done = await bench.rest(asking, TaskStatus.COMPLETE)
        shown = await bench.controls.diff(asking.id)
        assert [f.path for f in shown.stat.files] == ["a.txt"]
        assert done.files_changed == 1
        await bench.controls.rollback(asking.id)
        assert not (bench.repo / "a.txt").exists()
        assert (bench.repo / "b.txt").exists()


async def test_an_attempt_that_never_began_lets_nobody_take_away_what_others_did(tmp_path: Path) -> None:
    """RPL-4"""
    async with await opened(tmp_path) as bench:
        asked = await asked_before_another(bench)
        agents, bench.runtime.agents = bench.runtime.agents, {}
        await bench.controls.reply(asked.id, "Ada")
        await bench.until_event("attempt.finished", asked.id, count=2)
        bench.runtime.agents = agents
        offered = await bench.controls.resume_options(asked.id)
        assert offered.takes_away is None or offered.takes_away.files == ()
        await bench.controls.resume(asked.id, ResumeMode.ROLLBACK)
        await bench.rest(asked, TaskStatus.COMPLETE, TaskStatus.AWAITING_RESPONSE)
        assert (bench.repo / "b.txt").read_text() == "b\n"


async def test_a_rollback_cut_short_keeps_others_out_until_it_is_finished(tmp_path: Path) -> None:
    """BYD-3 BYD-8"""
    async with await opened(tmp_path) as bench:
        clean = tree(bench.repo)
        session, task = await bench.begin("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        rolled = await bench.controls.rollback(task.id)
        await bench.store.write(lambda tx: _unfinish(tx, rolled.rollback_id))
        after = await bench.send(session, "[[writes-b]]")
        assert (await bench.task(after.id)).status is TaskStatus.QUEUED
        await bench.controls.rollback(task.id)
        await bench.rest(after, TaskStatus.COMPLETE)
        started = [e.seq for e in bench.heard if e.type == "task.started" and e.task_id == after.id]
        finished = [e.seq for e in bench.heard if e.type == "task.rolled_back"]
        assert started[0] > finished[-1]
        assert set(tree(bench.repo)) == {*clean, "b.txt"}


def _unfinish(tx: Tx, rollback_id: str | None) -> None:
    from pilothouse.store.tables.task import rollbacks as table

    tx.conn.execute(table.update().where(table.c.id == rollback_id).values(finished_at=None))


async def test_what_an_undo_sets_aside_can_be_brought_back_too(tmp_path: Path) -> None:
    """BYD-3"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        await bench.controls.rollback(task.id)
        (bench.repo / "mine.txt").write_text("written in between\n")
        undone = await bench.controls.undo_rollback(task.id, None, exact=True)
        assert not (bench.repo / "mine.txt").exists()
        await bench.controls.undo_rollback(task.id, undone.rollback_id)
        assert (bench.repo / "mine.txt").read_text() == "written in between\n"
        # It is rolled back again, and says so: what the agent wrote can still be had.
        assert (await bench.types(task.id))[-1] == "task.rolled_back"
        await bench.controls.undo_rollback(task.id, None)
        assert (bench.repo / "a.txt").exists()


async def test_a_preview_shows_what_the_person_did_since_as_well(tmp_path: Path) -> None:
    """WEB-13"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        (bench.repo / "mine.txt").write_text("by hand\n")
        preview = await bench.controls.preview(task.id)
        assert [f.path for f in preview.changes.files] == ["a.txt", "mine.txt"]


async def test_soft_resume_is_refused_when_the_tree_is_no_longer_that_of_the_patch(tmp_path: Path) -> None:
    """WEB-3"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[crashes]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.rollback(task.id)
        with pytest.raises(ResumeUnavailable) as refused:
            await bench.controls.resume(task.id, ResumeMode.SOFT)
        assert refused.value.details == {"missing": ["patch"]}


class LateWriter(Store):
    """What one task writes comes late: something else happens before."""

    meanwhile: tuple[asyncio.Task[Any] | None, Callable[[], Awaitable[None]]] | None = None

    async def write(self, job: Callable[[Tx], T]) -> T:
        if self.meanwhile and self.meanwhile[0] is asyncio.current_task():
            (_, happens), self.meanwhile = self.meanwhile, None
            await happens()
        return await super().write(job)


class LateBench(Workbench):
    stores = LateWriter


async def test_a_soft_resume_counts_for_the_attempt_whose_saved_parts_were_looked_at(tmp_path: Path) -> None:
    """WEB-3: of a later one, which came in between, something may be missing."""
    async with await LateBench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS)) as bench:
        store = bench.store
        assert isinstance(store, LateWriter)
        _, task = await bench.begin("[[crashes]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)

        async def again() -> None:
            await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
            await bench.until_event("task.awaiting", task.id, count=2)
            await bench.rest(task, TaskStatus.AWAITING_RESPONSE)

        store.meanwhile = (asyncio.current_task(), again)
        with pytest.raises(Conflict):
            await bench.controls.resume(task.id, ResumeMode.SOFT)
        assert (await bench.task(task.id)).attempt == 2
        await bench.controls.resume(task.id, ResumeMode.SOFT)


async def test_a_replayed_task_can_be_rolled_back_and_its_own_rollback_row_is_marked(tmp_path: Path) -> None:
    """WEB-13"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[crashes]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("task.awaiting", task.id, count=2)

        def newest(c: Connection) -> bool:
            row = rollbacks.newest_undoable(c, task.id)
            return bool(row and row.replay)

        assert await bench.store.read(newest)


async def test_an_older_task_is_committed_as_far_as_its_files_are_as_it_left_them(tmp_path: Path) -> None:
    """WEB-13"""
    async with await opened(tmp_path) as bench:
        git(bench.repo, "config", "user.name", "t")
        git(bench.repo, "config", "user.email", "t@example.org")
        session, first = await bench.begin("[[writes-a]]")
        await bench.rest(first, TaskStatus.COMPLETE)
        second = await bench.send(session, "[[writes-b]]")
        await bench.rest(second, TaskStatus.COMPLETE)
        for paths in (None, ["a.txt", "b.txt"]):
            with pytest.raises(WorkspaceBusy) as refused:
                await bench.controls.commit(first.project_id, "message", paths, first.id)
            assert refused.value.details == {"task_id": second.id, "paths": ["b.txt"]}
        await bench.controls.commit(first.project_id, "message", ["a.txt"], first.id)
        assert git(bench.repo, "show", "--name-only", "--format=").split() == ["a.txt"]
        told = await bench.until_event("task.committed", first.id)
        assert told.data.files == 1


async def test_rollback_that_could_not_bring_a_file_back_is_unfinished_until_it_did(tmp_path: Path) -> None:
    """BYD-3"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[writes-a]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        (bench.repo / "calc.py").unlink()
        os.mkfifo(bench.repo / "calc.py")
        with pytest.raises(RestoreIncomplete) as incomplete:
            await bench.controls.rollback(task.id)
        assert incomplete.value.details == {"failed": ["calc.py"]}
        assert not (bench.repo / "a.txt").exists()
        (row,) = await bench.store.read(lambda c: rollbacks.of_task(c, task.id))
        assert (row.finished_at, row.problem) == (None, incomplete.value.message)
        (bench.repo / "calc.py").unlink()
        done = await bench.controls.rollback(task.id)
        assert (bench.repo / "calc.py").is_file()
        (row,) = await bench.store.read(lambda c: rollbacks.of_task(c, task.id))
        assert (row.id, row.finished_at is not None) == (done.rollback_id, True)
