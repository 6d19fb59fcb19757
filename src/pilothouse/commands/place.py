"""Which server a command speaks to, and what it says when there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pilothouse.errors import ClientError, NoServer, Refused
from pilothouse.words import say, sentences, words

if TYPE_CHECKING:
    from pilothouse.client.server import Server
    from pilothouse.settings import Settings

Url = Annotated[
    str | None,
    typer.Option(envvar="PILOTHOUSE_URL", help="Address of the server; else the one that uses the data directory."),
]
TokenText = Annotated[
    str | None,
    typer.Option("--token", envvar="PILOTHOUSE_TOKEN", help="Its login token; else the one in the data directory."),
]
DataDir = Annotated[Path | None, typer.Option(help="Where the server keeps its data. [DATA_DIR]")]
AsJson = Annotated[bool, typer.Option("--json", help="For scripts: JSON, one object per line.")]

REFUSED, NO_SERVER = 6, 7


@contextmanager
def server_at(url: str | None, token: str | None, data_dir: Path | None, as_json: bool = False) -> Iterator[Server]:
    """The server, with its refusals told in plain words."""
    try:
        with found(url, token, data_dir) as server:
            yield server
    except ClientError as error:
        _end(error, as_json)


def found(url: str | None, token: str | None, data_dir: Path | None) -> Server:
    from pilothouse.client.server import Server

    settings = _settings(data_dir)
    if url is None:
        url = _running(settings)
    elif not url.startswith(("http://", "https://")):
        raise typer.BadParameter(words(say("cli.wrong_url")), param_hint="--url")
    if token is None:
        kept = settings.data_dir / "token"
        token = kept.read_text().strip() if kept.is_file() else ""
    if not token:
        message = say("login.no_token", folder=str(settings.data_dir))
        raise Refused(401, "not_logged_in", message, say("login.print_token"), {})
    return Server(url, token)


def _running(settings: Settings) -> str:
    from pilothouse.server import checks

    port = checks.running(settings.data_dir)
    if port is None:
        raise NoServer(say("server.not_running", folder=str(settings.data_dir)))
    if port == 0:
        raise NoServer(say("server.starting"))
    host = settings.host if settings.host not in ("0.0.0.0", "::", "") else "127.0.0.1"  # noqa: S104 - compared with
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _settings(data_dir: Path | None) -> Settings:
    from pydantic import ValidationError

    from pilothouse.settings import Settings

    try:
        return Settings(data_dir=data_dir) if data_dir else Settings()
    except ValidationError as error:
        for problem in error.errors():
            name = ".".join(map(str, problem["loc"])).upper()
            typer.echo(words(say("cli.wrong_setting", name=name, problem=problem["msg"])), err=True)
        raise typer.Exit(2) from None


def _end(error: ClientError, as_json: bool) -> NoReturn:
    if as_json:
        code = error.code if isinstance(error, Refused) else "no_server"
        said = {"message": words(error.message), "next_action": words(error.next_action)}
        typer.echo(json.dumps({"error": code, **said}))
    else:
        typer.echo(words(sentences(error.message, error.next_action)), err=True)
    raise typer.Exit(REFUSED if isinstance(error, Refused) else NO_SERVER)
