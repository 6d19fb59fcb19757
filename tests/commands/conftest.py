from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.outside import SCENARIOS, Outside
from tests.server.processes import server
from tests.workbench import make_repository


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """A running server, and the commands that speak to it."""
    root = tmp_path_factory.mktemp("outside")
    scenarios = root / "scenarios.yaml"
    scenarios.write_text(SCENARIOS)
    with server(root / "data", PILOTHOUSE_REHEARSAL=str(scenarios)) as (_, client):
        yield Outside(root / "data", client)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repo")
