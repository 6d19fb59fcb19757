"""Records to put into a store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from pilothouse.domain.session.session import Project, Session, SessionKind, Workspace
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.task import Awaiting, RunnerMark, Task
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.store.task import tasks

NOW = datetime(2026, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)
MARK = RunnerMark("boot-1", 4711, 17.25)
HOST = "host-1"


def project(id: str = "p", **fields: Any) -> Project:
    return Project(**{"id": id, "path": f"/home/ada/{id}", "name": id, "added_at": NOW, **fields})


def workspace(id: str = "w", project_id: str = "p", **fields: Any) -> Workspace:
    return Workspace(**{"id": id, "project_id": project_id, "path": f"/home/ada/{project_id}", "host": HOST, **fields})


def session(id: str = "s", **fields: Any) -> Session:
    given = {"project_id": "p", "workspace_id": "w", "slug": id, "kind": SessionKind.CHAT, "title": f"Session {id}"}
    return Session(**{"id": id, "agent": "rehearsal", "created_at": NOW, "updated_at": NOW, **given, **fields})


def task(id: str | None = None, **fields: Any) -> Task:
    given = {"session_id": "s", "project_id": "p", "workspace_id": "w", "prompt": "Fix add", "agent": "rehearsal"}
    times = {"submitted_at": NOW, "updated_at": NOW, "place": 0}
    return Task(**{"id": id or uuid4().hex, **given, **times, **fields})


def furnish(tx: Tx) -> None:
    """One project, its workspace, one session."""
    projects.add(tx, project())
    workspaces.add(tx, workspace())
    sessions.add(tx, session())


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Let everything else run until it is so; the suite's time limit ends a wait in vain."""
    while True:  # what is waited for happens in another thread and has no event to set
        if await holds():
            return
        await asyncio.sleep(0.005)


async def submit(store: Store, *ids: str, **fields: Any) -> list[Task]:
    return await store.write(lambda tx: [tasks.add(tx, task(id, **fields)) for id in ids])


async def claim(store: Store, workspace_id: str = "w") -> Task | None:
    def write(tx: Tx) -> Task | None:
        upcoming = tasks.upcoming(tx, workspace_id)
        return tasks.move(tx, upcoming, Action.CLAIM, runner=MARK) if upcoming else None

    return await store.write(write)


async def move(store: Store, seen: Task, action: Action, **changes: Any) -> Task:
    return await store.write(lambda tx: tasks.move(tx, seen, action, **changes))


async def awaiting(store: Store, id: str, reason: Awaiting = Awaiting.QUESTION, **changes: Any) -> Task:
    """A task that was submitted, claimed, and waits for a person."""
    await submit(store, id)
    claimed = await claim(store)
    assert claimed
    assert claimed.id == id
    return await move(store, claimed, Action.AWAIT, awaiting=reason, **changes)
