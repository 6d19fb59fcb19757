"""Whether and how something can be taken away or brought back is told by the tree, and not by who came after."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pilothouse.domain.clock import SystemClock
from pilothouse.domain.task.task import ResumeMode, Task, TaskStatus
from pilothouse.errors import MergeNeeded, Recovering, RollbackRefused, WorkspaceBusy
from pilothouse.store import idempotency
from pilothouse.store.task import rollbacks
from pilothouse.words import say
from tests.workbench import Workbench, git, make_repository, tree

S = TaskStatus
LINES = "".join(f"line {n}\n" for n in range(20))
SCENARIOS = """
scenarios:
  first:
    - write: {path: one.txt, text: "one\\n"}
    - edit: {path: long.txt, find: "line 2\\n", replace: "line two\\n"}
    - say: Written.
  apart:
    - write: {path: two.txt, text: "two\\n"}
    - say: Written.
  same-file:
    - edit: {path: long.txt, find: "line 17\\n", replace: "line seventeen\\n"}
    - say: Written.
  same-line:
    - edit: {path: long.txt, find: "line two\\n", replace: "line 2.0\\n"}
    - say: Written.
  looks:
    - say: It looks good.
  asks:
    - ask: Which structure do you prefer?
  writes-and-asks:
    - write: {path: asked.txt, text: "asked\\n"}
    - ask: Which structure do you prefer?
    - ask: Which name do you prefer?
  waits:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
  crashes:
    - write: {path: crashed.txt, text: "half\\n"}
    - crash: 137
"""


async def opened(tmp_path: Path) -> Workbench:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / "long.txt").write_text(LINES)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "long")
    return await Workbench.open(tmp_path / "data", repo)


async def ended(bench: Workbench, scenario: str, *statuses: TaskStatus) -> Task:
    _, task = await bench.begin(f"[[{scenario}]]")
    return await bench.rest(task, *(statuses or (S.COMPLETE,)))


@pytest.mark.parametrize("later", ["looks", "asks", "rolled back", "cancelled"])
async def test_who_came_after_and_left_nothing_is_no_reason_to_refuse(tmp_path: Path, later: str) -> None:
    """WEB-13 BYD-22"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        task = await ended(bench, "first")
        after = tree(bench.repo)
        match later:
            case "looks":
                await ended(bench, "looks")
            case "asks":
                await ended(bench, "asks", S.AWAITING_RESPONSE)
            case "rolled back":
                await bench.controls.rollback((await ended(bench, "apart")).id)
            case "cancelled":
                asking = await ended(bench, "asks", S.AWAITING_RESPONSE)
                await bench.controls.cancel(asking.id)
        assert (await bench.controls.preview(task.id)).way.fit is None
        done = await bench.controls.rollback(task.id)
        assert tree(bench.repo) == before
        await ended(bench, "looks")
        await bench.controls.undo_rollback(task.id, done.rollback_id)
        assert tree(bench.repo) == after


@pytest.mark.parametrize("later", ["apart", "same-file"])
async def test_an_older_tasks_own_changes_are_undone_with_a_preview_and_brought_back(
    tmp_path: Path, later: str
) -> None:
    """BYD-22"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "first")
        await ended(bench, later)
        present = tree(bench.repo)
        with pytest.raises(MergeNeeded):
            await bench.controls.rollback(task.id)
        assert tree(bench.repo) == present
        shown = await bench.controls.preview(task.id)
        assert shown.way.fit is not None
        assert [file.path for file in shown.changes.files] == ["long.txt", "one.txt"]
        assert "-line two" in (shown.way.fit.patch.text if shown.way.fit.patch else "")
        with pytest.raises(MergeNeeded):
            await bench.controls.rollback(task.id, "something else")
        done = await bench.controls.rollback(task.id, shown.way.fit.merge)
        now = tree(bench.repo)
        assert "one.txt" not in now
        assert now["long.txt"] == present["long.txt"].replace(b"line two\n", b"line 2\n")
        assert now.get("two.txt") == present.get("two.txt")
        assert [file.path for file in done.stat.files] == ["long.txt", "one.txt"]
        await bench.controls.undo_rollback(task.id, None)
        assert tree(bench.repo) == present


async def test_changes_that_cannot_be_separated_are_named_and_nothing_is_changed(tmp_path: Path) -> None:
    """BYD-22"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "first")
        await ended(bench, "same-line")
        present = tree(bench.repo)
        shown = await bench.controls.preview(task.id)
        assert shown.way.fit is not None
        assert [clash.path for clash in shown.way.fit.clashes] == ["long.txt"]
        with pytest.raises(RollbackRefused, match=r"long\.txt"):
            await bench.controls.rollback(task.id)
        assert tree(bench.repo) == present


async def test_an_undo_keeps_what_was_done_since_and_shows_it_first(tmp_path: Path) -> None:
    """BYD-3 BYD-22"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "first")
        await bench.controls.rollback(task.id)
        (bench.repo / "mine.txt").write_text("written in between\n")
        with pytest.raises(MergeNeeded):
            await bench.controls.undo_rollback(task.id, None)
        shown = await bench.controls.undo_preview(task.id, None, exact=False)
        assert shown.way.fit is not None
        assert [file.path for file in shown.changes.files] == ["long.txt", "one.txt"]
        await bench.controls.undo_rollback(task.id, None, shown.way.fit.merge)
        assert (bench.repo / "one.txt").read_text() == "one\n"
        assert (bench.repo / "mine.txt").read_text() == "written in between\n"


async def test_a_second_rollback_right_after_one_does_nothing_and_hides_no_undo(tmp_path: Path) -> None:
    """BYD-3"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "first")
        after = tree(bench.repo)
        done = await bench.controls.rollback(task.id)
        again = await bench.controls.rollback(task.id)
        assert again.nothing_to_do
        assert again.rollback_id == done.rollback_id
        assert len(await bench.store.read(lambda c: rollbacks.of_task(c, task.id))) == 1
        await bench.controls.undo_rollback(task.id, again.rollback_id)
        assert tree(bench.repo) == after


class BackwardClock(SystemClock):
    """Set back a minute whenever somebody looks at it."""

    looks = 0

    def now(self) -> datetime:
        self.looks += 1
        return super().now() - timedelta(minutes=self.looks)


async def test_what_is_newest_is_told_by_the_order_and_not_by_the_clock(tmp_path: Path) -> None:
    """BYD-3 WEB-3"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / "long.txt").write_text(LINES)
    async with await Workbench.open(tmp_path / "data", repo, BackwardClock()) as bench:
        before = tree(repo)
        crashed = await ended(bench, "crashes", S.AWAITING_RESPONSE)
        first = await bench.controls.rollback(crashed.id)
        assert await bench.store.read(lambda c: rollbacks.newest_undoable(c, crashed.id)) is not None
        options = await bench.controls.resume_options(crashed.id)
        assert not options.soft_available, "it was rolled back since"
        await bench.controls.undo_rollback(crashed.id, first.rollback_id)
        second = await bench.controls.rollback(crashed.id)
        newest = await bench.store.read(lambda c: rollbacks.newest_undoable(c, crashed.id))
        assert newest is not None
        assert newest.id == second.rollback_id
        task = await ended(bench, "first")
        await ended(bench, "apart")
        with pytest.raises(MergeNeeded):
            await bench.controls.rollback(task.id)
        assert set(tree(repo)) == {*before, "one.txt", "two.txt"}


async def test_a_task_whose_changes_are_gone_is_replayed_on_what_came_after(tmp_path: Path) -> None:
    """WEB-3 BYD-22"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "crashes", S.AWAITING_RESPONSE)
        await bench.controls.rollback(task.id)
        await ended(bench, "apart")
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("task.awaiting", task.id, count=2)
        assert {"two.txt", "crashed.txt"} <= set(tree(bench.repo))


async def test_a_running_task_keeps_its_workspace_from_an_older_ones_rollback(tmp_path: Path) -> None:
    """BYD-22"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "first")
        _, running = await bench.begin("[[waits]]")
        await bench.until_event("step.tool_finished", running.id)
        with pytest.raises(WorkspaceBusy) as refused:
            await bench.controls.rollback(task.id)
        assert refused.value.details == {"task_id": running.id}


async def test_nothing_is_asked_of_a_workspace_before_its_recovery_is_over(tmp_path: Path) -> None:
    """BYD-8 BYD-3"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "crashes", S.AWAITING_RESPONSE)
        bench.runtime.recovered.clear()
        for asked in (
            bench.controls.rollback(task.id),
            bench.controls.preview(task.id),
            bench.controls.undo_rollback(task.id, None),
            bench.controls.undo_preview(task.id, None, exact=False),
            bench.controls.resume(task.id, ResumeMode.ROLLBACK),
            bench.controls.resume_options(task.id),
            bench.controls.reply(task.id, "Go on"),
            bench.controls.apply(task.id, None),
            bench.controls.discard(task.id),
            bench.controls.commit(task.project_id, "No", None, task.id),
        ):
            with pytest.raises(Recovering):
                await asked
        assert (bench.repo / "crashed.txt").exists()
        bench.runtime.recovered.set()
        await bench.controls.rollback(task.id)
        assert not (bench.repo / "crashed.txt").exists()


async def test_a_request_that_comes_again_after_a_crash_gets_the_first_answer(tmp_path: Path) -> None:
    """BYD-8 PLT-2"""
    async with await opened(tmp_path) as bench:
        git(bench.repo, "config", "user.name", "t")
        git(bench.repo, "config", "user.email", "t@example.org")
        task = await ended(bench, "first")
        first = await bench.controls.rollback(task.id)
        token = idempotency.current.set(idempotency.Mark("k", "r", "h", begun=first.rollback_id or ""))
        again = await bench.controls.rollback(task.id)
        idempotency.current.reset(token)
        assert again == first
        (row,) = await bench.store.read(lambda c: rollbacks.of_task(c, task.id))
        undone = await bench.controls.undo_rollback(task.id, row.id)
        token = idempotency.current.set(idempotency.Mark("k", "r", "h", begun=undone.rollback_id or ""))
        assert await bench.controls.undo_rollback(task.id, row.id) == undone
        idempotency.current.reset(token)
        assert len(await bench.store.read(lambda c: rollbacks.of_task(c, task.id))) == 2


@pytest.mark.parametrize("mode", list(ResumeMode))
async def test_a_task_that_asks_can_be_resumed_or_rolled_back_and_replayed_too(
    tmp_path: Path, mode: ResumeMode
) -> None:
    """WEB-2"""
    async with await opened(tmp_path) as bench:
        task = await ended(bench, "writes-and-asks", S.AWAITING_RESPONSE)
        options = await bench.controls.resume_options(task.id)
        assert options.soft_available
        assert [file.path for file in options.takes_away.files] == ["asked.txt"]
        assert options.why == say("resume.why_asked")
        await bench.controls.resume(task.id, mode)
        await bench.until_event("task.awaiting", task.id, count=2)
        told = [event.type for event in bench.heard if event.task_id == task.id]
        assert ("task.rolled_back" in told) == (mode is ResumeMode.ROLLBACK)


@pytest.mark.parametrize("outer_is_rolled_back", [True, False])
async def test_a_project_inside_another_keeps_it_from_a_rollback_while_a_task_is_at_work_there(
    tmp_path: Path, outer_is_rolled_back: bool
) -> None:
    """BYD-3 WEB-6: and the other way round."""
    async with await opened(tmp_path) as bench:
        places = bench.repo, make_repository(bench.repo / "ignored" / "inner", SCENARIOS)
        for place in places:
            (place / "long.txt").write_text(LINES)
        first, second = places if outer_is_rolled_back else places[::-1]
        bench.repo = first
        task = await ended(bench, "apart")
        bench.repo = second
        _, busy = await bench.begin("[[waits]]")
        await bench.until_event("step.tool_finished", busy.id)
        with pytest.raises(WorkspaceBusy, match="running in") as refused:
            await bench.controls.rollback(task.id)
        assert refused.value.details == {"task_id": busy.id}
        await bench.controls.cancel(busy.id)
        waiting = await ended(bench, "writes-and-asks", S.AWAITING_RESPONSE)
        with pytest.raises(WorkspaceBusy, match="waits in"):
            await bench.controls.rollback(task.id)
        await bench.controls.cancel(waiting.id)
        await bench.controls.rollback(task.id)
        assert not (first / "two.txt").exists()
        assert (second / "asked.txt").exists()
