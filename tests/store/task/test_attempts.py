from __future__ import annotations

from dataclasses import replace

import pytest

from pilothouse.domain.clock import ManualClock
from pilothouse.domain.task.task import Attempt, AttemptMode
from pilothouse.errors import NotFound
from pilothouse.store.database import Store
from pilothouse.store.task import attempts
from tests.store.samples import NOW

pytestmark = pytest.mark.usefixtures("furnished")


async def test_an_attempt_is_started_changed_and_finished(store: Store, clock: ManualClock) -> None:
    """WEB-12"""
    first = Attempt("t", 1, AttemptMode.FIRST, NOW, checkpoint="c0ffee")
    await store.write(lambda tx: attempts.start(tx, first))
    await store.write(lambda tx: attempts.update(tx, "t", 1, patch_sha256="a" * 64))
    done = await store.write(lambda tx: attempts.finish(tx, "t", 1, outcome="done"))
    assert done == replace(first, outcome="done", finished_at=clock.now(), patch_sha256="a" * 64)
    assert await store.read(lambda c: attempts.get(c, "t", 1)) == done
    assert await store.read(lambda c: attempts.of_task(c, "t")) == [done]
    with pytest.raises(NotFound):
        await store.write(lambda tx: attempts.finish(tx, "t", 2, outcome="done"))
