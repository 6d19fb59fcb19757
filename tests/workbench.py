"""A whole Pilothouse without its web part, on a real repository, for tests."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from sqlalchemy import Connection

from pilothouse.agents.rehearsal.adapter import RehearsalAgent
from pilothouse.domain.clock import Clock, SystemClock
from pilothouse.domain.event.log import Event
from pilothouse.domain.session.session import Session, SessionKind, Workspace
from pilothouse.domain.task.checks import Check
from pilothouse.domain.task.task import Task, TaskOptions, TaskStatus
from pilothouse.engine.agents.switchboard import Switchboard
from pilothouse.engine.broadcast import Broadcast
from pilothouse.engine.controls import Controls
from pilothouse.engine.operations.builds import Builds
from pilothouse.engine.operations.operations import Operations
from pilothouse.engine.runner import Runner
from pilothouse.engine.runtime import Runtime
from pilothouse.process.confine import Bubblewrap, Switch
from pilothouse.process.environment import Environment, instance_of
from pilothouse.settings import Settings
from pilothouse.store import events, hosts
from pilothouse.store.database import Store
from pilothouse.store.session import workspaces
from pilothouse.store.task import tasks
from pilothouse.workflows.chat import Chat, Message, Opening
from pilothouse.workflows.projects import Projects
from pilothouse.workflows.sessions import Sessions

# A busy machine is slow, not wrong: what is waited for comes at once on a quiet one.
WAIT = 120.0
S = TaskStatus
RESTING = (S.AWAITING_RESPONSE, S.COMPLETE, S.CANCELLED, S.STUCK, S.ERROR)


def git(repo: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, cwd=repo, check=True, capture_output=True, text=True).stdout


def make_repository(path: Path, scenarios: str = "") -> Path:
    path.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main")
    (path / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (path / ".gitignore").write_text("ignored/\n.pilothouse/\n")
    folder = path / ".pilothouse"
    folder.mkdir()
    (folder / "rehearsal.yaml").write_text(scenarios or "scenarios: {}\n")
    git(path, "add", "-A")
    git(path, "commit", "-qm", "base")
    return path


def tree(repo: Path) -> dict[str, bytes]:
    """Every file outside .git, byte for byte."""
    found = (p for p in repo.rglob("*") if p.is_file() and ".git" not in p.relative_to(repo).parts)
    return {str(p.relative_to(repo)): p.read_bytes() for p in found}


class Workbench:
    stores: ClassVar[type[Store]] = Store

    def __init__(self, data_dir: Path, repo: Path, clock: Clock, settings: Settings) -> None:
        self.data_dir = data_dir
        self.repo = repo
        self.clock = clock
        self.settings = settings
        self.heard: list[Event] = []
        self._changed = asyncio.Condition()
        self._notes: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, data_dir: Path, repo: Path, clock: Clock | None = None, **settings: object) -> Self:
        data_dir.mkdir(parents=True, exist_ok=True)
        # Not the instructions of whoever runs the tests.
        own = {"data_dir": data_dir, "stop_grace_seconds": 1, "global_instructions": "none"}
        chosen = Settings.model_validate({**own, **settings})
        bench = cls(data_dir, repo, clock or SystemClock(), chosen)
        await bench._start()
        return bench

    async def _start(self) -> None:
        settings = self.settings
        self.store = await self.stores.open(settings.storage_url, self.clock)
        self.store.on_commit(self._hear)
        self.broadcast = Broadcast()
        self.store.on_commit(self.broadcast.events)
        environment = Environment(dict(os.environ), instance_of(settings.data_dir), settings.pilothouse_agent_env)
        agent = RehearsalAgent(settings.data_dir / "agents" / "rehearsal", environment)
        settings.logs.mkdir(parents=True, exist_ok=True)
        self.runtime = Runtime(settings, self.store, self.broadcast, self.clock, {"rehearsal": agent})
        await self.store.write(lambda tx: hosts.take_over(tx, self.runtime.host_id))
        self.switchboard = Switchboard(self.runtime, Switch(Bubblewrap(None, "Tests do without it.")), [])
        self._compose()
        await self.runner.start()

    def build_checks(self, root: Path, _: object) -> list[Check]:
        """A script of the repository's own, for those tests that write one."""
        script = root / "ignored" / "build.sh"
        return [Check("build", ("sh", str(script)), timeout_seconds=self.build_seconds)] if script.is_file() else []

    def _hand_over(self) -> bool:
        self.handed_over = True
        return True

    def _compose(self) -> None:
        self.runner = Runner(self.runtime)
        self.handed_over = False
        self.build_seconds = WAIT
        self.operations = Operations(
            self.runtime, self.runner, Builds(self.settings, None, self.build_checks), self._hand_over
        )
        self.controls = Controls(self.runtime, self.runner)
        self.projects = Projects(self.runtime, self.runner)
        self.sessions = Sessions(self.runtime, self.runner)
        self.chat = Chat(self.runtime, self.projects)
        self.runtime.workflows[SessionKind.CHAT] = self.chat

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.operations.close()
        await self.runtime.health.close()
        await self.runner.stop("test over", wait_seconds=0.01)
        await self.store.close()

    def _hear(self, heard: list[Event]) -> None:
        self.heard += heard
        note = asyncio.create_task(self._notify())
        self._notes.add(note)
        note.add_done_callback(self._notes.discard)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def until(self, reached: Callable[[Connection], bool]) -> None:
        """Wait for a committed event after which `reached` holds."""

        async def wait() -> None:
            async with self._changed:
                while not await self.store.read(reached):
                    await self._changed.wait()

        await asyncio.wait_for(wait(), WAIT)

    async def until_event(self, type_: str, task_id: str | None = None, count: int = 1) -> Event:
        """Wait until `count` events of this type have been heard; returns the last of them."""

        def found() -> list[Event]:
            return [e for e in self.heard if e.type == type_ and task_id in (None, e.task_id)]

        async def wait() -> Event:
            async with self._changed:
                while len(found()) < count:
                    await self._changed.wait()
                return found()[count - 1]

        return await asyncio.wait_for(wait(), WAIT)

    async def rest(self, task: Task, *statuses: TaskStatus) -> Task:
        """Wait until the task is in one of these statuses (else: until it no longer moves by itself)."""

        def there(c: Connection) -> bool:
            now = tasks.get(c, task.id)
            return now is not None and now.status in (statuses or RESTING)

        try:
            await self.until(there)
        except TimeoutError:
            raise AssertionError(f"{await self.task(task.id)} after {await self.types(task.id)}") from None
        return await self.task(task.id)

    async def passed_over(self, task: Task) -> None:
        """The dispatcher looks at workspaces in turn: once a later task of another one is over, it has looked here."""
        elsewhere = make_repository(self.repo.parent / f"elsewhere-{task.id}")
        message = Message("Anything", agent="rehearsal")
        _, other = await self.chat.open(Opening(str(elsewhere), message=message))
        assert other is not None
        await self.rest(other, TaskStatus.COMPLETE)
        assert (await self.task(task.id)).status is TaskStatus.QUEUED

    async def task(self, task_id: str) -> Task:
        found = await self.store.read(lambda c: tasks.get(c, task_id))
        assert found is not None
        return found

    async def types(self, task_id: str) -> list[str]:
        stored = await self.store.read(lambda c: events.of_task(c, task_id))
        return [event.type for event in stored]

    async def directory(self, project_id: str) -> Workspace:
        return await self.store.read(lambda c: workspaces.directory_of(c, project_id, self.runtime.host_id))

    async def begin(self, text: str, **options: Any) -> tuple[Session, Task]:
        message = Message(text, options=TaskOptions(**options), agent="rehearsal")
        session, task = await self.chat.open(Opening(str(self.repo), message=message))
        assert task is not None
        return session, task

    async def send(self, session: Session, text: str) -> Task:
        return await self.chat.send(session.id, Message(text, agent="rehearsal"))
