"""What a task did to the repository itself is told on its card, and a rollback makes it good."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import Attempt, AttemptMode, RunnerMark, TaskStatus
from pilothouse.errors import RollbackRefused
from pilothouse.server.schemas.ways import PreviewOut, RollbackOut
from pilothouse.store.database import Tx
from pilothouse.store.task import attempts, tasks
from tests.workbench import Workbench, git, make_repository, tree

SCENARIOS = """
scenarios:
  removes:
    - delete: {path: .git}
    - write: {path: a.txt, text: "a\\n"}
    - say: Gone.
  replaces:
    - run: rm -rf .git && git init -q && git -c user.name=a -c user.email=a@localhost commit -q --allow-empty -m other
    - say: Replaced.
  writes:
    - write: {path: b.txt, text: "b\n"}
    - say: Written.
  breaks:
    - write: {path: .git/HEAD, text: "junk\\n"}
    - say: Broken.
"""
SAID = {
    "removes": "The repository is gone: there is no .git here any more.",
    "replaces": "The repository was replaced by another, which has none of its commits.",
    "breaks": "The repository is broken: git cannot read its .git any more.",
}


@pytest.mark.parametrize("scenario", SAID)
async def test_a_lost_repository_is_told_and_restored_with_its_files(tmp_path: Path, scenario: str) -> None:
    """BYD-3 WEB-13 BYD-22"""
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS)) as bench:
        before, head = tree(bench.repo), git(bench.repo, "rev-parse", "HEAD")
        _, task = await bench.begin(f"[[{scenario}]]")
        done = await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.ERROR)
        assert done.repository == SAID[scenario]
        preview = PreviewOut.shown(await bench.controls.preview(task.id))
        assert preview.lost == [SAID[scenario]]
        rolled = await bench.controls.rollback(task.id)
        assert RollbackOut.of(rolled).lost == [SAID[scenario]]
        assert (tree(bench.repo), git(bench.repo, "rev-parse", "HEAD")) == (before, head)
        assert (await bench.task(task.id)).repository is None
        await bench.controls.undo_rollback(task.id, rolled.rollback_id)
        assert (await bench.task(task.id)).repository == SAID[scenario]
        await bench.controls.rollback(task.id)
        assert (tree(bench.repo), git(bench.repo, "rev-parse", "HEAD")) == (before, head)


async def test_a_repository_that_others_worked_in_since_is_not_replaced_by_the_earlier_one(tmp_path: Path) -> None:
    """BYD-3 BYD-22"""
    async with await Workbench.open(tmp_path / "data", make_repository(tmp_path / "repo", SCENARIOS)) as bench:
        session, task = await bench.begin("[[replaces]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        await bench.rest(await bench.send(session, "[[writes]]"), TaskStatus.COMPLETE)
        after, head = tree(bench.repo), git(bench.repo, "rev-parse", "HEAD")
        preview = PreviewOut.shown(await bench.controls.preview(task.id))
        assert [(clash.path, clash.reason) for clash in preview.clashes] == [(".git", SAID["replaces"])]
        with pytest.raises(RollbackRefused, match="replaced by another"):
            await bench.controls.rollback(task.id)
        assert (tree(bench.repo), git(bench.repo, "rev-parse", "HEAD")) == (after, head)
        assert (await bench.task(task.id)).repository == SAID["replaces"]


async def test_a_repository_that_was_removed_while_nobody_looked_is_told_after_the_start(tmp_path: Path) -> None:
    """BYD-3 BYD-8"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        session, task = await bench.begin("[[writes]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        began = await bench.store.read(lambda c: attempts.get(c, task.id, 1))
        await bench.runner.stop("test")
        killed = await bench.send(session, "[[writes]]")

        def claim(tx: Tx) -> None:
            tasks.move(tx, killed, Action.CLAIM, runner=RunnerMark("an earlier boot"))
            attempts.start(tx, Attempt(killed.id, 1, AttemptMode.FIRST, tx.now))
            attempts.update(tx, killed.id, 1, base=began.base if began else None)

        await bench.store.write(claim)
    shutil.rmtree(repo / ".git")
    async with await Workbench.open(tmp_path / "data", repo) as bench:
        await bench.until_event("attempt.finished", killed.id)
        assert (await bench.task(killed.id)).repository == SAID["removes"]
