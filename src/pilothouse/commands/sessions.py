"""`pilothouse sessions`: which sessions there are, those that need the person first."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pilothouse.commands.connection import AsJson, TokenText, Url, server_at
from pilothouse.commands.options import DataDir, shown
from pilothouse.commands.terminal import clean
from pilothouse.words import named, say, words

if TYPE_CHECKING:
    from pilothouse.client.voice import Json


class Group(StrEnum):
    NEEDS_YOU = "needs_you"
    RUNNING = "running"
    QUEUED = "queued"
    RECENT = "recent"


def sessions(
    project: Annotated[Path | None, typer.Option(help=shown(say("help.of_project")))] = None,
    group: Annotated[Group | None, typer.Option(help=shown(say("help.group")))] = None,
    search: Annotated[str, typer.Option(help=shown(say("help.search")))] = "",
    limit: Annotated[int, typer.Option(min=1, max=200, help=shown(say("help.limit")))] = 20,
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
        place, state = words(named("group", session["group"])), words(_state(session))
        typer.echo(clean(f"{place:<9}  {state:<17}  {session['title']}"))
        typer.echo(
            clean(f"           {session['project_path']}  {session['slug']}  {session['current_task_id'] or ''}")
        )
    if not found:
        typer.echo(words(say("cli.no_sessions")))


def _state(session: Json) -> str:
    if session["doubts"] and session["verdict"] == "PASS" and not session["awaiting"]:
        return named("verdict", "doubtful")
    families = {"awaiting": "awaiting", "verdict": "verdict", "task_status": "status", "status": "session_status"}
    return next(named(family, session[field]) for field, family in families.items() if session[field])
