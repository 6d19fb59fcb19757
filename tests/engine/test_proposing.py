"""A dry run proposes; nothing of the workspace is touched until a person applies it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pilothouse.domain.tasks import Action, Awaiting, ResumeMode, Task, TaskStatus, Verdict, allowed
from pilothouse.engine.retention import forget_old
from pilothouse.errors import Conflict, IllegalTransition, MergeNeeded, ProposalRefused, WorkspaceBusy
from pilothouse.store import workspaces
from tests.workbench import Workbench, git, make_repository, tree

LINES = "".join(f"line {n}\\n" for n in range(12))
SCENARIOS = """
scenarios:
  wild:
    - write: {path: new.txt, text: "new\\n"}
    - edit: {path: calc.py, find: "a - b", replace: "a + b"}
    - commit: Everything at once
    - run: git checkout -q -b side && git branch -D main && echo x > x.txt
    - run: git stash -qu && git stash pop -q && git gc -q --prune=now
    - delete: {path: lines.txt}
    - say: Proposed.
  change:
    - edit: {path: lines.txt, find: "line 2\\n", replace: "proposed 2\\n"}
    - write: {path: made/by.txt, text: "agent\\n"}
    - say: Proposed.
  nothing:
    - say: There is nothing to change.
  asks:
    - write: {path: half.txt, text: "half\\n"}
    - ask: "Which way?"
    - write: {path: whole.txt, text: "whole\\n"}
    - say: Done.
  slow:
    - write: {path: half.txt, text: "half\\n"}
    - wait: 600
  other:
    - write: {path: other.txt, text: "other\\n"}
    - say: Written.
  breaks:
    steps:
      - write: {path: broken.txt, text: "broken\\n"}
      - say: Proposed.
    fix:
      - delete: {path: broken.txt}
      - write: {path: fixed.txt, text: "fixed\\n"}
      - say: Fixed.
  fails:
    - write: {path: half.txt, text: "half\\n"}
    - fail: It cannot be done.
"""


async def opened(tmp_path: Path) -> Workbench:
    repo = tmp_path / "repo"
    if not repo.exists():
        make_repository(repo, SCENARIOS)
        (repo / "lines.txt").write_text(LINES.replace("\\n", "\n"))
        git(repo, "add", "-f", ".pilothouse", "lines.txt")
        git(repo, "commit", "-qm", "scenarios")
        (repo / "ignored").mkdir()
        (repo / "ignored" / "kept.txt").write_text("ignored\n")
        (repo / "lines.txt").chmod(0o640)
        (repo / "uncommitted.txt").write_text("mine\n")
        git(repo, "add", "uncommitted.txt")
    return await Workbench.open(tmp_path / "data", repo)


def fingerprint(repo: Path) -> str:
    """Every byte of the workspace and of its repository, apart from where checkpoints keep what they need."""
    digest = hashlib.sha256()
    for where, directories, files in os.walk(repo):
        directories.sort()
        inside = Path(where).relative_to(repo)
        if inside == Path(".git"):
            directories[:] = [name for name in directories if name not in ("objects", "worktrees")]
        for name in sorted(files):
            place = Path(where, name)
            digest.update(f"{inside / name} {place.stat().st_mode:o} ".encode() + place.read_bytes())
        digest.update(f"{inside} {Path(where).stat().st_mode:o}\n".encode())
    return digest.hexdigest()


async def proposed(bench: Workbench, scenario: str = "change") -> Task:
    _, task = await bench.begin(f"[[{scenario}]]", dry_run=True)
    task = await bench.rest(task)
    assert (task.status, task.awaiting) == (TaskStatus.AWAITING_RESPONSE, Awaiting.DRY_RUN), task.error_message
    await over(bench, task)
    return task


async def over(bench: Workbench, task: Task) -> None:
    """Wait until the attempt has tidied up behind itself."""
    run = bench.runner.dispatcher.run_of(task.id)
    if run:
        await run.over.wait()


def scratches(bench: Workbench) -> list[str]:
    top = bench.data_dir / "scratch"
    return sorted(place.name for place in top.iterdir()) if top.exists() else []


async def refs_of(bench: Workbench, task: Task) -> list[str]:
    workspace = await bench.store.read(lambda c: workspaces.get(c, task.workspace_id))
    assert workspace is not None
    kept = bench.runtime.checkpoints(workspace).refs(f"refs/pilothouse/{task.session_id}/{task.id}")
    return [checkpoint.ref.removeprefix(f"refs/pilothouse/{task.session_id}/{task.id}/") for checkpoint in kept]


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
        assert any("was gone" in text for text in told)


async def test_cancel_and_failure_leave_workspace_and_no_scratch(tmp_path: Path) -> None:
    """TSK-7"""
    async with await opened(tmp_path) as bench:
        before = fingerprint(bench.repo)
        _, failed = await bench.begin("[[fails]]", dry_run=True, auto_fix=True)
        failed = await bench.rest(failed)
        assert failed.status is TaskStatus.ERROR
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
        (bench.repo / "mine.txt").write_text("since\n")
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        await bench.until_event("step.tool_finished", task.id)
        assert (bench.repo / "mine.txt").read_text() == "since\n"
        await bench.controls.cancel(task.id)
        (bench.repo / "mine.txt").unlink()
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
        with pytest.raises(WorkspaceBusy):
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


@pytest.mark.parametrize("mode", list(ResumeMode))
async def test_an_apply_cut_short_by_a_stop_is_resumed_either_way(tmp_path: Path, mode: ResumeMode) -> None:
    """TSK-7 WEB-4"""
    checks = "verification:\n  - name: tests\n    command: test -e ignored/go || sleep 600\n"
    async with await opened(tmp_path) as bench:
        (bench.repo / "agent.yaml").write_text(checks)
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
