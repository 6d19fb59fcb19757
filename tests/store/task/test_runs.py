"""Verification runs, stuck reports and context files."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from pilothouse.domain.task.checks import CheckOutcome, CheckResult, RunPurpose, RunResult, VerificationRun
from pilothouse.domain.task.contexts import Context, ContextKind
from pilothouse.domain.task.doubts import Finding, FindingKind
from pilothouse.domain.task.loop import LoopState
from pilothouse.domain.task.stuck import StuckReport, StuckRun
from pilothouse.domain.task.task import Proposal
from pilothouse.store.database import Store
from pilothouse.store.task import contexts, runs, stuck_reports, tasks
from tests.store.samples import NOW, furnish, submit


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
    gone = await store.read(lambda c: runs.expired(c, NOW, keep=3, days=14))
    assert [r.id for r in gone] == ["old-5", "old-4", "old-3", "old-2"]
    await store.write(lambda tx: runs.remove(tx, [r.id for r in gone]))
    assert [r.id for r in await store.read(lambda c: runs.of_task(c, "t"))] == ["old-1", "old-0", "young"]
    assert await store.read(lambda c: runs.expired(c, NOW, keep=3, days=14)) == []


async def test_a_stuck_report_comes_back(store: Store) -> None:
    """TSK-10"""
    report = StuckReport(
        "t", 1, NOW, "Fix add", ("The sign is wrong",), "I tried.", (StuckRun("r1", 1, "tests", "x", "l"),), ("a.py",)
    )
    await store.write(lambda tx: stuck_reports.add(tx, report))
    assert await store.read(lambda c: stuck_reports.get(c, "t")) == report
    assert await store.read(lambda c: stuck_reports.get(c, "other")) is None


async def test_context_files_are_numbered_within_their_session(store: Store) -> None:
    """TSK-15"""
    for kind in ContextKind:
        await store.write(partial(contexts.add, context=Context("s", 0, "t", 1, kind, NOW, f"At {kind}.")))
    kept = await store.read(lambda c: contexts.of_session(c, "s"))
    assert [(k.number, k.kind, k.file_name) for k in kept] == [
        (1, ContextKind.START, "context_001.md"),
        (2, ContextKind.REPLAN, "context_002.md"),
        (3, ContextKind.SUCCESS, "context_003.md"),
    ]


async def test_a_task_keeps_its_counters_findings_and_proposal(store: Store) -> None:
    """TSK-7, TSK-9, BYD-4"""
    finding = Finding(FindingKind.TEST_SKIPPED, "test_calc.py", 4, "test_add", "test_add is skipped now.")
    changes = {"loop": LoopState(4, 1, 1), "findings": (finding,), "proposal": Proposal("b", "c", "refs/x")}
    changed = await store.write(lambda tx: tasks.update(tx, "t", **changes))
    assert (changed.loop, changed.findings, changed.proposal) == tuple(changes.values())
    assert await store.read(lambda c: tasks.get(c, "t")) == changed
