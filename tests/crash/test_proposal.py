"""A proposal of which a kill left one part in the tree, where the rest no longer fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.moves import Action, allowed
from pilothouse.domain.task.task import Awaiting, ResumeMode, TaskStatus, Verdict
from pilothouse.errors import PilothouseError
from tests.crash import matrix
from tests.crash.aftermath import Survivor
from tests.crash.journal import Journal, state_of
from tests.crash.matrix import Kill
from tests.crash.victim import Hangman


async def test_a_half_written_proposal_that_no_longer_fits_holds_the_tree_and_can_be_rolled_back(
    hangman: Hangman, tmp_path: Path
) -> None:
    """BYD-8 TSK-7"""
    matrix.execute(hangman, Kill("proposal", "tree.changing write_over", 2), tmp_path)
    states = Journal(tmp_path / "journal").lines("state")
    before = next(row["state"] for row in states if row["ref"].endswith("/undo/apply"))
    half = state_of(tmp_path / "repo")
    assert half != before
    # One of them was not written yet: both sides changed it.
    clashing = next(name for name in ("calc.py", "agent.yaml") if half["files"].get(name) == before["files"].get(name))
    async with await Survivor.open(tmp_path / "data", tmp_path / "repo") as bench:
        (task,) = await bench.everything()
        (bench.repo / clashing).write_text("all different\n")
        edited = state_of(bench.repo)
        await bench.controls.resume(task.id, ResumeMode.SOFT)
        await bench.release()
        task = await bench.rest(task)
        assert (task.awaiting, task.holds_workspace) == (Awaiting.INTERRUPTED, True)
        assert clashing in (task.error_message or "")
        assert state_of(bench.repo) == edited
        assert Action.RESUME in allowed(task.status, task.awaiting)
        with pytest.raises(PilothouseError):
            await bench.controls.discard(task.id)
        done = await bench.controls.rollback(task.id)
        assert state_of(bench.repo) == before
        await bench.controls.undo_rollback(task.id, done.rollback_id)
        assert state_of(bench.repo) == edited
        await bench.controls.resume(task.id, ResumeMode.ROLLBACK)
        task = await bench.rest(task, TaskStatus.COMPLETE, TaskStatus.ERROR)
        assert task.verdict is Verdict.PASS
        await bench.mirror.stop()
