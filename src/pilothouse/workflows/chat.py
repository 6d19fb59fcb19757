"""Chat sessions: a thread of messages on one project, each a task in the workspace's queue."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection

from pilothouse.domain.agent.prompts import PROMPT_LIMIT
from pilothouse.domain.guard.budgets import Budget
from pilothouse.domain.guard.limits import SessionGuards
from pilothouse.domain.session.session import (
    UNTITLED,
    Project,
    Session,
    SessionAction,
    SessionKind,
    SessionStatus,
    Workspace,
    plain_title,
)
from pilothouse.domain.task.scope import Scope, merge_scope, scope_from_text
from pilothouse.domain.task.task import Purpose, Task, TaskOptions, TaskStatus
from pilothouse.engine.agents import choice
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.transition import move_session, queue
from pilothouse.engine.workflow import Workflow
from pilothouse.engine.workspace import pins
from pilothouse.errors import Conflict, InvalidInput, NotFound, TooLarge
from pilothouse.git.repository import require
from pilothouse.git.threads import beside
from pilothouse.store.database import Tx
from pilothouse.store.guard import holds
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.store.task import tasks
from pilothouse.verify.agent_yaml.config import Config
from pilothouse.verify.agent_yaml.file import load
from pilothouse.words import say
from pilothouse.workflows.projects import Projects
from pilothouse.workflows.sessions import begin

TITLE_LIMIT = 60
TAG = re.compile(r"\[\[[^\]]*\]\]")


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


class Chat(Workflow):
    """A message is a task; when it has ended, the next one is the person's to send."""

    def __init__(self, runtime: Runtime, projects: Projects) -> None:
        self._runtime = runtime
        self._projects = projects

    @property
    def is_conversation(self) -> bool:
        return True

    async def open(self, opening: Opening) -> tuple[Session, Task | None]:
        """Begin a thread, with its first message where there is one: both are made, or neither."""
        message, agent = opening.message, opening.agent
        if opening.kind is not SessionKind.CHAT:
            raise InvalidInput(say("session.kind_unknown", kind=say(f"session_kind.{opening.kind}")), "kind")
        if opening.title is None and message is None:
            raise InvalidInput(say("session.no_title"), "title")
        project, workspace = await self._projects.at(opening.project_path)
        now = self._runtime.clock.now()
        session = Session(
            id=uuid4().hex,
            project_id=project.id,
            workspace_id=workspace.id,
            slug="",
            kind=opening.kind,
            title=plain_title(opening.title or _title(message.text if message else "")),
            agent=agent,
            created_at=now,
            updated_at=now,
        )
        if agent is not None:
            choice.named(self._runtime, agent)
        task = await self._task(project, workspace, session, message) if message else None

        def write(tx: Tx) -> tuple[Session, Task | None]:
            made = begin(tx, session)
            if opening.budget:
                holds.save(tx, SessionGuards(made.id, budget=opening.budget))
            return made, queue(tx, task) if task else None

        return await self._runtime.store.write(write)

    async def send(self, session_id: str, message: Message) -> Task:
        """Continue a thread: never makes another."""
        session, project, workspace = await self._runtime.store.read(lambda c: _around(c, session_id))
        self._runtime.require_here(workspace)
        await beside(Path(workspace.path), lambda: require(Path(workspace.path)))
        task = await self._task(project, workspace, session, message)

        def write(tx: Tx) -> Task:
            present = sessions.require(tx.conn, session_id)
            if present.deleted:
                raise Conflict(say("session.deleted"))
            if present.status is SessionStatus.COMPLETED:
                move_session(tx, session_id, SessionAction.REOPEN)
            return queue(tx, task)

        return await self._runtime.store.write(write)

    async def _task(self, project: Project, workspace: Workspace, session: Session, message: Message) -> Task:
        """Build the task and have the agent refuse now what it could not run later."""
        if len(message.text) > PROMPT_LIMIT:
            raise TooLarge(say("message.too_long", limit=PROMPT_LIMIT), "text")
        request, written = scope_from_text(message.text)
        if not request:
            raise InvalidInput(say("message.empty"), "text")
        config = await beside(Path(workspace.path), lambda: load(Path(workspace.path))) or Config()
        await pins.first(self._runtime, project, workspace)
        stuck = message.options.from_stuck
        inherited = (await self._stuck(project, stuck)).scope if stuck else Scope()
        near = choice.Near(project, session, message.agent, message.options)
        crew = await choice.agreed(self._runtime, near, config)
        wanted = choice.scouts(message.options, config)
        await choice.require_crew(self._runtime, crew, message.text, Path(workspace.path), scouts=wanted)
        now = self._runtime.clock.now()
        return Task(
            id=uuid4().hex,
            session_id=session.id,
            project_id=project.id,
            workspace_id=session.workspace_id,
            prompt=request,
            agent=crew.editor.agent,
            submitted_at=now,
            updated_at=now,
            place=0,
            scope=merge_scope(inherited, written, message.scope),
            options=message.options,
            purpose=Purpose.PROPOSE if message.options.dry_run else Purpose.CHANGE,
        )

    async def _stuck(self, project: Project, task_id: str) -> Task:
        stuck = await self._runtime.store.read(lambda c: tasks.get(c, task_id))
        if stuck is None or stuck.project_id != project.id or stuck.status is not TaskStatus.STUCK:
            raise InvalidInput(say("message.no_stuck"), "from_stuck")
        return stuck


def _title(text: str) -> str:
    """The first line of a message, without tags for the rehearsal agent, cut at a word."""
    lines = [line.strip() for line in TAG.sub("", text).splitlines() if line.strip()]
    line = lines[0] if lines else UNTITLED
    if len(line) <= TITLE_LIMIT:
        return line
    return line[:TITLE_LIMIT].rsplit(" ", 1)[0].rstrip(" ,.;:") + "…"


def _around(c: Connection, session_id: str) -> tuple[Session, Project, Workspace]:
    session = sessions.require(c, session_id)
    if session.deleted:
        raise Conflict(say("session.deleted"))
    project, workspace = projects.get(c, session.project_id), workspaces.get(c, session.workspace_id)
    if project is None or workspace is None:
        raise NotFound(say("session.project_gone"))
    return session, project, workspace
