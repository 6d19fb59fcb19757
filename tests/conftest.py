"""What holds for every test."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator, Mapping

import pytest
import uvloop
from hypothesis import settings

from tests.postgres import MISSING, Cluster, cluster

# A busy machine is no failure, and a red run must be the same run again.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")


def pytest_collection_finish() -> None:
    """What is imported and collected by now stays: looking through it for garbage took about a tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip(MISSING)
        yield found


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tests run on the event loop that the product runs on."""
    return {"uvloop": uvloop.new_event_loop}
