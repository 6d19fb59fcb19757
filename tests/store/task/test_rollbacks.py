from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from pilothouse.domain.task.rollbacks import Rollback
from pilothouse.errors import Conflict, NotFound
from pilothouse.store.database import Store
from pilothouse.store.task import rollbacks
from tests.store.samples import NOW

pytestmark = pytest.mark.usefixtures("furnished")


async def test_a_rollback_is_undone_once(store: Store) -> None:
    """BYD-3"""
    # The clock was set back in between.
    first = Rollback("r2", "t", "w", "c1", "u1", NOW, files=1)
    second = Rollback("r1", "t", "w", "c2", "u2", NOW - timedelta(seconds=1), replay=True)
    older, newer = [await store.write(partial(rollbacks.add, rollback=given)) for given in (first, second)]
    assert newer.turn > older.turn
    assert await store.read(lambda c: rollbacks.newest_undoable(c, "t")) == newer
    await store.write(lambda tx: rollbacks.mark_undone(tx, "r1"))
    assert await store.read(lambda c: rollbacks.newest_undoable(c, "t")) == older
    with pytest.raises(Conflict):
        await store.write(lambda tx: rollbacks.mark_undone(tx, "r1"))
    with pytest.raises(NotFound):
        await store.write(lambda tx: rollbacks.mark_undone(tx, "none"))
