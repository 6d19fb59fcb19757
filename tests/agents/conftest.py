from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.playing import Theatre


@pytest.fixture
def theatre(tmp_path: Path) -> Theatre:
    return Theatre(tmp_path)
