from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.real_agent.messages_api import MessagesApi
from tests.real_agent.workshop import Workshop


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with MessagesApi() as running:
        yield running


@pytest.fixture
async def workshop(tmp_path: Path, api: MessagesApi) -> AsyncIterator[Workshop]:
    made = Workshop(tmp_path, api)
    yield made
    await made.close()
