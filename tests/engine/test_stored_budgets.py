"""What a person stored holds where nothing nearer does, and what they want comes before what a guard found."""

from __future__ import annotations

from pathlib import Path

from pilothouse.domain.preferences import BudgetPreferences
from pilothouse.domain.task.task import Awaiting
from pilothouse.engine.attempt.watch import Stop
from pilothouse.store import preferences
from tests.engine.test_guarding import opened, waits


async def test_a_budget_stored_in_the_settings_holds_where_nothing_nearer_says_one(tmp_path: Path) -> None:
    """GRD-8"""
    bench, _ = await opened(tmp_path)
    async with bench:
        stored = {"budgets": BudgetPreferences(task_usd=1.0)}
        await bench.store.write(lambda tx: preferences.save(tx, stored))
        _, task = await waits(bench, "[[costly]]")
        assert (task.awaiting, task.error_message) == (
            Awaiting.BUDGET,
            "The budget of $1.00 is used up for this task.",
        )


def test_a_person_who_cancels_comes_before_a_guard() -> None:
    """GRD-8"""
    assert Stop.CANCELLED.outranks(Stop.BUDGET)
    assert Stop.INTERRUPTED.outranks(Stop.LIMIT)
    assert not Stop.BUDGET.outranks(Stop.CANCELLED)
    assert not Stop.CANCELLED.outranks(Stop.IDLE)
