"""How long checkpoints and verifications are kept."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.task.checks import RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.task import Task, TaskStatus
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace.retention import forget_old, forget_old_runs
from pilothouse.store.session import workspaces
from pilothouse.store.task import runs
from tests.engine.clocks import LiveClock
from tests.workbench import Workbench, make_repository

SCENARIOS = """
scenarios:
  quick:
    - write: {path: one.txt, text: "one\\n"}
    - say: Written.
  asks:
    - ask: "Which one?"
"""
DAY = 24 * 3600


async def test_checkpoints_of_finished_sessions_go_after_the_kept_time_and_no_sooner(tmp_path: Path) -> None:
    """BYD-3"""
    clock: ManualClock = LiveClock()
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo, clock) as bench:
        _, finished = await bench.begin("[[quick]]")
        await bench.rest(finished, TaskStatus.COMPLETE)
        _, asking = await bench.begin("[[asks]]")
        await bench.rest(asking, TaskStatus.AWAITING_RESPONSE)
        workspace = await bench.store.read(lambda c: workspaces.get(c, finished.workspace_id))
        assert workspace is not None
        tree = bench.runtime.checkpoints(workspace)
        await clock.advance(29 * DAY)
        assert await forget_old(bench.runtime) == 0
        await clock.advance(2 * DAY)
        assert await forget_old(bench.runtime) == 2
        left = {checkpoint.ref.split("/")[2] for checkpoint in tree.refs()}
        assert left == {asking.session_id}


async def _verified(bench: Workbench, task: Task, id: str, days_ago: float, kept: bool = False) -> Path:
    """A run in the store, with its logs."""
    folder = bench.settings.logs / "runs" / id
    folder.mkdir(parents=True)
    (folder / "combined.log").write_text("1 failed\n")
    at = bench.clock.now() - timedelta(days=days_ago)
    run = VerificationRun(
        *(id, task.id, 1, "step", RunPurpose.VERIFY, 1, at, at, RunResult.FAIL, None, "tree"),
        log_path=str(folder / "combined.log"),
        kept=kept,
    )
    await bench.store.write(lambda tx: runs.add(tx, run))
    return folder


async def test_old_verifications_go_with_their_logs_and_the_newest_and_kept_ones_stay(tmp_path: Path) -> None:
    """TSK-13"""
    clock: ManualClock = LiveClock()
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo, clock) as bench:
        _, task = await bench.begin("[[quick]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        stuck = await _verified(bench, task, "stuck", 90, kept=True)
        folders = [await _verified(bench, task, f"r{number:02}", number) for number in range(22)]
        assert await forget_old_runs(bench.runtime) == 2
        assert [folder.name for folder in folders if not folder.exists()] == ["r20", "r21"]
        left = {run.id for run in await bench.store.read(lambda c: runs.of_task(c, task.id))}
        assert left == {"stuck", *(f"r{number:02}" for number in range(20))}
        assert (stuck / "combined.log").exists()
        assert await forget_old_runs(bench.runtime) == 0


async def test_logs_of_verifications_that_were_stopped_go_by_age_and_no_other_folder_does(tmp_path: Path) -> None:
    """TSK-13"""
    clock: ManualClock = LiveClock()
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo, clock) as bench:
        _, task = await bench.begin("[[quick]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        known = await _verified(bench, task, "known", 60)
        stopped, recent = (bench.settings.logs / "runs" / name for name in ("stopped", "recent"))
        for folder in (stopped, recent):
            folder.mkdir()
        for folder in (known, stopped):
            then = (clock.now() - timedelta(days=31)).timestamp()
            os.utime(folder, (then, then))
        now = clock.now().timestamp()
        os.utime(recent, (now, now))
        assert await forget_old_runs(bench.runtime) == 0
        assert (known.exists(), stopped.exists(), recent.exists()) == (True, False, True)


async def test_a_row_that_names_a_foreign_place_removes_nothing_there(tmp_path: Path) -> None:
    """TSK-13"""
    clock: ManualClock = LiveClock()
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    async with await Workbench.open(tmp_path / "data", repo, clock) as bench:
        _, task = await bench.begin("[[quick]]")
        await bench.rest(task, TaskStatus.COMPLETE)
        at = clock.now() - timedelta(days=99)
        rest = (1, "step", RunPurpose.VERIFY, 1, at, at, RunResult.FAIL, None, "tree")
        precious = tmp_path / "precious" / "combined.log"
        precious.parent.mkdir()
        precious.write_text("mine")
        run = VerificationRun("odd", task.id, *rest, log_path=str(precious))
        await bench.store.write(lambda tx: runs.add(tx, run))
        settings = bench.settings.model_copy(update={"verification_runs_kept": 0})
        runtime = Runtime(settings, bench.store, bench.broadcast, clock, bench.runtime.agents)
        assert await forget_old_runs(runtime) == 1
        assert precious.read_text() == "mine"
