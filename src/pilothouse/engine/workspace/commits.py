"""What a commit of a task's changes may hold, and how one that a crash cut short is found again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson
from sqlalchemy import Connection

from pilothouse.domain.session.session import Workspace
from pilothouse.domain.task.task import Task
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import ways
from pilothouse.errors import WorkspaceBusy
from pilothouse.git.changes import status
from pilothouse.git.landed import landed
from pilothouse.git.model import FileChange
from pilothouse.store import events, idempotency
from pilothouse.store.task import attempts
from pilothouse.words import first_few, say


@dataclass(frozen=True, slots=True)
class Begun:
    """Announces a commit: it is made on this parent, of so many files."""

    parent: str | None
    files: int

    def text(self) -> str:
        return orjson.dumps({"parent": self.parent, "files": self.files}).decode()


async def require_as_left(runtime: Runtime, task: Task, workspace: Workspace, paths: list[str] | None) -> None:
    """Refuse, as a commit of this task's changes, files that somebody changed after others came."""

    def read(c: Connection) -> tuple[list[str], str | None]:
        return attempts.others_since(c, task), ways.end(c, task)

    others, ended = await runtime.store.read(read)
    if not others or ended is None:
        return
    since = await runtime.on_tree(workspace, lambda tree: tree.stat(ended).files)
    root = Path(workspace.path)
    wanted = paths if paths is not None else [file.path for file in await asyncio.to_thread(status, root)]
    wrong = sorted(_names(since) & set(wanted))
    if wrong:
        raise WorkspaceBusy(
            say("commit.changed_since", names=first_few(wrong, 3)), {"task_id": others[0], "paths": wrong}
        )


async def changed_by(runtime: Runtime, task: Task, workspace: Workspace) -> frozenset[str]:
    """The files that the task changed, by the names they had and have."""

    def read(c: Connection) -> tuple[str | None, str | None]:
        return ways.base(c, task), ways.end(c, task)

    began, ended = await runtime.store.read(read)
    if began is None or ended is None:
        return frozenset()
    return _names(await runtime.on_tree(workspace, lambda tree: tree.stat(began, ended).files))


def _names(files: Iterable[FileChange]) -> frozenset[str]:
    return frozenset(name for file in files for name in (file.path, file.old_path) if name)


async def of_this_request(workspace: Workspace, message: str) -> tuple[str, int] | None:
    """The commit that an earlier life of the server made for the very request that came again."""
    begun = idempotency.begun()
    if not begun:
        return None
    announced = Begun(**orjson.loads(begun))
    made = await asyncio.to_thread(landed, Path(workspace.path), announced.parent, message)
    return (made, announced.files) if made else None


def is_told(c: Connection, commit: str) -> bool:
    return any(event.data.commit == commit for event in events.of_types(c, ["task.committed"], 0))
