from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.git.checkpoints import Checkpoints
from tests.git.repositories import make_repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


@pytest.fixture
def checkpoints(root: Path, tmp_path: Path) -> Checkpoints:
    return Checkpoints(root, tmp_path / "state", patience=0.3)
