from __future__ import annotations

from functools import partial

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.task.task import Step, StepKind
from pilothouse.store.database import Store
from pilothouse.store.task import steps
from tests.store.samples import NOW

pytestmark = pytest.mark.usefixtures("furnished")


async def test_the_step_log_keeps_every_step_in_order(store: Store, clock: ManualClock) -> None:
    """WEB-12"""
    for attempt, number in ((1, 1), (1, 2), (2, 1)):
        step = Step(f"{attempt}-{number}", "t", attempt, number, StepKind.EDIT, "Fix add", NOW)
        await store.write(partial(steps.start, step=step))
    done = await store.write(lambda tx: steps.finish(tx, "1-2", outcome="done", exit_code=0, output_to=17))
    assert (done.outcome, done.exit_code, done.output_to, done.finished_at) == ("done", 0, 17, clock.now())
    assert [step.id for step in await store.read(lambda c: steps.of_task(c, "t"))] == ["1-1", "1-2", "2-1"]
    assert [step.id for step in await store.read(lambda c: steps.of_task(c, "t", 2))] == ["2-1"]
