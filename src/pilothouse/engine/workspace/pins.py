"""Accepting the checks of a project: what a person takes for granted from then on, in all its workspaces."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.event.session import ProjectChecksAccepted
from pilothouse.domain.session.session import Project, Workspace
from pilothouse.domain.task.pins import Pin
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import BadConfiguration, Conflict
from pilothouse.store.database import Store, Tx
from pilothouse.store.session import pins as rows
from pilothouse.store.session import projects
from pilothouse.store.task import tasks
from pilothouse.verify import pins
from pilothouse.verify.agent_yaml.file import FILE
from pilothouse.verify.chosen_checks import ChosenChecks, checks_of
from pilothouse.words import say


async def first(runtime: Runtime, project: Project, workspace: Workspace) -> None:
    """A person sends a message: what the checks are by then counts as accepted, unless something was before.

    Not while a task is at work or waits to begin, since what stands in the tree then is not what the person saw.
    """

    def due(c: Connection) -> bool:
        quiet = tasks.is_open(c, workspace.id) and not tasks.queue(c, workspace.id)
        return quiet and not rows.exists(c, project.id)

    if not await runtime.store.read(due):
        return
    try:
        pin = await asyncio.to_thread(_taken, project, Path(workspace.path), "", None)
    except BadConfiguration:
        return  # whoever begins a task says what is wrong with it

    def write(tx: Tx) -> None:
        if pin.checks and not rows.exists(tx.conn, project.id):
            rows.put(tx, replace(pin, at=tx.now))

    await runtime.store.write(write)


async def accept(store: Store, project: Project, root: Path, reason: str, seen: str) -> None:
    """`seen` names the state of the checks that the person looked at."""
    pin = await asyncio.to_thread(_taken, project, root, reason, seen)

    def write(tx: Tx) -> None:
        rows.put(tx, replace(pin, at=tx.now))
        told = ProjectChecksAccepted(
            project_id=project.id,
            reason=reason,
            checks=[check.shown for check in pin.checks],
            files=[file.path for file in pin.files],
        )
        tx.emit(told)

    await store.write(write)


async def edited(store: Store, project_id: str, root: Path) -> None:
    """A person wrote the commands: these are accepted with it, and not what else may have changed meanwhile."""
    project, pin = await store.read(lambda c: (projects.get(c, project_id), rows.get(c, project_id)))
    if project is None:
        return
    now = await asyncio.to_thread(_taken, project, root, "", None)
    if pin is not None:
        known = {file.path: file for file in pin.files if file.path != FILE}
        files = {file.path: file for file in now.files} | known
        now = replace(now, files=tuple(files[path] for path in sorted(files)), reason=pin.reason)
    await store.write(lambda tx: rows.put(tx, replace(now, at=tx.now)))


def _taken(project: Project, root: Path, reason: str, seen: str | None) -> Pin:
    chosen: ChosenChecks = checks_of(root, project.checks)
    if seen is not None and pins.digest(root, chosen.checks) != seen:
        raise Conflict(say("pin.changed"))
    files = pins.files_of(root, chosen.checks)
    return Pin(project.id, project.added_at, reason, chosen.checks, chosen.package, files)
