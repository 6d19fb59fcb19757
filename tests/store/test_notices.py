from __future__ import annotations

from pilothouse.store import notices
from pilothouse.store.database import Store


async def test_a_notice_stands_until_it_is_dismissed_and_never_twice(store: Store) -> None:
    """PLT-9"""
    for _ in range(2):
        await store.write(lambda tx: notices.add(tx, "backup_failed", "No room", ["/data"]))
    (notice,) = await store.read(notices.open)
    assert (notice.code, notice.details) == ("backup_failed", ("/data",))
    await store.write(lambda tx: notices.dismiss(tx, notice.id))
    assert await store.read(notices.open) == []
