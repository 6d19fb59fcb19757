from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from pilothouse.process.environment import Environment, instance_of
from pilothouse.process.spawn import Spawned, spawn

Start = Callable[..., Awaitable[Spawned]]


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(os.environ, instance_of(tmp_path))


@pytest.fixture
async def start(tmp_path: Path, environment: Environment) -> AsyncIterator[Start]:
    """Runs a shell script under a keeper; whatever a test leaves running is ended after it."""
    started: list[Spawned] = []

    async def run(script: str, **options: object) -> Spawned:
        spawned = await spawn(
            ["sh", "-c", script],
            **{
                "cwd": tmp_path,
                "env": environment.for_spawn(),
                "spawn_id": f"spawn-{len(started)}",
                "log_path": tmp_path / "logs" / f"{len(started)}.log",
                **options,
            },  # type: ignore[arg-type]
        )
        started.append(spawned)
        return spawned

    yield run
    for spawned in started:
        await spawned.stop(0.0)
        async for _ in spawned.output():
            pass
