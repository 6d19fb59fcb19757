from __future__ import annotations

import pytest

from pilothouse.domain.task.stuck import StuckReport, StuckRun
from pilothouse.store.database import Store
from pilothouse.store.task import stuck_reports
from tests.store.samples import NOW

pytestmark = pytest.mark.usefixtures("furnished")


async def test_a_stuck_report_comes_back(store: Store) -> None:
    """TSK-10"""
    report = StuckReport(
        "t", 1, NOW, "Fix add", ("The sign is wrong",), "I tried.", (StuckRun("r1", 1, "tests", "x", "l"),), ("a.py",)
    )
    await store.write(lambda tx: stuck_reports.add(tx, report))
    assert await store.read(lambda c: stuck_reports.get(c, "t")) == report
    assert await store.read(lambda c: stuck_reports.get(c, "other")) is None
