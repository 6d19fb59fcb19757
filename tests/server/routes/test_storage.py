"""What a project's checkpoints take, and letting the old ones go, over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.task.task import TaskStatus
from tests.engine.clocks import LiveClock
from tests.workbench import Workbench

DAY = 24 * 3600


@pytest.fixture
def clock() -> ManualClock:
    return LiveClock()


@pytest.fixture
async def bench(tmp_path: Path, repo: Path, clock: ManualClock) -> AsyncIterator[Workbench]:
    async with await Workbench.open(tmp_path / "data", repo, clock) as opened:
        yield opened


async def test_a_clean_up_lets_go_of_what_is_past_its_time_and_of_nothing_else(
    bench: Workbench, client: httpx.AsyncClient, clock: ManualClock
) -> None:
    """BYD-3"""
    session, task = await bench.begin("[[fix-add]]")
    await bench.rest(task, TaskStatus.COMPLETE)
    place = f"/api/projects/{session.project_id}"
    full = (await client.get(f"{place}/storage")).json()
    assert full["checkpoints"] > 0
    assert full["bytes"] > 0
    assert full["retention_days"] == bench.settings.checkpoint_retention_days

    early = await client.post(f"{place}/clean-up")
    assert early.status_code == 200, early.text
    assert early.json() == {**full, "forgotten": 0}

    await clock.advance((bench.settings.checkpoint_retention_days + 1) * DAY)
    late = (await client.post(f"{place}/clean-up")).json()
    assert (late["forgotten"], late["checkpoints"]) == (full["checkpoints"], 0)
    assert late["bytes"] < full["bytes"]


async def test_an_unknown_project_has_no_storage(client: httpx.AsyncClient) -> None:
    """BYD-3"""
    assert (await client.get("/api/projects/none/storage")).status_code == 404
    assert (await client.post("/api/projects/none/clean-up")).status_code == 404
