"""Rollbacks that a kill cut short, where what the person does next is not to run them again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pilothouse.domain.task.task import ResumeMode, TaskStatus
from pilothouse.engine.workspace import refs
from pilothouse.store.task import rollbacks
from tests.crash import matrix
from tests.crash.aftermath import Survivor
from tests.crash.journal import Journal, state_of
from tests.crash.matrix import Kill
from tests.crash.victim import Hangman


async def test_what_was_done_after_a_cut_short_rollback_comes_back_with_its_undo(
    hangman: Hangman, tmp_path: Path
) -> None:
    """BYD-8 WEB-3"""
    matrix.execute(hangman, Kill("replay", "tree.changing restore", 2), tmp_path)
    journal = Journal(tmp_path / "journal")
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        (task,) = await bench.everything()
        half_way = state_of(bench.repo)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.release()
        # The half-way tree may well be too much for the agent; what it does there counts all the same.
        await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.ERROR)
        after = state_of(bench.repo)
        assert after != half_way
        assert await bench.store.read(lambda c: rollbacks.unfinished(c, bench.runtime.host_id)) == [], (
            "the queue behind it would never move again"
        )
        done = await bench.controls.rollback(task.id)
        assert state_of(bench.repo) == journal.first_state(refs.step(replace(task, attempt=1), 0))
        await bench.controls.undo_rollback(task.id, done.rollback_id)
        assert state_of(bench.repo) == after
        await bench.mirror.stop()


async def test_a_cut_short_rollback_can_be_undone_instead(hangman: Hangman, tmp_path: Path) -> None:
    """BYD-8 WEB-13"""
    matrix.execute(hangman, Kill("rollback", "tree.changing restore", 3), tmp_path)
    journal = Journal(tmp_path / "journal")
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        (task,) = await bench.everything()
        await bench.controls.undo_rollback(task.id, None)
        begun = [row for row in journal.lines("state") if "/undo/" in row["ref"]]
        assert state_of(bench.repo) == begun[0]["state"]
        await bench.mirror.stop()
