"""A process of the agent that will be asked next, started before it is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from pilothouse.domain.ports import SpawnRequest
from pilothouse.domain.sessions import Project, Session, SessionKind, Workspace
from pilothouse.domain.tasks import Task, TaskOptions
from pilothouse.engine.agents import choice as choosing
from pilothouse.engine.agents import instructions as instructing
from pilothouse.engine.agents.choice import Asked, Assigned
from pilothouse.engine.runtime import Runtime
from pilothouse.engine.workspace import refs
from pilothouse.errors import PilothouseError
from pilothouse.verify.plan import checks_of

log = logging.getLogger(__name__)


async def prepare(runtime: Runtime, project: Project, wanted: Callable[[], bool]) -> bool:
    """For a new chat on this project with nothing chosen; whether an agent was asked to get ready.

    Nobody waits for it and nothing depends on it: where it cannot be, the first message says why. `wanted` is asked
    last: an agent that is asked to get ready afterwards hears of it when all is to be forgotten.
    """
    try:
        request, name = await _request(runtime, project)
        if not wanted():
            return False
        await choosing.known(runtime, name).prepare(request)
    except (PilothouseError, OSError) as error:
        log.info("no agent was made ready for %s: %s", project.path, error)
        return False
    return True


async def look_ahead(runtime: Runtime, task: Task, workspace: Workspace) -> None:
    """While the message is queued and taken up: the first attempt's checkpoint finds the workspace looked through."""
    ref, lock = refs.step(replace(task, attempt=1), 0), runtime.lock(workspace.id)
    if lock.locked():
        return
    try:
        async with lock.looking():
            await runtime.on_tree(workspace, lambda tree: tree.look(ref))
    except (PilothouseError, OSError):  # the attempt looks again, and says what is wrong
        log.info("%s was not looked at ahead", workspace.path, exc_info=True)


def _log(runtime: Runtime, name: str) -> Path:
    """Named as those of runs are, so that it is tidied as they are."""
    return runtime.settings.logs / f"{name}_prepared_{runtime.clock.now():%Y%m%dT%H%M%S%f}.log"


async def _request(runtime: Runtime, project: Project) -> tuple[SpawnRequest, str]:
    """As `Steps.agent` would make it: only an equal one can be served by what is prepared."""
    now, root = runtime.clock.now(), Path(project.path)
    config = checks_of(root, project.checks).config
    session = Session(
        id="", project_id=project.id, workspace_id=project.id, slug="", kind=SessionKind.CHAT, title="", agent=None,
        created_at=now, updated_at=now,
    )  # fmt: skip
    crew = await choosing.agreed(runtime, Asked(project, session, None, TaskOptions()), config)
    await choosing.require_crew(runtime, crew, "", root, scouts=False)
    person = await choosing.preferred(runtime)
    name, choice, tools = Assigned(crew, person.tools).post("edit")
    text, _ = await instructing.gather(runtime.settings, root)
    request = SpawnRequest(
        uuid4().hex,
        root,
        "",
        _log(runtime, name),
        choice=choice,
        tools=tools,
        workbench=runtime.seats.reserve(project.id),
        instructions=text,
    )
    return request, name
