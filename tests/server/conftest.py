from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from pilothouse.server.app import create_app
from pilothouse.server.services import Services
from tests.server.web import client_of, logged_in, services_of
from tests.workbench import Workbench, make_repository

SCENARIOS = r"""
scenarios:
  fix-add:
    - say: Looking at calc.py
    - write: {path: calc.py, text: "def add(a, b):\n    return a + b\n"}
    - say: The sum is right now.
  asks:
    - write: {path: half.txt, text: "half\n"}
    - ask: "Which structure do you prefer?\nA) Flat\nB) Nested"
    - say: "You chose {reply}."
  crashes:
    - write: {path: partial.txt, text: "partial\n"}
    - crash: 137
  waits:
    - say: Waiting.
    - stall: true
  guarded:
    requires_env: PILOTHOUSE_TEST_KEY_THAT_IS_NOT_SET
    steps:
      - say: never
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repo", SCENARIOS)


@pytest.fixture
async def bench(tmp_path: Path, repo: Path) -> AsyncIterator[Workbench]:
    async with await Workbench.open(tmp_path / "data", repo) as opened:
        yield opened


@pytest.fixture
def services(bench: Workbench) -> Services:
    return services_of(bench)


@pytest.fixture
def app(services: Services) -> FastAPI:
    return create_app(services)


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with logged_in(app) as opened:
        yield opened


@pytest.fixture
async def stranger(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """Not logged in."""
    async with client_of(app) as opened:
        yield opened
