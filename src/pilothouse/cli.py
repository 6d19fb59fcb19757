"""The command line: where everything is put together."""

from __future__ import annotations

import json

import typer

cli = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@cli.callback()
def root() -> None:
    """Pilothouse keeps a person at the wheel of coding agents."""


@cli.command()
def openapi() -> None:
    """Print the OpenAPI document."""
    from pilothouse.server.app import build

    typer.echo(json.dumps(build().openapi(), indent=2, ensure_ascii=False))


def main() -> None:
    cli()


if __name__ == "__main__":
    main()
