"""`pilothouse doctor` and `verify-log`: look at an installation from outside, also beside a running server."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import typer

from pilothouse.commands.options import DataDir, Host, Lan, Port, loop_runner, settings_of, tell
from pilothouse.words import say, words

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pilothouse.server.requirements import Requirement
    from pilothouse.settings import Settings
    from pilothouse.store.events import ChainReport

T = TypeVar("T")


def doctor(port: Port = None, host: Host = None, lan: Lan = False, data_dir: DataDir = None) -> None:
    """Check everything the server needs and say what to do about what is missing."""
    from pilothouse.server import requirements

    settings = settings_of(port, host, lan, data_dir)
    results = requirements.now(settings)
    with loop_runner() as runner:
        results += runner.run(_of_data_and_agents(settings))
    for found in results:
        mark = say("mark.ok" if found.ok else "mark.fail" if found.needed else "mark.warn")
        typer.echo(f"{words(mark):<4}  {words(found.label)}: {words(found.detail)}")
        if found.fix:
            typer.echo(f"      {words(found.fix)}")
    if any(found.needed and not found.ok for found in results):
        raise typer.Exit(1)


def verify_log(data_dir: DataDir = None) -> None:
    """Walk the event log's hash chain and name the first broken link."""
    settings = settings_of(data_dir=data_dir)
    if _no_database(settings):
        typer.echo(words(say("database.none")))
        return
    report = _verified(settings)
    if report.ok:
        typer.echo(words(say("chain.unbroken", count=report.count)))
        return
    tell(say("chain.broken", seq=str(report.first_broken), why=report.why))
    raise typer.Exit(1)


async def _of_data_and_agents(settings: Settings) -> list[Requirement]:
    from pilothouse import staff
    from pilothouse.store import preferences

    if not settings.data_dir.is_dir():
        return []
    database = _database(settings)
    # Where the database cannot be read, its own line says why.
    stored = None if _no_database(settings) or not database.ok else _read(settings, preferences.load).preferences
    return [database, *await staff.requirements_of(settings, stored)]


def _database(settings: Settings) -> Requirement:
    from sqlalchemy.exc import SQLAlchemyError

    from pilothouse.errors import PilothouseError
    from pilothouse.server.requirements import Requirement

    if _no_database(settings):
        return Requirement("database", True, say("database.none_yet"))
    try:
        report = _verified(settings)
    except (PilothouseError, SQLAlchemyError, OSError) as error:
        backups = sorted((settings.data_dir / "backups").glob("*.db"))
        fix = say("database.restore_named", backup=str(backups[-1])) if backups else say("database.restore")
        problem = error.message if isinstance(error, PilothouseError) else str(error).splitlines()[0]
        return Requirement("database", False, problem, fix)
    if not report.ok:
        return Requirement("database", False, report.why, say("chain.restore"), needed=False)
    return Requirement("database", True, say("chain.unbroken", count=report.count))


def _no_database(settings: Settings) -> bool:
    from pilothouse.store import connections

    file = connections.file_of(connections.parse(settings.storage_url))
    return file is not None and not file.exists()


def _verified(settings: Settings) -> ChainReport:
    from pilothouse.store import events

    return _read(settings, events.verify)


def _read(settings: Settings, job: Callable[[Connection], T]) -> T:
    from pilothouse.store import connections, schema

    engine = connections.looking_engine(connections.parse(settings.storage_url))
    try:
        with engine.connect() as c, c.begin():
            schema.require_newest(c)
            return job(c)
    finally:
        engine.dispose()
