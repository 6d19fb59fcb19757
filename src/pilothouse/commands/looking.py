"""`pilothouse sessions` and `logs`: what there is, and what a task said."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pilothouse.commands.place import AsJson, DataDir, TokenText, Url, server_at
from pilothouse.commands.tasks import TaskId
from pilothouse.commands.terminal import clean
from pilothouse.words import say, words


class Group(StrEnum):
    NEEDS_YOU = "needs_you"
    RUNNING = "running"
    QUEUED = "queued"
    RECENT = "recent"


def sessions(
    project: Annotated[Path | None, typer.Option(help="Only those of this repository.")] = None,
    group: Annotated[Group | None, typer.Option(help="Only these.")] = None,
    search: Annotated[str, typer.Option(help="Words of the title or of the project's path.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=200)] = 20,
    as_json: AsJson = False,
    url: Url = None,
    token: TokenText = None,
    data_dir: DataDir = None,
) -> None:
    """List sessions: those that need you first."""
    with server_at(url, token, data_dir, as_json) as server:
        wanted = None
        if project:
            wanted = server.post("/api/projects", {"path": str(project.expanduser().resolve())})["id"]
        found = server.get(
            "/api/sessions", project_id=wanted, group=group.value if group else None, q=search, limit=limit
        )["items"]
    if as_json:
        for session in found:
            typer.echo(json.dumps(session, ensure_ascii=False))
        return
    for session in found:
        state = session["awaiting"] or session["verdict"] or session["task_status"] or session["status"]
        typer.echo(clean(f"{session['group']:<9}  {state:<12}  {session['title']}"))
        typer.echo(
            clean(f"           {session['project_path']}  {session['slug']}  {session['current_task_id'] or ''}")
        )
    if not found:
        typer.echo(words(say("cli.no_sessions")))


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
            from pilothouse.commands.following import follow as follow_task

            raise typer.Exit(follow_task(server, task, since, as_json, from_start=True))
        number = attempt or task["attempt"]
        for text, _ in server.output(task_id, number) if number else ():
            typer.echo(json.dumps({"type": "text", "text": text}) if as_json else clean(text), nl=as_json)
