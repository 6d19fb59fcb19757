"""`pilothouse task`, `reply`, `cancel` and `logs`: tasks of the running server, from a terminal or a script."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pilothouse.commands.connection import AsJson, TokenText, Url, server_at
from pilothouse.commands.options import DataDir
from pilothouse.commands.terminal import clean
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


TaskId = Annotated[str, typer.Argument(help="The task's id, as `pilothouse task` and `sessions` print it.")]
Follow = Annotated[
    bool, typer.Option("--follow", "-f", help="Show what happens, ask what it asks, and exit by how it ends.")
]
Constraints = Annotated[list[str] | None, typer.Option(help="A limit to keep to. May be given several times.")]
NonGoals = Annotated[list[str] | None, typer.Option(help="What it is not to do. May be given several times.")]
Boundaries = Annotated[list[str] | None, typer.Option(help="A path to stay out of. May be given several times.")]


def task(
    text: Annotated[str, typer.Argument(help="What is to be done; “-” reads it from standard input.")],
    project: Annotated[Path, typer.Option(help="The repository to work in.")] = Path(),
    session: Annotated[str | None, typer.Option(help="Go on in this session of the project, by its slug.")] = None,
    title: Annotated[str | None, typer.Option(help="Title of the new session; else the text's first line.")] = None,
    agent: Annotated[str | None, typer.Option(help="Which agent; else the session's or the project's.")] = None,
    model: Annotated[str | None, typer.Option(help="Which of its models.")] = None,
    permission_mode: Annotated[
        Mode | None, typer.Option(help="What it may do unasked: nothing, change files, or everything.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Propose; write nothing before you apply it.")] = False,
    auto_fix: Annotated[bool, typer.Option("--auto-fix", help="Roll back by itself when stuck or failed.")] = False,
    constraint: Constraints = None,
    non_goal: NonGoals = None,
    boundary: Boundaries = None,
    timeouts: Annotated[Timeouts, typer.Option(help="How long the agent may be silent or work.")] = Timeouts.STANDARD,
    follow: Follow = False,
    as_json: AsJson = False,
    url: Url = None,
    token: TokenText = None,
    data_dir: DataDir = None,
) -> None:  # fmt: skip
    """Give the running server a task.

    With --follow the exit code says how it ended:

    0 done, 1 stuck, 3 error, 4 cancelled, 5 waits for an answer that nobody is here to give,

    6 the server refused, 7 there is no server, 130 you detached.
    """
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
    text: Annotated[str, typer.Argument(help="Your answer; “-” reads it from standard input.")],
    attempt: Annotated[
        int | None, typer.Option(help="The attempt that asked: refused if the task has gone on since.")
    ] = None,
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
        _told(server, made, since, follow, as_json, say("cli.answered_status", status=made["status"].lower()))


def cancel(
    task_id: TaskId,
    hold: Annotated[bool, typer.Option("--hold", help="Let nothing else start in its workspace either.")] = False,
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
    attempt: Annotated[int | None, typer.Option(min=1, help="Which attempt; else the newest.")] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until it ends, as `task --follow`.")] = False,
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
