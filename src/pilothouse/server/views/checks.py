"""The checks of a project: where they come from, and changing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.task.checks import Check
from pilothouse.errors import BadAgentYaml, Conflict, InvalidInput, WorkspaceBusy
from pilothouse.git.repository import inspect
from pilothouse.server.schemas.checks import CheckIn, CheckOut, CommandsOut, ProblemOut
from pilothouse.server.views.projects import ProjectState, state
from pilothouse.store.task import tasks
from pilothouse.verify.agent_yaml import file
from pilothouse.verify.agent_yaml.config import dump
from pilothouse.verify.agent_yaml.document import decoded
from pilothouse.verify.agent_yaml.file import load, read
from pilothouse.verify.chosen_checks import ChosenChecks, checks_of
from pilothouse.verify.detection.detect import detect
from pilothouse.words import say


def require_idle(c: Connection, project_id: str, host: str) -> ProjectState:
    """Refuses while a task is at work: a file written then could not be told from the task's own changes."""
    found = state(c, project_id, host)
    if found.busy:
        raise WorkspaceBusy(found.busy)
    holder = tasks.holder(c, found.workspace.id)
    if holder:
        raise WorkspaceBusy(say("workspace.held_by_task"), {"task_id": holder.id})
    return found


def describe(known: ProjectState) -> CommandsOut:
    """Shows a broken agent.yaml with its problems, since this screen is where a person corrects it."""
    root = Path(known.workspace.path)
    inspect(root)
    problems: Sequence[ProblemOut] = ()
    text = None
    try:
        body = read(root)
        text = None if body is None else decoded(body)
        chosen = checks_of(root, known.project.checks)
    except BadAgentYaml as error:
        chosen = ChosenChecks("agent.yaml")
        problems = [ProblemOut(**asdict(problem)) for problem in error.problems]
    found = detect(root, chosen.package)
    proposed = replace(chosen.config, checks=found.checks if problems else chosen.checks)
    return CommandsOut(
        origin=chosen.origin,
        checks=[check_out(check) for check in chosen.checks],
        package=chosen.package,
        problems=list(problems),
        notes=list(found.notes),
        detected=[check_out(check) for check in found.checks],
        text=text,
        proposed=dump(proposed),
    )


def checked(known: ProjectState, given: Sequence[CheckIn] | None) -> tuple[Check, ...] | None:
    """The checks a person wants. Refuses where agent.yaml names them."""
    root = Path(known.workspace.path)
    inspect(root)
    config = load(root)
    if config and config.checks is not None:
        raise Conflict(say("checks.in_agent_yaml"))
    if given is None:
        return None
    names: set[str] = set()
    for number, check in enumerate(given):
        if check.name in names:
            raise InvalidInput(say("checks.same_name", name=check.name), f"checks.{number}.name")
        if not (root / check.folder).resolve().is_relative_to(root.resolve()) or not (root / check.folder).is_dir():
            raise InvalidInput(say("checks.no_folder", folder=check.folder), f"checks.{number}.folder")
        names.add(check.name)
    return tuple(Check(check.name, _command(check.command), check.timeout_seconds, check.folder) for check in given)


def save(known: ProjectState, text: str, seen: str | None) -> None:
    root = Path(known.workspace.path)
    inspect(root)
    try:
        file.save(root, text, seen)
    except BadAgentYaml as error:
        raise InvalidInput(error.message, "text", error.details) from error


def _command(command: str | list[str]) -> str | tuple[str, ...]:
    return command if isinstance(command, str) else tuple(command)


def check_out(check: Check) -> CheckOut:
    return CheckOut(
        name=check.name,
        command=check.command if isinstance(check.command, str) else list(check.command),
        shown=check.shown,
        timeout_seconds=check.timeout_seconds,
        folder=check.folder,
        source=check.source,
    )
