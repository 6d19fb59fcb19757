"""Projects: the repositories a person adds, each with its own directory as a workspace."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

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
        """Register a repository; one that is known already is given back as it is."""
        root = (await beside(Path(path), lambda: require(Path(path)))).root
        project = Project(
            id=project_id(root),
            path=str(root),
            name=root.name,
            added_at=self._runtime.clock.now(),
            agent=agent,
            sample=sample,
        )

        def write(tx: Tx) -> Project:
            known = projects.get(tx.conn, project.id)
            if known:
                return known
            projects.add(tx, project)
            workspaces.add(tx, Workspace(uuid4().hex, project.id, project.path, self._runtime.host_id))
            tx.emit(ProjectAdded(project_id=project.id, path=project.path, name=project.name))
            return project

        return await self._runtime.store.write(write)

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

    async def at(self, path: str) -> tuple[Project, Workspace]:
        """The project, which most often is known already, and its own directory."""
        root = (await beside(Path(path), lambda: require(Path(path)))).root
        known = await self._runtime.store.read(lambda c: projects.get(c, project_id(root)))
        project = known or await self.add(str(root))
        return project, await self._runtime.store.read(lambda c: workspaces.directory_of(c, project.id))

    async def prepare(self, project: Project) -> bool:
        """A new chat on this project was opened: its first message should find the agent ready."""
        workspace = await self._runtime.store.read(lambda c: workspaces.directory_of(c, project.id))
        return await preparation.prepare(self._runtime, project, workspace, lambda: self._runner.state == "running")
