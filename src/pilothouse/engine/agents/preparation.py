"""A process of the agent that will be asked next, started before it is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from pilothouse.domain.ports import SpawnRequest
from pilothouse.domain.session.session import Project, Workspace
from pilothouse.domain.task.task import TaskOptions
from pilothouse.engine.agents import choice, instructions
from pilothouse.engine.runtime import Runtime
from pilothouse.errors import PilothouseError
from pilothouse.verify.chosen_checks import checks_of

log = logging.getLogger(__name__)


async def prepare(runtime: Runtime, project: Project, workspace: Workspace, wanted: Callable[[], bool]) -> bool:
    """For a new chat in this workspace with nothing chosen; whether an agent was asked to get ready.

    Nobody waits for it and nothing depends on it: where it cannot be, the first message says why. `wanted` is asked
    last: an agent that is asked to get ready afterwards hears of it when all is to be forgotten.
    """
    try:
        request, name = await _request(runtime, project, workspace)
        if not wanted():
            return False
        await choice.known(runtime, name).prepare(request)
    except (PilothouseError, OSError) as error:
        log.info("no agent was made ready for %s: %s", workspace.path, error)
        return False
    return True


def _log(runtime: Runtime, name: str) -> Path:
    """Named as those of runs are, so that it is tidied as they are."""
    return runtime.settings.logs / f"{name}_prepared_{runtime.clock.now():%Y%m%dT%H%M%S%f}.log"


async def _request(runtime: Runtime, project: Project, workspace: Workspace) -> tuple[SpawnRequest, str]:
    """As `attempt/spawn.py` would make it: only an equal one can be served by what is prepared."""
    runtime.require_here(workspace)
    root = Path(workspace.path)
    config = checks_of(root, project.checks).config
    crew = await choice.agreed(runtime, choice.Near(project, None, None, TaskOptions()), config)
    await choice.require_crew(runtime, crew, "", root, scouts=False)
    person = await choice.preferred(runtime)
    name, wanted, tools = choice.Assigned(crew, person.tools).post("edit")
    folders = (root, Path(project.path))
    text, _ = await instructions.gather(runtime.settings, root, choice.known(runtime, name), folders)
    request = SpawnRequest(
        uuid4().hex,
        root,
        "",
        _log(runtime, name),
        choice=wanted,
        tools=tools,
        workbench=runtime.seats.reserve(workspace.id),
        instructions=text,
        settings_of=folders,
    )
    return request, name
