"""A dry run proposes; nothing of the workspace is touched until a person applies it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.moves import Action, allowed
from pilothouse.domain.task.task import Awaiting, ResumeMode, TaskStatus, Verdict
from pilothouse.engine.workspace import refs
from pilothouse.errors import MergeNeeded
from pilothouse.store.session import sessions
from tests.engine.dry_runs import fingerprint, killed, opened, over, proposed, scratches
from tests.workbench import git, tree


async def test_a_dry_run_leaves_every_byte_of_the_workspace_and_shows_its_diff(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        before = fingerprint(bench.repo)
        task = await proposed(bench, "wild")
        assert fingerprint(bench.repo) == before
        assert not task.holds_workspace
        assert allowed(task.status, task.awaiting) == [Action.CANCEL, Action.APPLY, Action.DISCARD]
        diff = await bench.controls.diff(task.id)
        changed = {change.path: change.status for change in diff.stat.files}
        assert changed == {
            "calc.py": "modified", "lines.txt": "deleted", "new.txt": "added", "x.txt": "added"
        }  # fmt: skip
        assert "+    return a + b" in diff.patch
        assert scratches(bench) == []
        assert "task.verified" not in await bench.types(task.id)


async def test_without_a_change_there_is_nothing_to_decide(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[nothing]]", dry_run=True)
        task = await bench.rest(task)
        assert (task.status, task.verdict) == (TaskStatus.COMPLETE, Verdict.NO_CHANGES)
        await over(bench, task)
        assert scratches(bench) == []


async def test_a_question_is_answered_in_the_same_scratch(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        before = fingerprint(bench.repo)
        _, task = await bench.begin("[[asks]]", dry_run=True)
        task = await bench.rest(task)
        assert (task.awaiting, task.holds_workspace) == (Awaiting.QUESTION, False)
        assert scratches(bench) == [task.id]
        _, other = await bench.begin("[[nothing]]")
        await bench.rest(other, TaskStatus.COMPLETE)
        await bench.controls.reply(task.id, "Left")
        task = await bench.rest(task)
        assert task.awaiting is Awaiting.DRY_RUN
        assert [c.path for c in (await bench.controls.diff(task.id)).stat.files] == ["half.txt", "whole.txt"]
        assert [c.path for c in (await bench.controls.diff(task.id, 2, 1)).stat.files] == ["whole.txt"]
        assert fingerprint(bench.repo) == before


async def test_a_lost_scratch_is_made_again_from_what_was_saved(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[asks]]", dry_run=True)
        task = await bench.rest(task)
        for place in (bench.data_dir / "scratch").iterdir():
            (place / "made.json").unlink()
        await bench.controls.reply(task.id, "Left")
        task = await bench.rest(task)
        assert [c.path for c in (await bench.controls.diff(task.id)).stat.files] == ["half.txt", "whole.txt"]
        told = [e.data.model_dump().get("text", "") for e in bench.heard if e.type == "task.milestone"]
        assert any("was lost" in text for text in told)


async def test_cancel_and_failure_leave_workspace_and_no_scratch(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        before = fingerprint(bench.repo)
        _, failed = await bench.begin("[[fails]]", dry_run=True, auto_fix=True)
        failed = await bench.rest(failed)
        assert failed.status is TaskStatus.ERROR
        assert "task.rolled_back" not in await bench.types(failed.id)
        await over(bench, failed)
        _, asked = await bench.begin("[[asks]]", dry_run=True)
        asked = await bench.rest(asked)
        await bench.controls.cancel(asked.id)
        _, slow = await bench.begin("[[slow]]", dry_run=True)
        await bench.until_event("step.tool_finished", slow.id)
        await bench.controls.cancel(slow.id)
        assert fingerprint(bench.repo) == before
        assert scratches(bench) == []


async def test_an_interrupted_dry_run_goes_on_in_its_scratch_or_afresh(tmp_path: Path) -> None:
    """TSK-7"""
    bench = await opened(tmp_path)
    async with bench:
        before = fingerprint(bench.repo)
        _, task = await bench.begin("[[slow]]", dry_run=True)
        await bench.until_event("step.tool_finished", task.id)
    (bench.data_dir / "scratch" / "nobody").mkdir()
    async with await opened(tmp_path) as bench:
        task = await bench.task(task.id)
        assert (task.awaiting, task.holds_workspace) == (Awaiting.INTERRUPTED, False)
        assert scratches(bench) == [task.id]
        options = await bench.controls.resume_options(task.id)
        assert options.takes_away.files == ()
        _, other = await bench.begin("[[other]]")
        await bench.rest(other, TaskStatus.COMPLETE)
        (bench.repo / "mine.txt").write_text("since\n")
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("step.tool_finished", task.id)
        assert (bench.repo / "mine.txt").read_text() == "since\n"
        await bench.controls.cancel(task.id)
        (bench.repo / "mine.txt").unlink()
        (bench.repo / "other.txt").unlink()
        assert fingerprint(bench.repo) == before


async def test_a_dry_run_does_not_come_between_a_task_and_its_rollback(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        before = tree(bench.repo)
        _, other = await bench.begin("[[other]]")
        other = await bench.rest(other, TaskStatus.COMPLETE)
        task = await proposed(bench)
        await bench.controls.rollback(other.id)
        assert tree(bench.repo) == before
        await bench.controls.apply(task.id, None)
        await bench.rest(task, TaskStatus.COMPLETE)
        with pytest.raises(MergeNeeded):
            await bench.controls.undo_rollback(other.id, None)


async def test_a_dry_run_resumed_softly_finds_its_half_done_work(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        _, task = await bench.begin("[[slow]]", dry_run=True)
        await bench.until_event("step.tool_finished", task.id)
    async with await opened(tmp_path) as bench:
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.until_event("step.started", task.id)
        scratch = bench.data_dir / "scratch" / task.id / "tree" / "repo"
        assert (scratch / "half.txt").read_text() == "half\n"
        await bench.controls.cancel(task.id)
        assert [c.path for c in (await bench.controls.diff(task.id)).stat.files] == ["half.txt"]
        assert not (bench.repo / "half.txt").exists()


async def test_a_killed_dry_run_goes_on_in_its_scratch(tmp_path: Path) -> None:
    """TSK-7 WEB-4"""
    task_id = await killed(tmp_path, "slow", "step.tool_finished")
    async with await opened(tmp_path) as bench:
        task = await bench.task(task_id)
        assert (task.awaiting, task.holds_workspace) == (Awaiting.INTERRUPTED, False)
        assert scratches(bench) == [task.id]
        before = fingerprint(bench.repo)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.until_event("step.started", task.id)
        await bench.controls.cancel(task.id)
        assert [c.path for c in (await bench.controls.diff(task.id)).stat.files] == ["half.txt"]
        assert fingerprint(bench.repo) == before
        assert scratches(bench) == []


def worktrees(repo: Path) -> list[str]:
    """Without what keeps the checkpoints of the session, which is there for every task."""
    listed = git(repo, "worktree", "list", "--porcelain").splitlines()
    return [line for line in listed if line.startswith("worktree ") and "/.git/" not in line]


async def test_a_dry_run_proves_that_it_wrote_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        places, branches = worktrees(bench.repo), git(bench.repo, "for-each-ref")
        task = await proposed(bench)
        assert task.proposal is not None
        assert task.proposal.tree_before == task.proposal.tree_after != ""
        assert task.proposal.meanwhile == ()
        await bench.controls.discard(task.id)
        assert (worktrees(bench.repo), git(bench.repo, "for-each-ref")) == (places, branches)
        workspace = await bench.directory(task.project_id)
        kept = await bench.runtime.on_tree(workspace, lambda tree: tree.refs(refs.of_task(task)))
        session = await bench.store.read(lambda c: sessions.get(c, task.session_id))
        assert session is not None
        assert {checkpoint.commit for checkpoint in kept} <= {session.checkpoint}
        assert scratches(bench) == []


async def test_what_somebody_else_changed_during_a_dry_run_is_named(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        _, asked = await bench.begin("[[asks]]", dry_run=True)
        asked = await bench.rest(asked)
        (bench.repo / "mine.txt").write_text("meanwhile\n")
        await bench.controls.reply(asked.id, "Left")
        done = await bench.rest(asked)
        assert done.awaiting is Awaiting.DRY_RUN
        assert done.proposal is not None
        assert done.proposal.meanwhile == ("mine.txt",)
        assert done.proposal.tree_before != done.proposal.tree_after
