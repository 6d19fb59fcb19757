from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.agents.acp.stage import Stage


@pytest_asyncio.fixture(autouse=True)
async def nothing_left() -> AsyncIterator[None]:
    """Also when a test fails in the middle."""
    yield
    while Stage.opened:
        await Stage.opened.pop().close()
