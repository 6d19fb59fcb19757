"""The commands that a project is verified with: where they come from, and what may become of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from sqlalchemy import Connection

from pilothouse.domain.checks import Check
from pilothouse.domain.sessions import Project
from pilothouse.errors import BadAgentYaml, Conflict, InvalidInput, WorkspaceBusy
from pilothouse.git import inspect
from pilothouse.server.schemas.commands import CheckIn, CheckOut, CommandsOut, ProblemOut
from pilothouse.server.trees import known
from pilothouse.store import tasks
from pilothouse.verify import saving
from pilothouse.verify.config import dump, load, read
from pilothouse.verify.detect import detect
from pilothouse.verify.document import decoded
from pilothouse.verify.plan import Plan, checks_of
from pilothouse.words import say


def project_of(c: Connection, project_id: str) -> Project:
    return known(c, project_id).project


def require_idle(c: Connection, project_id: str) -> Project:
    """A file written under a task could not be told from the task's own changes."""
    found = known(c, project_id)
    if found.busy:
        raise WorkspaceBusy(found.busy)
    holder = tasks.holder(c, found.workspace.id)
    if holder:
        raise WorkspaceBusy(say("workspace.held_by_task"), {"task_id": holder.id})
    return found.project


def describe(project: Project) -> CommandsOut:
    """A broken agent.yaml is told as it is: the screen that shows it is where it gets corrected."""
    root = Path(project.path)
    inspect(root)
    problems: Sequence[ProblemOut] = ()
    text = None
    try:
        body = read(root)
        text = None if body is None else decoded(body)
        plan = checks_of(root, project.checks)
    except BadAgentYaml as error:
        plan = Plan("agent.yaml")
        problems = [ProblemOut(**asdict(problem)) for problem in error.problems]
    found = detect(root, plan.package)
    proposed = replace(plan.config, checks=found.checks if problems else plan.checks)
    return CommandsOut(
        origin=plan.origin,
        checks=[_out(check) for check in plan.checks],
        package=plan.package,
        problems=list(problems),
        notes=list(found.notes),
        detected=[_out(check) for check in found.checks],
        text=text,
        proposed=dump(proposed),
    )


def checked(project: Project, given: Sequence[CheckIn] | None) -> tuple[Check, ...] | None:
    """What a person made of the checks, where they are the ones to say."""
    root = Path(project.path)
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


def save(project: Project, text: str, seen: str | None) -> None:
    root = Path(project.path)
    inspect(root)
    try:
        saving.save(root, text, seen)
    except BadAgentYaml as error:
        raise InvalidInput(error.message, "text", error.details) from error


def _command(command: str | list[str]) -> str | tuple[str, ...]:
    return command if isinstance(command, str) else tuple(command)


def _out(check: Check) -> CheckOut:
    return CheckOut(
        name=check.name,
        command=check.command if isinstance(check.command, str) else list(check.command),
        shown=check.shown,
        timeout_seconds=check.timeout_seconds,
        folder=check.folder,
        source=check.source,
    )
