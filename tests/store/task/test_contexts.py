from __future__ import annotations

from functools import partial

import pytest

from pilothouse.domain.task.contexts import Context, ContextKind
from pilothouse.store.database import Store
from pilothouse.store.task import contexts
from tests.store.samples import NOW

pytestmark = pytest.mark.usefixtures("furnished")


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
