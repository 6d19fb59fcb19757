"""Finds the server that a command speaks to, and says what is wrong when there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pilothouse.commands.options import settings_of, shown
from pilothouse.errors import ClientError, NoServer, Refused
from pilothouse.words import say, sentences, words

if TYPE_CHECKING:
    from pilothouse.client.server import Server
    from pilothouse.settings import Settings

Url = Annotated[
    str | None,
    typer.Option(envvar="PILOTHOUSE_URL", help=shown(say("help.url"))),
]
TokenText = Annotated[
    str | None,
    typer.Option("--token", envvar="PILOTHOUSE_TOKEN", help=shown(say("help.token"))),
]
AsJson = Annotated[bool, typer.Option("--json", help=shown(say("help.json")))]

REFUSED, NO_SERVER = 6, 7


@contextmanager
def server_at(url: str | None, token: str | None, data_dir: Path | None, as_json: bool = False) -> Iterator[Server]:
    """The server. Prints its refusals and ends the command with an exit code."""
    try:
        with connect(url, token, data_dir) as server:
            yield server
    except ClientError as error:
        _end(error, as_json)


def connect(url: str | None, token: str | None, data_dir: Path | None) -> Server:
    from pilothouse.client.server import Server
    from pilothouse.process import door

    settings = settings_of(data_dir=data_dir)
    if url is None:
        url = _running(settings)
        if not token and door.path_of(settings.data_dir).is_socket():
            return Server(url, door=door.address(settings.data_dir))
    elif not url.startswith(("http://", "https://")):
        raise typer.BadParameter(words(say("cli.wrong_url")), param_hint="--url")
    if not token:
        raise Refused(401, "not_logged_in", say("login.no_token"), say("login.print_token"), {})
    return Server(url, token)


def _running(settings: Settings) -> str:
    from pilothouse.server import data_lock
    from pilothouse.server.access import hosts

    port = data_lock.running(settings.data_dir)
    if port is None:
        raise NoServer(say("server.not_running", folder=str(settings.data_dir)))
    if port == 0:
        raise NoServer(say("server.starting"))
    return hosts.url("127.0.0.1" if settings.host in hosts.WILDCARDS else settings.host, port)


def _end(error: ClientError, as_json: bool) -> NoReturn:
    if as_json:
        code = error.code if isinstance(error, Refused) else "no_server"
        said = {"message": words(error.message), "next_action": words(error.next_action)}
        typer.echo(json.dumps({"error": code, **said}))
    else:
        typer.echo(words(sentences(error.message, error.next_action)), err=True)
    raise typer.Exit(REFUSED if isinstance(error, Refused) else NO_SERVER)
