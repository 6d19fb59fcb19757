"""Runs real checks in a workspace of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from pilothouse.domain.clock import Clock, SystemClock
from pilothouse.domain.task.checks import Check
from pilothouse.settings import Settings
from pilothouse.verify.runs.verifier import (
    CheckEnded,
    CheckStarted,
    OutputText,
    Progress,
    RunReport,
    RunRequest,
    Verification,
    Verifier,
)

P = TypeVar("P")
# A busy machine is slow, not wrong: what is waited for comes at once on a quiet one.
LIMIT = 120.0


@dataclass
class ProgressLog:
    """What a verification told, and a way to wait for it."""

    items: list[Progress] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, item: Progress) -> None:
        self.items.append(item)
        self._news.set()

    def of(self, kind: type[P]) -> list[P]:
        return [item for item in self.items if isinstance(item, kind)]

    @property
    def text(self) -> str:
        return "".join(item.text for item in self.of(OutputText))

    async def until(self, condition: Callable[[ProgressLog], object]) -> None:
        async with asyncio.timeout(LIMIT):
            while not condition(self):
                self._news.clear()
                await self._news.wait()


@dataclass
class Running:
    verification: Verification
    told: ProgressLog
    task: asyncio.Task[RunReport | None]

    async def report(self) -> RunReport:
        found = await self.ended()
        assert found is not None
        return found

    async def ended(self) -> RunReport | None:
        async with asyncio.timeout(LIMIT):
            return await asyncio.shield(self.task)


class Workplace:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = root / "workspace"
        self.workspace.mkdir()
        (root / "data").mkdir()
        self.clock: Clock = SystemClock()
        self.options: dict[str, object] = {}
        self._verifier: Verifier | None = None
        self._runs: list[Running] = []

    @property
    def settings(self) -> Settings:
        return Settings.model_validate({"data_dir": self.root / "data", "max_verifications": 2, **self.options})

    @property
    def verifier(self) -> Verifier:
        self._verifier = self._verifier or Verifier(self.settings, self.clock)
        return self._verifier

    def folder(self, run_id: str = "run-1") -> Path:
        return self.settings.logs / "runs" / run_id

    def start(self, *checks: Check, **extra_env: str) -> Running:
        run_id = f"run-{len(self._runs) + 1}"
        verification = self.verifier.begin(RunRequest(run_id, self.workspace, checks, extra_env))
        told = ProgressLog()
        running = Running(verification, told, asyncio.create_task(verification.run(told)))
        self._runs.append(running)
        return running

    async def run(self, *commands: str | tuple[str, ...] | Check, **extra_env: str) -> RunReport:
        checks = [
            command if isinstance(command, Check) else Check(f"check {number}", command)
            for number, command in enumerate(commands, 1)
        ]
        return await self.start(*checks, **extra_env).report()

    async def close(self) -> None:
        for running in self._runs:
            running.verification.stop()
        await asyncio.gather(*(running.task for running in self._runs), return_exceptions=True)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Workplace]:
    place = Workplace(tmp_path)
    yield place
    await place.close()


__all__ = ["CheckEnded", "CheckStarted", "ProgressLog", "Running", "Workplace"]
