"""Projects: the repositories a person adds, each with its own directory as a workspace."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection

from pilothouse.domain.event.session import ProjectAdded, ProjectChanged
from pilothouse.domain.session.session import (
    Project,
    Workspace,
    project_id,
)
from pilothouse.engine.agents import choice, preparation
from pilothouse.engine.runner import Runner
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import NotFound
from pilothouse.git.repository import require
from pilothouse.git.threads import beside
from pilothouse.store.database import Tx
from pilothouse.store.session import projects, workspaces
from pilothouse.words import say


class Projects:
    def __init__(self, runtime: Runtime, runner: Runner) -> None:
        self._runtime = runtime
        self._runner = runner

    async def add(self, path: str, *, agent: str | None = None, sample: bool = False) -> Project:
        """Register a repository; one that is known already is given back as it is, by the path of any of its trees.

        Several servers may know the same path: each has a directory of its own there.
        """
        return (await self._added(path, agent, sample))[0]

    async def at(self, path: str) -> tuple[Project, Workspace]:
        """The project, which most often is known already, and the workspace at this path."""
        return await self._added(path)

    async def _added(self, path: str, agent: str | None = None, sample: bool = False) -> tuple[Project, Workspace]:
        host = self._runtime.host_id
        root = (await beside(Path(path), lambda: require(Path(path)))).root
        project = Project(
            id=project_id(root),
            path=str(root),
            name=root.name,
            added_at=self._runtime.clock.now(),
            agent=agent,
            sample=sample,
        )

        def known(c: Connection) -> tuple[Project, Workspace] | None:
            workspace = workspaces.at(c, host, str(root))
            owner = projects.get(c, workspace.project_id) if workspace else None
            return (owner, workspace) if owner and workspace else None

        def write(tx: Tx) -> tuple[Project, Workspace]:
            if found := known(tx.conn):
                return found
            of_another_host = projects.get(tx.conn, project.id)
            if of_another_host is None:
                projects.add(tx, project)
                tx.emit(ProjectAdded(project_id=project.id, path=project.path, name=project.name))
            added = workspaces.add(tx, Workspace(uuid4().hex, project.id, project.path, host))
            return of_another_host or project, added

        found = await self._runtime.store.read(known)
        return found if found else await self._runtime.store.write(write)

    async def choose_agent(self, project_id: str, agent: str | None) -> None:
        """For whatever names none nearer; None leaves it to the settings."""
        if agent is not None:
            choice.named(self._runtime, agent)

        def write(tx: Tx) -> None:
            if projects.get(tx.conn, project_id) is None:
                raise NotFound(say("project.unknown"))
            projects.choose_agent(tx, project_id, agent)
            tx.emit(ProjectChanged(project_id=project_id, agent=agent))

        await self._runtime.store.write(write)

    async def prepare(self, project: Project) -> bool:
        """A new chat on this project was opened: its first message should find the agent ready."""
        host = self._runtime.host_id
        workspace = await self._runtime.store.read(lambda c: workspaces.directory_of(c, project.id, host))
        return await preparation.prepare(self._runtime, project, workspace, lambda: self._runner.state == "running")
