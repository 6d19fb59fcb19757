from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from pilothouse.domain.task.checks import CheckOutcome, CheckResult, RunPurpose, RunResult, VerificationRun
from pilothouse.store.database import Store
from pilothouse.store.task import runs
from tests.store.samples import HOST, NOW, furnish, submit


@pytest.fixture(autouse=True)
async def _furnished(store: Store) -> None:
    await store.write(furnish)
    await submit(store, "t", "other")


def run(id: str, age_days: float = 0, task_id: str = "t", kept: bool = False) -> VerificationRun:
    at = NOW - timedelta(days=age_days)
    return VerificationRun(
        id=id,
        task_id=task_id,
        attempt=1,
        step_id="st",
        purpose=RunPurpose.VERIFY,
        loop=1,
        started_at=at,
        finished_at=at + timedelta(seconds=3),
        result=RunResult.FAIL,
        commit="c0ffee",
        tree="7ree",
        checks=(
            CheckOutcome("lint", "ruff check", CheckResult.PASSED, 0, 12, "1-lint.log"),
            CheckOutcome("tests", "pytest -q", CheckResult.FAILED, 1, 2900, "2-tests.log"),
        ),
        first_failing_line="FAILED test_calc.py::test_add",
        tail="\x1b[31mFAILED\x1b[0m",
        log_path="combined.log",
        kept=kept,
    )


async def test_a_run_comes_back_as_it_was_told(store: Store) -> None:
    """TSK-13"""
    await store.write(lambda tx: runs.add(tx, run("r2")))
    await store.write(lambda tx: runs.add(tx, run("r1", age_days=1)))
    assert await store.read(lambda c: runs.get(c, "r2")) == run("r2")
    assert await store.read(lambda c: runs.get(c, "none")) is None
    assert [r.id for r in await store.read(lambda c: runs.of_task(c, "t"))] == ["r1", "r2"]
    failing = run("r1").failing
    assert failing is not None
    assert failing.name == "tests"


async def test_runs_are_removed_only_when_they_are_old_and_many_and_not_kept(store: Store) -> None:
    """TSK-13"""
    for number in range(6):
        await store.write(partial(runs.add, run=run(f"old-{number}", age_days=20 + number)))
    await store.write(lambda tx: runs.add(tx, run("young", age_days=13)))
    await store.write(lambda tx: runs.add(tx, run("stuck", age_days=90, task_id="other")))
    await store.write(lambda tx: runs.keep_of_task(tx, "other"))
    gone = await store.read(lambda c: runs.expired(c, HOST, NOW, keep=3, days=14))
    assert [r.id for r in gone] == ["old-5", "old-4", "old-3", "old-2"]
    await store.write(lambda tx: runs.remove(tx, [r.id for r in gone]))
    assert [r.id for r in await store.read(lambda c: runs.of_task(c, "t"))] == ["old-1", "old-0", "young"]
    assert await store.read(lambda c: runs.expired(c, HOST, NOW, keep=3, days=14)) == []
