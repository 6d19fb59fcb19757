"""What a person decides about a proposal: it is written and verified, or discarded without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.event.log import Event
from pilothouse.domain.task.task import Awaiting, ResumeMode, TaskStatus, Verdict
from pilothouse.engine.workspace.retention import forget_old
from pilothouse.errors import Conflict, IllegalTransition, MergeNeeded, ProposalRefused
from pilothouse.store.session import workspaces
from pilothouse.store.task import steps
from tests.engine.dry_runs import GATED, fingerprint, killed, opened, proposed, refs_of, scratches
from tests.workbench import Workbench, git, tree


async def test_apply_writes_exactly_the_proposal_and_goes_through_the_checks(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: tests, command: test ! -e broken.txt}\n")
        task = await proposed(bench, "breaks")
        before = tree(bench.repo)
        await bench.controls.apply(task.id, None)
        task = await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.ERROR, TaskStatus.STUCK)
        assert (task.status, task.verdict, task.loop.total) == (TaskStatus.COMPLETE, Verdict.PASS, 2)
        assert tree(bench.repo) == before | {"fixed.txt": b"fixed\n"}
        types = await bench.types(task.id)
        assert types.index("task.applied") < types.index("task.verified")
        assert {change.path for change in (await bench.controls.diff(task.id)).stat.files} == {"fixed.txt"}
        shown = await bench.controls.diff(task.id, attempt=1)
        assert [change.path for change in shown.stat.files] == ["broken.txt"]
        await bench.controls.rollback(task.id)
        assert tree(bench.repo) == before


async def test_apply_after_the_tree_moved_elsewhere_needs_no_merge(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        task = await proposed(bench)
        _, other = await bench.begin("[[other]]")
        await bench.rest(other, TaskStatus.COMPLETE)
        git(bench.repo, "commit", "-qm", "mine")
        before = tree(bench.repo)
        await bench.controls.apply(task.id, None)
        task = await bench.rest(task, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.UNVERIFIED
        changed = before["lines.txt"].replace(b"line 2\n", b"proposed 2\n")
        assert tree(bench.repo) == before | {"lines.txt": changed, "made/by.txt": b"agent\n"}
        assert {change.path for change in (await bench.controls.diff(task.id)).stat.files} == {
            "lines.txt", "made/by.txt"
        }  # fmt: skip


async def test_a_merge_is_asked_for_first_and_only_that_one_is_written(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        task = await proposed(bench)
        lines = bench.repo / "lines.txt"
        lines.write_text(lines.read_text().replace("line 10\n", "mine 10\n"))
        before = fingerprint(bench.repo)
        with pytest.raises(MergeNeeded) as asked:
            await bench.controls.apply(task.id, None)
        with pytest.raises(MergeNeeded):
            await bench.controls.apply(task.id, "another")
        assert fingerprint(bench.repo) == before
        details = asked.value.details or {}
        assert "+proposed 2" in details["patch"]
        await bench.controls.apply(task.id, details["merge"])
        task = await bench.rest(task, TaskStatus.COMPLETE)
        text = lines.read_text()
        assert "proposed 2\n" in text
        assert "mine 10\n" in text
        applied = await bench.until_event("task.applied", task.id)
        assert applied.data.model_dump()["merged"] is True


async def test_what_cannot_be_applied_is_refused_by_name_and_waits_on(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        task = await proposed(bench)
        (bench.repo / "lines.txt").write_text("all different\n")
        before = fingerprint(bench.repo)
        with pytest.raises(ProposalRefused) as refused:
            await bench.controls.apply(task.id, None)
        assert [row["path"] for row in (refused.value.details or {})["clashes"]] == ["lines.txt"]
        assert fingerprint(bench.repo) == before
        assert (await bench.task(task.id)).awaiting is Awaiting.DRY_RUN


async def test_a_tree_that_moves_before_its_turn_brings_the_proposal_back(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        task = await proposed(bench)
        await bench.controls.hold(task.workspace_id, "wait")
        await bench.controls.apply(task.id, None)
        (bench.repo / "lines.txt").write_text("all different\n")
        before = fingerprint(bench.repo)
        await bench.controls.release(task.workspace_id)
        task = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert task.awaiting is Awaiting.DRY_RUN
        assert "lines.txt" in (task.error_message or "")
        assert fingerprint(bench.repo) == before
        assert len((await bench.controls.diff(task.id)).stat.files) == 2
        with pytest.raises(Conflict):
            await bench.controls.rollback(task.id)


async def test_discard_leaves_no_ref_and_no_directory_but_the_diff_can_be_read(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        _, first = await bench.begin("[[nothing]]")
        await bench.rest(first, TaskStatus.COMPLETE)
        session = first.session_id
        message = await proposed(bench)
        shown = await bench.controls.diff(message.id)
        before = fingerprint(bench.repo)
        _, task = await bench.controls.discard(message.id)
        assert (task.status, task.verdict, task.proposal) == (TaskStatus.COMPLETE, Verdict.PROPOSED, None)
        assert fingerprint(bench.repo) == before
        # Its session began with it, and that checkpoint is the session's.
        assert session != task.session_id
        assert await refs_of(bench, task) == ["1/0"]
        assert scratches(bench) == []
        assert await bench.controls.diff(task.id) == shown
        one = await bench.controls.diff(task.id, path="made/by.txt")
        assert one.patch.count("diff --git") == 1
        assert "+agent" in one.patch
        with pytest.raises(IllegalTransition):
            await bench.controls.apply(task.id, None)


@pytest.mark.parametrize("mode", list(ResumeMode))
async def test_an_apply_cut_short_by_a_stop_is_resumed_either_way(tmp_path: Path, mode: ResumeMode) -> None:
    """TSK-7 WEB-4"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text(GATED)
        task = await proposed(bench)
        before = tree(bench.repo)
        await bench.controls.apply(task.id, None)
        await bench.until_event("task.applied", task.id)
    written = tree(bench.repo)
    assert written != before
    async with await opened(tmp_path) as bench:
        task = await bench.task(task.id)
        assert (task.awaiting, task.holds_workspace) == (Awaiting.INTERRUPTED, True)
        (bench.repo / "ignored" / "go").touch()
        await bench.controls.resume(task.id, mode)
        task = await bench.rest(task, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        assert tree(bench.repo) == written | {"ignored/go": b""}
        again = [event for event in bench.heard if event.type == "task.applied"]
        assert len(again) == (mode is ResumeMode.ROLLBACK)


def interrupt_at(bench: Workbench, type_: str) -> None:
    """Have the server's stop come right after this event."""

    def heard(page: list[Event]) -> None:
        if any(event.type == type_ for event in page):
            bench.runner.dispatcher.interrupt_all()

    bench.store.on_commit(heard)


async def test_a_reply_to_an_apply_cut_short_writes_the_proposal_and_reaches_the_agent(tmp_path: Path) -> None:
    """TSK-7 WEB-4"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: tests, command: test -e made/by.txt}\n")
        task = await proposed(bench)
        before = tree(bench.repo)
        interrupt_at(bench, "attempt.started")
        await bench.controls.apply(task.id, None)
        task = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert (task.awaiting, tree(bench.repo)) == (Awaiting.INTERRUPTED, before)
    async with await opened(tmp_path) as bench:
        await bench.controls.reply(task.id, "Mind the tabs")
        task = await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.ERROR)
        assert len([event for event in bench.heard if event.type == "task.applied"]) == 1
        taken = await bench.store.read(lambda c: steps.of_task(c, task.id, 3))
        assert [(step.name, "Mind the tabs" in step.prompt) for step in taken[:2]] == [("apply", False), ("", True)]
        assert tree(bench.repo)["made/by.txt"] == b"agent\n"
        assert b"proposed 2\n" in tree(bench.repo)["lines.txt"]


async def test_a_soft_resume_after_a_rollback_writes_the_proposal_again(tmp_path: Path) -> None:
    """TSK-7 WEB-4"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text(GATED)
        task = await proposed(bench)
        before = tree(bench.repo)
        await bench.controls.apply(task.id, None)
        await bench.until_event("step.started", task.id, count=3)
        written = tree(bench.repo)
    async with await opened(tmp_path) as bench:
        interrupt_at(bench, "task.rolled_back")
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        task = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert (task.awaiting, tree(bench.repo)) == (Awaiting.INTERRUPTED, before)
    async with await opened(tmp_path) as bench:
        (bench.repo / "ignored" / "go").touch()
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        task = await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.ERROR)
        assert task.verdict is Verdict.PASS
        assert tree(bench.repo) == written | {"ignored/go": b""}
        assert len([event for event in bench.heard if event.type == "task.applied"]) == 1


async def test_a_question_about_work_that_was_rolled_back_is_not_asked_in_place_of_the_checks(tmp_path: Path) -> None:
    """TSK-7 WEB-4"""
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text("verification:\n  - {name: tests, command: test ! -e broken.txt}\n")
        task = await proposed(bench, "asks-later")
        await bench.controls.apply(task.id, None)
        task = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        assert (task.awaiting, "needed?" in task.output) == (Awaiting.QUESTION, True)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        task = await bench.rest(task, TaskStatus.AWAITING_RESPONSE)
        again = await bench.store.read(lambda c: steps.of_task(c, task.id, task.attempt))
        assert [step.kind.value for step in again] == ["edit", "verify", "fix"]


async def test_what_a_kill_left_of_a_discarded_proposal_is_tidied_away(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        task = await proposed(bench)
        workspace = await bench.store.read(lambda c: workspaces.get(c, task.workspace_id))
        assert workspace is not None
        checkpoints = bench.runtime.checkpoints(workspace)
        await bench.controls.discard(task.id)
        left = f"refs/pilothouse/{task.session_id}/{task.id}/1/proposal"
        (bench.repo / "calc.py").write_text("changed\n")
        checkpoints.take(left)
        (bench.data_dir / "scratch" / task.id / "tree").mkdir(parents=True)
        await forget_old(bench.runtime)
        assert await refs_of(bench, task) == ["1/0"]
        assert scratches(bench) == []


async def test_a_killed_apply_is_rolled_back_and_applied_again(tmp_path: Path) -> None:
    """TSK-7 WEB-4"""
    task_id = await killed(tmp_path, "change", "task.applied")
    async with await opened(tmp_path) as bench:
        task = await bench.task(task_id)
        assert (task.awaiting, task.holds_workspace) == (Awaiting.INTERRUPTED, True)
        (bench.repo / "ignored" / "go").touch()
        written = tree(bench.repo)
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        task = await bench.rest(task, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.PASS
        assert tree(bench.repo) == written
        await bench.controls.rollback(task.id)
        assert "made/by.txt" not in tree(bench.repo)
