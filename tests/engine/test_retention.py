"""How long checkpoints are kept."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.tasks import TaskStatus
from pilothouse.engine.retention import forget_old
from pilothouse.store import workspaces
from tests.engine.test_timeouts import LiveClock
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
