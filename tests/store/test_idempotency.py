from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from pilothouse.domain.clock import ManualClock
from pilothouse.store import idempotency
from pilothouse.store.database import Store


async def test_an_answer_is_remembered_for_a_day(store: Store, clock: ManualClock) -> None:
    """PLT-2"""
    await store.write(lambda tx: idempotency.remember(tx, "key", "POST /x", "hash", 201, '{"id": 1}'))
    found = await store.read(lambda c: idempotency.find(c, "key", "POST /x"))
    assert found
    assert (found.body_hash, found.status, found.response) == ("hash", 201, '{"id": 1}')
    assert await store.read(lambda c: idempotency.find(c, "key", "POST /y")) is None
    with pytest.raises(IntegrityError):
        await store.write(lambda tx: idempotency.remember(tx, "key", "POST /x", "other", 201, "{}"))
    await clock.advance(25 * 3600)
    await store.write(lambda tx: idempotency.remember(tx, "key2", "POST /x", "hash", 201, "{}"))
    assert await store.read(lambda c: idempotency.find(c, "key", "POST /x")) is None
