"""What a person does after a task has ended: roll back, undo, look, commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.errors import Conflict, IllegalTransition, NotFound, WorkspaceBusy
from pilothouse.store.session import workspaces
from tests.workbench import Workbench, git, make_repository, tree

SCENARIOS = """
scenarios:
  one:
    - write: {path: one.txt, text: "one\\n"}
    - say: Written.
  two:
    - write: {path: two.txt, text: "two\\n"}
    - say: Written.
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
  asks:
    - write: {path: half.txt, text: "half\\n"}
    - ask: Which structure do you prefer?
  only-asks:
    - ask: Which structure do you prefer?
"""


async def opened(tmp_path: Path) -> Workbench:
    return await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS))


async def completed(bench: Workbench, prompt: str) -> Task:
    _, task = await bench.begin(prompt)
    return await bench.rest(task, TaskStatus.COMPLETE)


async def test_an_ended_task_can_be_rolled_back_and_that_undone_again_and_again(tmp_path: Path) -> None:
    """WEB-13 BYD-3"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        task = await completed(bench, "[[one]]")
        after = tree(bench.repo)
        for _ in range(2):
            rolled = await bench.controls.rollback(task.id)
            assert tree(bench.repo) == before
            assert [f.path for f in rolled.stat.files] == ["one.txt"]
            await bench.controls.undo_rollback(task.id, None)
            assert tree(bench.repo) == after
        with pytest.raises(Conflict):
            await bench.controls.undo_rollback(task.id, rolled.rollback_id)


async def test_work_done_between_rollback_and_undo_is_not_lost(tmp_path: Path) -> None:
    """BYD-3: also where a person has all put back as it was, and what was done since with it aside."""
    async with await opened(tmp_path) as bench:
        task = await completed(bench, "[[one]]")
        await bench.controls.rollback(task.id)
        (bench.repo / "mine.txt").write_text("written in between\n")
        await bench.controls.undo_rollback(task.id, None, exact=True)
        assert not (bench.repo / "mine.txt").exists()
        workspace = await bench.store.read(lambda c: workspaces.get(c, task.workspace_id))
        assert workspace is not None
        checkpoints = bench.runtime.checkpoints(workspace)
        kept = [checkpoints.diff(c.commit).text for c in checkpoints.refs() if "/undo/" in c.ref]
        assert sum("written in between" in patch for patch in kept) == 1


async def test_the_newest_work_of_a_workspace_is_rolled_back_at_once(tmp_path: Path) -> None:
    """WEB-13"""
    async with await opened(tmp_path) as bench:
        await completed(bench, "[[one]]")
        second = await completed(bench, "[[two]]")
        await bench.controls.rollback(second.id)
        assert (bench.repo / "one.txt").exists()
        assert not (bench.repo / "two.txt").exists()


async def test_a_running_task_cannot_be_rolled_back(tmp_path: Path) -> None:
    """WEB-13"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[slow]]")
        await bench.until_event("step.tool_finished", task.id)
        with pytest.raises(IllegalTransition):
            await bench.controls.rollback(task.id)
        assert (bench.repo / "half.txt").exists()


async def test_the_diff_of_a_task_is_what_it_changed_and_no_more(tmp_path: Path) -> None:
    """WEB-6"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "mine.txt").write_text("not the agent's\n")
        first = await completed(bench, "[[one]]")
        second = await completed(bench, "[[two]]")
        shown = await bench.controls.diff(first.id)
        assert [f.path for f in shown.stat.files] == ["one.txt"]
        assert "+one" in shown.patch
        assert not shown.truncated
        assert [f.path for f in (await bench.controls.diff(second.id, attempt=1, step=1)).stat.files] == ["two.txt"]
        assert "+two" in (await bench.controls.diff(second.id, path="two.txt")).patch


async def test_the_diff_of_a_running_task_shows_the_present(tmp_path: Path) -> None:
    """TSK-5"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[slow]]")
        await bench.until_event("step.tool_finished", task.id)
        assert "+half" in (await bench.controls.diff(task.id)).patch


async def test_the_changes_of_a_task_can_be_committed(tmp_path: Path) -> None:
    """WEB-13"""
    async with await opened(tmp_path) as bench:
        git(bench.repo, "config", "user.name", "t")
        git(bench.repo, "config", "user.email", "t@example.org")
        task = await completed(bench, "[[one]]")
        (bench.repo / "other.txt").write_text("stays out\n")
        sha, files = await bench.controls.commit(task.project_id, "Add one", ["one.txt"], task.id)
        assert git(bench.repo, "rev-parse", "HEAD").strip() == sha
        assert git(bench.repo, "show", "--name-only", "--format=%s").split() == ["Add", "one", "one.txt"]
        assert files == 1
        assert git(bench.repo, "status", "--porcelain").strip() == "?? other.txt"
        told = await bench.until_event("task.committed", task.id)
        assert told.data.commit == sha


async def test_nothing_is_committed_under_a_task_that_is_half_way(tmp_path: Path) -> None:
    """WEB-13: neither while it waits with changes nor while it is queued to go on; once it is cancelled all is free."""
    async with await opened(tmp_path) as bench:
        git(bench.repo, "config", "user.name", "t")
        git(bench.repo, "config", "user.email", "t@example.org")
        _, task = await bench.begin("[[asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        head = git(bench.repo, "rev-parse", "HEAD")
        for task_id in (task.id, None):
            with pytest.raises(WorkspaceBusy, match="half-way") as refused:
                await bench.controls.commit(task.project_id, "Half", None, task_id)
            assert refused.value.details == {"task_id": task.id}
        await bench.runner.stop("test")
        await bench.controls.reply(task.id, "Flat")
        with pytest.raises(WorkspaceBusy, match="half-way"):
            await bench.controls.commit(task.project_id, "Half", None, None)
        assert git(bench.repo, "rev-parse", "HEAD") == head
        await bench.controls.cancel(task.id)
        sha, _ = await bench.controls.commit(task.project_id, "What is there", None, None)
        told = await bench.until_event("task.committed")
        assert (told.task_id, told.session_id) == (None, None)
        assert (told.data.commit, told.data.project_id) == (sha, task.project_id)


async def test_a_task_that_waits_without_a_change_keeps_nobody_from_committing(tmp_path: Path) -> None:
    """WEB-13"""
    async with await opened(tmp_path) as bench:
        git(bench.repo, "config", "user.name", "t")
        git(bench.repo, "config", "user.email", "t@example.org")
        _, task = await bench.begin("[[only-asks]]")
        await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        (bench.repo / "mine.txt").write_text("mine\n")
        sha, files = await bench.controls.commit(task.project_id, "Mine", None, None)
        assert (git(bench.repo, "rev-parse", "HEAD").strip(), files) == (sha, 1)


async def test_unknown_tasks_are_named_as_such(tmp_path: Path) -> None:
    """PLT-8"""
    async with await opened(tmp_path) as bench:
        with pytest.raises(NotFound):
            await bench.controls.reply("no-such-task", "hello")
        with pytest.raises(NotFound):
            await bench.controls.diff("no-such-task")
