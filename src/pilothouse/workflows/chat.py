"""Chat sessions: a thread of messages on one project, each a task in the workspace's queue."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from contextvars import Context
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from sqlalchemy import Connection

from pilothouse.domain.budgets import Budget
from pilothouse.domain.events import ProjectAdded, SessionChanged, SessionCreated
from pilothouse.domain.guards import SessionGuards
from pilothouse.domain.prompts import PROMPT_LIMIT
from pilothouse.domain.scope_text import merge_scope, scope_from_text
from pilothouse.domain.sessions import (
    UNTITLED,
    Project,
    Session,
    SessionKind,
    Workspace,
    free_slug,
    plain_title,
    project_id,
    wanted_slug,
)
from pilothouse.domain.setting_events import ProjectChanged
from pilothouse.domain.tasks import Scope, Task, TaskOptions, TaskStatus
from pilothouse.engine.agents import choice as choosing
from pilothouse.engine.agents import preparation as warming
from pilothouse.engine.runner import Runner
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import Conflict, InvalidInput, NotFound, TooLarge
from pilothouse.git.repository import require
from pilothouse.store import limits, projects, sessions, tasks, workspaces
from pilothouse.store.database import Tx
from pilothouse.verify.config import Config, load

TITLE_LIMIT = 60
TAG = re.compile(r"\[\[[^\]]*\]\]")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Message:
    text: str
    scope: Scope = field(default_factory=Scope)
    options: TaskOptions = field(default_factory=TaskOptions)
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """A thread to begin."""

    project_path: str
    kind: SessionKind = SessionKind.CHAT
    title: str | None = None
    agent: str | None = None
    message: Message | None = None
    budget: Budget | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a message is to be worked on."""

    workspace: Workspace
    open: bool
    """Whether it could be taken up at once."""


class Chat:
    def __init__(self, runtime: Runtime, runner: Runner) -> None:
        self._runtime = runtime
        self._runner = runner
        self._starting: set[asyncio.Task[None]] = set()

    async def add_project(self, path: str, *, agent: str | None = None, sample: bool = False) -> Project:
        """Register a repository; one that is known already is given back as it is."""
        root = (await asyncio.to_thread(require, Path(path))).root
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
            workspaces.add(tx, Workspace(id=project.id, project_id=project.id, path=project.path))
            tx.emit(ProjectAdded(project_id=project.id, path=project.path, name=project.name))
            return project

        return await self._runtime.store.write(write)

    async def choose_agent(self, project_id: str, agent: str | None) -> None:
        """For whatever names none nearer; None leaves it to the settings."""
        if agent is not None:
            choosing.named(self._runtime, agent)

        def write(tx: Tx) -> None:
            if projects.get(tx.conn, project_id) is None:
                raise NotFound("There is no such project.")
            projects.choose_agent(tx, project_id, agent)
            tx.emit(ProjectChanged(project_id=project_id, agent=agent))

        await self._runtime.store.write(write)

    async def open(
        self,
        project_path: str,
        kind: SessionKind,
        title: str | None,
        agent: str | None,
        message: Message | None,
        budget: Budget | None = None,
    ) -> tuple[Session, Task | None]:
        opening = Opening(project_path, kind, title, agent, message, budget)
        return await self.begin(opening, lambda _, session, task: (session, task))

    async def begin(self, opening: Opening, read: Callable[[Connection, Session, Task | None], T]) -> T:
        """A thread, with its first message where there is one: both are made, or neither. `read` as in `deliver`."""
        message, agent = opening.message, opening.agent
        if opening.kind is not SessionKind.CHAT:
            raise InvalidInput(f"Sessions of kind “{opening.kind}” are not part of this version.", "kind")
        if opening.title is None and message is None:
            raise InvalidInput("Give the session a title or a first message.", "title")
        project, place = await self._project_at(opening.project_path)
        now = self._runtime.clock.now()
        session = Session(
            id=uuid4().hex,
            project_id=project.id,
            workspace_id=place.workspace.id,
            slug="",
            kind=opening.kind,
            title=plain_title(opening.title or _title(message.text if message else "")),
            agent=agent,
            created_at=now,
            updated_at=now,
        )
        if agent is not None:
            choosing.named(self._runtime, agent)
        task, direct = await self._task(project, session, message) if message else (None, False)
        if task and direct:
            self._start_ahead(task, place)

        def write(tx: Tx) -> tuple[Session, Task | None]:
            made = _add_session(tx, session)
            if opening.budget:
                limits.save(tx, SessionGuards(made.id, budget=opening.budget))
            return made, tasks.add(tx, task) if task else None

        return await self._queue(write, read, place.workspace if task else None)

    async def _project_at(self, path: str) -> tuple[Project, _Place]:
        """The project, which most often is known already, and where its messages are worked on."""
        root = (await asyncio.to_thread(require, Path(path))).root
        known = await self._runtime.store.read(lambda c: _known(c, project_id(root)))
        if known:
            return known
        project = await self.add_project(str(root))
        return project, await self._runtime.store.read(lambda c: _first_place(c, project))

    async def prepare(self, project: Project) -> bool:
        """A new chat on this project was opened: its first message should find the agent ready."""
        return await warming.prepare(self._runtime, project, lambda: self._runner.state == "running")

    async def send(self, session_id: str, message: Message) -> Task:
        return await self.deliver(lambda c: _session(c, session_id), message, lambda _, task: task)

    async def deliver(
        self, find: Callable[[Connection], Session], message: Message, read: Callable[[Connection, Task], T]
    ) -> T:
        """Continue a thread: never makes another. Gives what `read` says of the task, queued or taken up at once.

        It is read in the same transaction: beside what the task does next it would come late.
        """
        session, project, place = await self._runtime.store.read(lambda c: _around(c, find(c)))
        looked_at = asyncio.to_thread(require, Path(project.path))
        _, (task, direct) = await asyncio.gather(looked_at, self._task(project, session, message))
        if direct:
            self._start_ahead(task, place)

        def write(tx: Tx) -> tuple[Session, Task]:
            if _session(tx.conn, session.id).deleted:
                raise Conflict("This session is deleted; start a new chat.")
            return session, tasks.add(tx, task)

        return await self._queue(write, lambda c, _, sent: read(c, sent or task), place.workspace)

    async def change(
        self,
        session_id: str,
        *,
        title: str | None = None,
        archived: bool | None = None,
        deleted: bool | None = None,
        budget: Mapping[str, float | None] | None = None,
    ) -> Session:
        """`budget` has the parts that change (`usd`, `tokens`, `minutes`); None leaves one to the settings."""
        given = {"title": plain_title(title) if title is not None else None, "archived": archived, "deleted": deleted}
        changes = {name: value for name, value in given.items() if value is not None}

        def write(tx: Tx) -> Session:
            session = _session(tx.conn, session_id)
            if deleted and tasks.any_open(tx.conn, session_id):
                raise Conflict("A task of this session is still open; cancel it first.")
            if budget:
                guards = limits.of_session(tx.conn, session_id)
                limits.save(tx, replace(guards, budget=guards.budget.changed(budget)))
            if changes or budget:
                told = {**changes, "budget": dict(budget) if budget else None}
                tx.emit(SessionChanged.model_validate(told), session_id=session_id)
            return sessions.update(tx, session_id, **changes) if changes else session

        changed = await self._runtime.store.write(write)
        if archived or deleted:
            await self._runtime.forget(session_id)
        for run in self._runner.dispatcher.runs_of(session_id) if budget else ():
            await run.budget_changed()
        return changed

    async def _task(self, project: Project, session: Session, message: Message) -> tuple[Task, bool]:
        """Build the task and have the agent refuse now what it could not run later.

        Also whether that agent is what is asked first, in the workspace itself.
        """
        if len(message.text) > PROMPT_LIMIT:
            raise TooLarge(f"The message is over {PROMPT_LIMIT:,} characters.", "text")
        request, written = scope_from_text(message.text)
        if not request:
            raise InvalidInput("The message is empty: say what should be done.", "text")
        config = await asyncio.to_thread(load, Path(project.path)) or Config()
        if message.options.from_stuck:
            await self._require_stuck(project, message.options.from_stuck)
        asked = choosing.Asked(project, session, message.agent, message.options)
        crew = await choosing.agreed(self._runtime, asked, config)
        wanted = choosing.scouts(message.options, config)
        await choosing.require_crew(self._runtime, crew, message.text, Path(project.path), scouts=wanted)
        now = self._runtime.clock.now()
        task = Task(
            id=uuid4().hex,
            session_id=session.id,
            project_id=project.id,
            workspace_id=session.workspace_id,
            prompt=request,
            agent=crew.editor.agent,
            submitted_at=now,
            updated_at=now,
            place=0,
            scope=merge_scope(written, message.scope),
            options=message.options,
        )
        return task, not message.options.dry_run and not wanted

    def _start_ahead(self, task: Task, place: _Place) -> None:
        """While the task is written: where nothing is before it, its agent will be asked at once."""
        workspace = place.workspace
        # With nothing to wait for behind it: a runner that stops now forgets what was begun before.
        if not place.open or not self._runner.dispatcher.is_free(workspace.id):
            return

        async def start() -> None:
            await warming.look_ahead(self._runtime, task, workspace)

        # A context of its own: it belongs to no request.
        starting = asyncio.create_task(start(), name=f"start ahead in {workspace.id}", context=Context())
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)

    async def _require_stuck(self, project: Project, task_id: str) -> None:
        stuck = await self._runtime.store.read(lambda c: tasks.get(c, task_id))
        if stuck is None or stuck.project_id != project.id or stuck.status is not TaskStatus.STUCK:
            raise InvalidInput("There is no stuck task of that id in this project to start from.", "from_stuck")

    async def _queue(
        self,
        write: Callable[[Tx], tuple[Session, Task | None]],
        read: Callable[[Connection, Session, Task | None], T],
        workspace: Workspace | None,
    ) -> T:
        def tell(tx: Tx, made: tuple[Session, Task | None], claimed: Task | None) -> tuple[Task | None, T]:
            session, queued = made
            now = claimed if claimed and queued and claimed.id == queued.id else queued
            return queued, read(tx.conn, session, now)

        if workspace is None:
            return await self._runtime.store.write(lambda tx: tell(tx, write(tx), None)[1])
        queued, answer = await self._runner.dispatcher.queue(workspace.id, write, tell)
        self._runtime.queue_changed(workspace.id, queued)
        return answer


def _title(text: str) -> str:
    """The first line of a message, without tags for the rehearsal agent, cut at a word."""
    lines = [line.strip() for line in TAG.sub("", text).splitlines() if line.strip()]
    line = lines[0] if lines else UNTITLED
    if len(line) <= TITLE_LIMIT:
        return line
    return line[:TITLE_LIMIT].rsplit(" ", 1)[0].rstrip(" ,.;:") + "…"


def _add_session(tx: Tx, session: Session) -> Session:
    def number() -> int:
        return sessions.count(tx.conn, session.project_id, session.kind) + 1

    wanted = wanted_slug(session.title, session.kind, number)
    taken = sessions.taken_slugs(tx.conn, session.project_id, wanted)
    made = replace(session, slug=free_slug(wanted, taken))
    sessions.add(tx, made)
    told = SessionCreated(
        project_id=made.project_id,
        workspace_id=made.workspace_id,
        slug=made.slug,
        kind=made.kind,
        title=made.title,
        agent=made.agent,
    )
    tx.emit(told, session_id=made.id)
    return made


def _known(c: Connection, project_id: str) -> tuple[Project, _Place] | None:
    project = projects.get(c, project_id)
    return (project, _first_place(c, project)) if project else None


def _first_place(c: Connection, project: Project) -> _Place:
    return _place(c, workspaces.of_project(c, project.id)[0])


def _place(c: Connection, workspace: Workspace) -> _Place:
    return _Place(workspace, tasks.is_open(c, workspace.id))


def _around(c: Connection, session: Session) -> tuple[Session, Project, _Place]:
    if session.deleted:
        raise Conflict("This session is deleted; start a new chat.")
    project, workspace = projects.get(c, session.project_id), workspaces.get(c, session.workspace_id)
    if project is None or workspace is None:
        raise NotFound("The session's project is no longer known.")
    return session, project, _place(c, workspace)


def _session(c: Connection, session_id: str) -> Session:
    session = sessions.get(c, session_id)
    if session is None:
        raise NotFound("There is no such session.")
    return session
