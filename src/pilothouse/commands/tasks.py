"""`pilothouse task`, `reply`, `cancel` and `logs`: tasks of the running server, from a terminal or a script."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pilothouse.commands.connection import AsJson, TokenText, Url, server_at
from pilothouse.commands.options import DataDir, shown
from pilothouse.commands.terminal import clean, state_words
from pilothouse.words import say, words

if TYPE_CHECKING:
    from pilothouse.client.server import Server
    from pilothouse.client.voice import Json


class Mode(StrEnum):
    ASK = "ask"
    EDITS = "edits"
    ALL = "all"


class Timeouts(StrEnum):
    STANDARD = "standard"
    LONG = "long"
    EXTENDED = "extended"


TaskId = Annotated[str, typer.Argument(help=shown(say("help.task_id")))]
Follow = Annotated[bool, typer.Option("--follow", "-f", help=shown(say("help.follow")))]
Constraints = Annotated[list[str] | None, typer.Option(help=shown(say("help.constraint")))]
NonGoals = Annotated[list[str] | None, typer.Option(help=shown(say("help.non_goal")))]
Boundaries = Annotated[list[str] | None, typer.Option(help=shown(say("help.boundary")))]


def task(
    text: Annotated[str, typer.Argument(help=shown(say("help.text")))],
    project: Annotated[Path, typer.Option(help=shown(say("help.project")))] = Path(),
    session: Annotated[str | None, typer.Option(help=shown(say("help.session")))] = None,
    title: Annotated[str | None, typer.Option(help=shown(say("help.title")))] = None,
    agent: Annotated[str | None, typer.Option(help=shown(say("help.agent")))] = None,
    model: Annotated[str | None, typer.Option(help=shown(say("help.model")))] = None,
    permission_mode: Annotated[
        Mode | None, typer.Option(help=shown(say("help.permission_mode")))
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=shown(say("help.dry_run")))] = False,
    auto_fix: Annotated[bool, typer.Option("--auto-fix", help=shown(say("help.auto_fix")))] = False,
    constraint: Constraints = None,
    non_goal: NonGoals = None,
    boundary: Boundaries = None,
    timeouts: Annotated[Timeouts, typer.Option(help=shown(say("help.timeouts")))] = Timeouts.STANDARD,
    follow: Follow = False,
    as_json: AsJson = False,
    url: Url = None,
    token: TokenText = None,
    data_dir: DataDir = None,
) -> None:  # fmt: skip
    """Give the running server a task."""
    given: Json = {
        "text": sys.stdin.read() if text == "-" else text,
        "agent": agent,
        "model": model,
        "permission_mode": permission_mode.value if permission_mode else None,
        "dry_run": dry_run or None,
        "auto_fix": auto_fix or None,
        "constraints": constraint or None,
        "non_goals": non_goal or None,
        "boundaries": boundary or None,
        "timeout_profile": timeouts.value if timeouts is not Timeouts.STANDARD else None,
    }
    message = {name: value for name, value in given.items() if value is not None}
    with server_at(url, token, data_dir, as_json) as server:
        since = server.seq()
        made = server.submit(str(project.expanduser().resolve()), message, title, session)
        _told(server, made, since, follow, as_json, say("cli.task", task=made["task_id"]))


def reply(
    task_id: TaskId,
    text: Annotated[str, typer.Argument(help=shown(say("help.reply")))],
    attempt: Annotated[int | None, typer.Option(help=shown(say("help.asking_attempt")))] = None,
    follow: Follow = False,
    as_json: AsJson = False,
    url: Url = None,
    token: TokenText = None,
    data_dir: DataDir = None,
) -> None:
    """Answer a task that waits; it goes on in the same place of the queue."""
    from pilothouse.client.server import task_path

    with server_at(url, token, data_dir, as_json) as server:
        since = server.seq()
        said = {"reply": sys.stdin.read() if text == "-" else text, "attempt": attempt}
        server.post(f"{task_path(task_id)}/reply", said)
        made = server.get(task_path(task_id))
        _told(server, made, since, follow, as_json, say("cli.answered_status", state=state_words(made)))


def cancel(
    task_id: TaskId,
    hold: Annotated[bool, typer.Option("--hold", help=shown(say("help.hold")))] = False,
    as_json: AsJson = False,
    url: Url = None,
    token: TokenText = None,
    data_dir: DataDir = None,
) -> None:
    """Cancel a task. What it changed stays; one that has not begun is gone without a trace."""
    from pilothouse.client.server import task_path

    with server_at(url, token, data_dir, as_json) as server:
        done = server.post(f"{task_path(task_id)}/cancel", {"hold": hold})
    if as_json:
        typer.echo(json.dumps(done, ensure_ascii=False))
    elif done["new_status"] is None:
        typer.echo(words(say("cli.cancelled_before")))
    else:
        typer.echo(words(say("cli.is_cancelled" if done["new_status"] == "CANCELLED" else "cli.is_being_cancelled")))


def logs(
    task_id: TaskId,
    attempt: Annotated[int | None, typer.Option(min=1, help=shown(say("help.attempt")))] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help=shown(say("help.follow_on")))] = False,
    as_json: AsJson = False,
    url: Url = None,
    token: TokenText = None,
    data_dir: DataDir = None,
) -> None:
    """Print what a task's agent and checks printed."""
    from pilothouse.client.server import task_path

    with server_at(url, token, data_dir, as_json) as server:
        since = server.seq()
        task = server.get(task_path(task_id))
        if follow:
            from pilothouse.commands.follow import follow as follow_task

            raise typer.Exit(follow_task(server, task, since, as_json, from_start=True))
        number = attempt or task["attempt"]
        for text, _ in server.output(task_id, number) if number else ():
            typer.echo(json.dumps({"type": "text", "text": text}) if as_json else clean(text), nl=as_json)


def _told(server: Server, task: Json, since: int, follow: bool, as_json: bool, said: str) -> None:
    if follow:
        from pilothouse.commands.follow import follow as follow_task

        raise typer.Exit(follow_task(server, task, since, as_json))
    if as_json:
        typer.echo(json.dumps({"type": "task", "address": server.address(task), "task": task}, ensure_ascii=False))
    else:
        typer.echo(f"{words(said)}\n{server.address(task)}")
