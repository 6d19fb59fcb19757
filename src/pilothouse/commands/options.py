"""Options that several commands have, and the settings they make."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pilothouse.words import of_this_machine, say, words

if TYPE_CHECKING:
    from pilothouse.settings import Settings


def shown(text: str) -> str:
    """For a help text, which is made before any command runs: in the language of whoever started this program."""
    return words(text, of_this_machine())


Port = Annotated[int | None, typer.Option(help=shown(say("help.port")))]
Host = Annotated[str | None, typer.Option(help=shown(say("help.host")))]
Lan = Annotated[bool, typer.Option("--lan", help=shown(say("help.lan")))]
DataDir = Annotated[Path | None, typer.Option(help=shown(say("help.data_dir")))]


def settings_of(
    port: int | None = None, host: str | None = None, lan: bool = False, data_dir: Path | None = None
) -> Settings:
    """What the options say, else the environment. Ends the command where one of them is wrong."""
    from pydantic import ValidationError

    from pilothouse.settings import Settings
    from pilothouse.words.problems import problem

    given: dict[str, Any] = {"port": port, "host": "0.0.0.0" if lan else host, "data_dir": data_dir}  # noqa: S104
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        for found in error.errors():
            name = ".".join(map(str, found["loc"])).upper()
            tell(say("cli.wrong_setting", name=name, problem=problem(found)))
        raise typer.Exit(2) from None


def tell(text: str) -> None:
    """On standard error."""
    typer.echo(words(text), err=True)


def loop_runner() -> asyncio.Runner:
    try:
        import uvloop
    except ImportError:  # not made for every system
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)
