"""Who does what: the agent, model and tools for each turn, from what the message, the session, the repository, the
project and the person say, in this order. Never a silent stand-in."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from pilothouse.domain.agent import crew as crews
from pilothouse.domain.agent import tool_policy
from pilothouse.domain.agent.crew import Crew, Wish
from pilothouse.domain.ports import Agent, Choice
from pilothouse.domain.preferences import AgentPreferences, Preferences
from pilothouse.domain.session.session import Project, Session, Workspace
from pilothouse.domain.task.task import Task, TaskOptions
from pilothouse.errors import BadAgentYaml, BadConfiguration, InvalidInput, NoAgent, NotFound
from pilothouse.store import preferences
from pilothouse.store.session import projects, sessions, workspaces
from pilothouse.verify.agent_yaml.config import Config
from pilothouse.verify.agent_yaml.file import load
from pilothouse.words import listed, say

if TYPE_CHECKING:
    from pilothouse.engine.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Near:
    """What is near a message, and may speak of an agent."""

    project: Project
    session: Session | None
    """None before there is one."""
    agent: str | None
    """Of the message itself."""
    options: TaskOptions


@dataclass(frozen=True, slots=True)
class StoredNear:
    """What is stored near a task, and may speak of an agent."""

    project: Project
    workspace: Workspace
    session: Session
    preferences: Preferences


@dataclass(frozen=True, slots=True)
class Assigned:
    crew: Crew
    tools: tuple[str, ...] = ()
    """Those the person added for agents that may write."""

    def post(self, role: str, *, read_only: bool = False) -> tuple[str, Choice, tuple[str, ...]]:
        """Agent, model and tools for one spawn; raises `BadConfiguration` where a tool is not allowed there."""
        who = tool_policy.duty_of(role).role
        member = self.crew.member(who)
        if member is None:
            raise BadConfiguration(say("agent.none_chosen", role=say(f"role.{who}")))
        return member.agent, member.choice, tool_policy.allowed(role, read_only=read_only, further=self.tools)


async def agreed(runtime: Runtime, near: Near, config: Config) -> Crew:
    """For a message that is about to become a task."""
    person = await preferred(runtime)
    wishes = _wishes(near, config, person)
    editor = crews.first_agent(wishes) or await runtime.health.first_ready()
    if editor is None:
        raise NoAgent(say("agent.none_ready"), {"agents": sorted(runtime.agents)})
    named(runtime, editor)
    return crews.crew(editor, wishes, config.agents, person.roles)


def stored_near(c: Connection, task: Task) -> StoredNear:
    project, session = projects.get(c, task.project_id), sessions.get(c, task.session_id)
    workspace = workspaces.get(c, task.workspace_id)
    if project is None or session is None or workspace is None:
        raise NotFound(say("task.project_gone"))
    return StoredNear(project, workspace, session, preferences.load(c).preferences)


def assigned(stored: StoredNear, task: Task, config: Config) -> Assigned:
    """For a task; its editor was chosen when it was sent, the rest is as it stands now."""
    person = stored.preferences.agents
    wishes = _wishes(Near(stored.project, stored.session, task.agent, task.options), config, person)
    return Assigned(crews.crew(task.agent, wishes, config.agents, person.roles), person.tools)


async def require_crew(runtime: Runtime, crew: Crew, prompt: str, place: Path, *, scouts: bool) -> None:
    """Refuse before anything runs: an agent that is not there, that cannot log in, or whose files are broken."""
    for name in dict.fromkeys([crew.editor.agent, *([crew.scout.agent] if scouts else [])]):
        agent = known(runtime, name)
        await runtime.health.bounded(name, asyncio.ensure_future(agent.check(prompt, place, {})))
        await runtime.health.require_credentials(name)


def named(runtime: Runtime, name: str) -> str:
    if name not in runtime.agents:
        raise InvalidInput(say("agent.unknown_of", name=name, known=listed(sorted(runtime.agents))), "agent")
    return name


def known(runtime: Runtime, name: str) -> Agent:
    if name not in runtime.agents:
        others = listed(sorted(runtime.agents))
        raise BadConfiguration(say("agent.unknown_choose", name=name, known=others), {"agent": name})
    return runtime.agents[name]


def _wishes(near: Near, config: Config, person: AgentPreferences) -> list[Wish]:
    """Those that speak of the editor, the nearest first."""
    repository = config.agents.editor
    return [
        Wish(near.agent, near.options.model, near.options.effort),
        Wish(near.session.agent if near.session else None),
        Wish(repository.agent or config.agent, repository.model, repository.effort),
        Wish(near.project.agent),
        *person.wish(),
    ]


async def preferred(runtime: Runtime) -> AgentPreferences:
    return (await runtime.store.read(preferences.load)).preferences.agents


def scouts(options: TaskOptions, config: Config) -> bool:
    """Whether scouts look around before the editor: as the message says, else as the repository does."""
    return bool(config.scouts) if options.scouts is None else options.scouts


def config_of(root: Path, *, strict: bool = False) -> Config:
    """A broken file says nothing, unless `strict`: where the work begins it is told."""
    try:
        return load(root) or Config()
    except BadAgentYaml:
        if strict:
            raise
        return Config()
