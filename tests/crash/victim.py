"""A process of the real product that plays a script and is killed on its way.

Run as a program it imports everything once and then forks a victim for each line of standard input: a victim costs
what it does, and not what its imports cost.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pilothouse.agents.rehearsal.adapter import RehearsalAgent
from pilothouse.domain.clock import SystemClock
from pilothouse.domain.session.session import SessionKind
from pilothouse.engine.broadcast import Broadcast
from pilothouse.engine.controls import Controls
from pilothouse.engine.runner import Runner
from pilothouse.process.environment import Environment, instance_of
from pilothouse.store.database import Store
from pilothouse.workflows.chat import Chat
from pilothouse.workflows.projects import Projects
from tests.crash.journal import Journal
from tests.crash.points import DoomedAgent, DoomedMirror, DoomedRuntime, DoomedStore, Points, kill
from tests.crash.scripts import EARLIER, SCRIPTS, Person, scenarios_of
from tests.workbench import Workbench

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Fate:
    """Who dies where."""

    script: str
    folder: str
    point: str = ""
    nth: int = 0
    earlier: bool = False
    """Play what comes before the script instead, to its end."""


class Doomed(Workbench):
    points: Points
    journal: Journal

    async def _start(self) -> None:
        settings = self.settings
        self.store = store = await DoomedStore.open(settings.storage_url, self.clock)
        store.points = self.points
        store.on_commit(store.first_listener)
        self.broadcast = Broadcast()
        store.on_commit(self.broadcast.events)
        self.mirror = DoomedMirror(store, settings.data_dir, self.clock)
        self.mirror.points = self.points
        self.mirror.start()
        store.on_commit(store.last_listener)
        store.on_commit(self._hear)
        environment = Environment(dict(os.environ), instance_of(settings.data_dir))
        # Git ignores the scenarios, so a scratch does not have them.
        agent = RehearsalAgent(
            settings.data_dir / "agents" / "rehearsal",
            environment,
            scenario_file=scenarios_of(self.repo),
        )
        settings.logs.mkdir(parents=True, exist_ok=True)
        agents = {"rehearsal": DoomedAgent(agent, self.points)}
        self.runtime = runtime = DoomedRuntime(settings, store, self.broadcast, self.clock, agents)
        runtime.points, runtime.journal = self.points, self.journal
        self.runner = Runner(runtime)
        self.controls = Controls(runtime, self.runner)
        self.chat = Chat(runtime, Projects(runtime, self.runner))
        runtime.workflows[SessionKind.CHAT] = self.chat
        await self.runner.start()


async def _live(fate: Fate) -> None:
    """Play the script; the end of it is one more point to be killed at, for nobody closes anything."""
    folder = Path(fate.folder)
    Doomed.points, Doomed.journal = Points(fate.point, fate.nth), Journal(folder / "journal")
    bench = await Doomed.open(folder / "data", folder / "repo")
    plays: Callable[[Person], Awaitable[None]] = EARLIER[fate.script] if fate.earlier else SCRIPTS[fate.script]
    await plays(Person(bench, bench.journal))
    if not fate.earlier:
        await bench.mirror.flush()
    bench.journal.note("passed", points=bench.points.passed)
    kill()


async def _warm_up() -> None:
    """What is imported only by the first use belongs to no victim."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/warm.db", SystemClock())
        await store.close()


def _serve() -> None:
    asyncio.run(_warm_up())
    gc.freeze()
    for line in sys.stdin:
        fate = Fate(**json.loads(line))
        if os.fork() == 0:
            asyncio.run(_live(fate))
        _, status = os.wait()
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


class Hangman:
    """The process that victims are forked from."""

    def __enter__(self) -> Self:
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.victim"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def run(self, fate: Fate) -> int:
        """Let the victim live to its death; returns its exit code, which is that of SIGKILL unless it broke."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(fate)) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


if __name__ == "__main__":
    _serve()
