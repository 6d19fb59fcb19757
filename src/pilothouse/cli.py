"""The command line, and the one place where the parts are put together."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pilothouse import __version__
from pilothouse.commands import handover, looking, tasks
from pilothouse.words import of_this_machine, say, sentences, speaking, words

# Everything heavy is imported by the command that needs it: `--version` and `token` stay instant.
if TYPE_CHECKING:
    import socket

    from sqlalchemy import Connection

    from pilothouse.domain.checks import Check as ProjectCheck
    from pilothouse.domain.clock import Clock
    from pilothouse.engine.runtime import Runtime
    from pilothouse.server.checks import Check
    from pilothouse.server.restart import Restart
    from pilothouse.server.services import Services
    from pilothouse.settings import Settings
    from pilothouse.staff import Staff
    from pilothouse.store.database import Store
    from pilothouse.store.events import ChainReport
    from pilothouse.store.mirror import Mirror

T = TypeVar("T")
cli = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)

Port = Annotated[int | None, typer.Option(help="Port to listen on; 0 picks a free one. [PORT]")]
Host = Annotated[str | None, typer.Option(help="Address to listen on. [HOST]")]
Lan = Annotated[bool, typer.Option("--lan", help="Let other devices of the local network in; they log in too.")]
DataDir = Annotated[Path | None, typer.Option(help="Where everything is kept. [DATA_DIR]")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pilothouse {__version__}")
        raise typer.Exit


@cli.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Pilothouse keeps a person at the wheel of coding agents."""


@cli.command()
def serve(port: Port = None, host: Host = None, lan: Lan = False, data_dir: DataDir = None) -> None:
    """Run the server. Without options it obeys the environment; docs/settings.md has the table."""
    # Next to nothing made while starting is garbage; looking for it takes a tenth of the start.
    gc.disable()
    from pilothouse.process import succession
    from pilothouse.server import checks

    settings = _settings(port, host, lan, data_dir)
    inherited = succession.inherited()
    refused = [check for check in checks.before_start(settings) if not check.ok]
    if inherited:
        refused = [check for check in refused if check.name != "port"]
    _tell(refused)
    if any(check.needed for check in refused):
        raise typer.Exit(1)
    locked = checks.lock(settings.data_dir)
    if locked is None:
        _tell_person(say("server.another", folder=str(settings.data_dir)))
        raise typer.Exit(1)
    listening = inherited or checks.listen(settings)
    checks.tell_port(locked, listening.getsockname()[1])
    with _runner() as runner:
        kept = runner.run(_serve(settings, listening))
    if kept:
        succession.replace(kept)


@cli.command()
def doctor(port: Port = None, host: Host = None, lan: Lan = False, data_dir: DataDir = None) -> None:
    """Check everything the server needs and say what to do about what is missing."""
    from pilothouse.server import checks

    settings = _settings(port, host, lan, data_dir)
    results = checks.now(settings)
    with _runner() as runner:
        results += runner.run(_deep_checks(settings))
    for check in results:
        mark = "ok  " if check.ok else "FAIL" if check.needed else "warn"
        typer.echo(f"{mark}  {check.name}: {words(check.detail)}")
        if check.fix:
            typer.echo(f"      {words(check.fix)}")
    if any(check.needed and not check.ok for check in results):
        raise typer.Exit(1)


@cli.command("verify-log")
def verify_log(data_dir: DataDir = None) -> None:
    """Walk the event log's hash chain and name the first broken link."""
    settings = _settings(None, None, False, data_dir)
    if _no_database(settings):
        typer.echo(words(say("database.none")))
        return
    report = _verified(settings)
    if report.ok:
        typer.echo(words(say("chain.unbroken", count=report.count)))
        return
    _tell_person(say("chain.broken", seq=str(report.first_broken), why=report.why))
    raise typer.Exit(1)


@cli.command()
def openapi() -> None:
    """Print the OpenAPI document."""
    from pilothouse.server.app import build

    typer.echo(json.dumps(build().openapi(), indent=2, ensure_ascii=False))


@cli.command(hidden=True)
def trial() -> None:
    """Put everything together on empty data: a restart tries the new code before it stops the old."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder, _runner() as runner:
        runner.run(_trial(_settings(None, None, False, Path(folder))))


@cli.command()
def token(port: Port = None, host: Host = None, lan: Lan = False, data_dir: DataDir = None) -> None:
    """Print the login link."""
    from pilothouse.server.auth import Token
    from pilothouse.server.hosts import login_link

    settings = _settings(port, host, lan, data_dir)
    typer.echo(login_link(settings.host, settings.port, Token.of(settings)))


for command in (tasks.task, tasks.reply, tasks.cancel, looking.sessions, looking.logs, handover.mcp):
    cli.command()(command)


def main() -> None:
    speaking.set(of_this_machine())
    cli(prog_name="pilothouse")


def _settings(port: int | None, host: str | None, lan: bool, data_dir: Path | None) -> Settings:
    from pydantic import ValidationError

    from pilothouse.settings import Settings

    given: dict[str, Any] = {"port": port, "host": "0.0.0.0" if lan else host, "data_dir": data_dir}  # noqa: S104
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        for problem in error.errors():
            name = ".".join(map(str, problem["loc"])).upper()
            _tell_person(say("cli.wrong_setting", name=name, problem=problem["msg"]))
        raise typer.Exit(2) from None


def _tell_person(text: str) -> None:
    typer.echo(words(text), err=True)


def _tell(refused: list[Check]) -> None:
    for check in refused:
        problem = sentences(check.detail, check.fix)
        _tell_person(
            say("server.cannot_start", problem=problem) if check.needed else say("server.warning", problem=problem)
        )


def _runner() -> asyncio.Runner:
    try:
        import uvloop
    except ImportError:  # not made for every system
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


@contextlib.asynccontextmanager
async def composed(settings: Settings, restart: Restart | None = None) -> AsyncIterator[Services]:
    """Every part, connected; closed in the order that loses nothing."""
    from pilothouse import sample
    from pilothouse.domain.clock import SystemClock
    from pilothouse.engine.broadcast import Broadcast
    from pilothouse.engine.building import Builds, sources
    from pilothouse.engine.controls import Controls
    from pilothouse.engine.operations import Operations
    from pilothouse.engine.runner import Runner
    from pilothouse.engine.runtime import Runtime
    from pilothouse.engine.switchboard import Switchboard
    from pilothouse.process import succession
    from pilothouse.server.auth import Token
    from pilothouse.server.awake import KeepAwake
    from pilothouse.server.notifying import Notifier
    from pilothouse.server.restart import Restart
    from pilothouse.server.services import Services
    from pilothouse.staff import hire
    from pilothouse.store.mirror import Mirror
    from pilothouse.workflows.chat import Chat

    clock = SystemClock()
    store = await _store(settings, clock)
    broadcast = Broadcast()
    store.on_commit(broadcast.events)
    mirror = Mirror(store, settings.data_dir, clock, max_calls_per_hour=settings.max_calls_per_hour)
    mirror.start()
    staff = await hire(settings)
    runtime = Runtime(settings, store, broadcast, clock, staff.roster)
    switchboard = await Switchboard.started(runtime, staff.switch, staff.names)
    runner = Runner(runtime)
    chat = Chat(runtime, runner)
    operations = Operations(
        runtime,
        runner,
        Builds(settings, sources(), _build_checks),
        (restart or Restart()).ask,
        successor=succession.is_successor(),
    )
    try:
        yield Services(
            settings=settings,
            store=store,
            broadcast=broadcast,
            runner=runner,
            operations=operations,
            controls=Controls(runtime, runner),
            chat=chat,
            agents=staff.roster,
            health=runtime.health,
            switchboard=switchboard,
            clock=clock,
            token=Token.of(settings),
            seats=runtime.seats,
            notifier=Notifier(store, broadcast, clock),
            awake=KeepAwake(store, clock),
            suggestions=sample.TRY,
        )
    finally:
        await _close(runtime, staff, mirror, store)


async def _close(runtime: Runtime, staff: Staff, mirror: Mirror, store: Store) -> None:
    try:
        await runtime.health.close()
        await staff.close()
        await mirror.stop()
    finally:
        await store.close()


async def _store(settings: Settings, clock: Clock) -> Store:
    from pilothouse.store.database import Store

    return await Store.open(
        settings.storage_url,
        clock,
        backups=settings.data_dir / "backups",
        backup_interval=settings.backup_interval_seconds,
        backups_kept=settings.backups_kept,
    )


def _build_checks(root: Path, edited: tuple[ProjectCheck, ...] | None) -> list[ProjectCheck]:
    """Those called “build”; detection adds the tool or folder where there are several."""
    from pilothouse.verify.plan import checks_of

    return [check for check in checks_of(root, edited).checks if check.name.split(maxsplit=1)[0] == "build"]


async def _serve(settings: Settings, listening: socket.socket) -> socket.socket | None:
    """Returns what a successor listens on, when a restart was asked for."""
    from pilothouse.server import logs
    from pilothouse.server.app import create_app
    from pilothouse.server.auth import Token
    from pilothouse.server.restart import Restart
    from pilothouse.server.serving import Deadline, WebServer

    logs.configure(settings, Token.of(settings).reveal())
    restart = Restart()
    try:
        with Deadline(settings.shutdown_force_seconds) as deadline:
            async with composed(settings, restart) as services:
                await _offer_sample(services)
                port = listening.getsockname()[1]
                app = create_app(services)
                server = WebServer(app, services, ready=lambda: _greet(services, port), deadline=deadline)
                restart.attach(server, listening)
                # What is there now stays: later collections need not walk it again.
                gc.freeze()
                gc.enable()
                await server.serve(sockets=[listening])
    finally:
        logs.close()
    return restart.kept


async def _trial(settings: Settings) -> None:
    from pilothouse.server.app import create_app

    async with composed(settings) as services:
        create_app(services)


async def _offer_sample(services: Services) -> None:
    """The first run gets something to try; a person who has removed it does not get it again."""
    from pilothouse import sample
    from pilothouse.store import projects

    place = services.settings.data_dir / "sample"
    known = await services.store.read(projects.all)
    if known or place.exists():
        return
    await asyncio.to_thread(sample.create, place)
    await services.chat.add_project(str(place), agent="rehearsal", sample=True)


def _greet(services: Services, port: int) -> None:
    from pilothouse.server.hosts import login_link

    link = login_link(services.settings.host, port, services.token)
    typer.echo(words(say("server.ready", port=str(port))))
    typer.echo(words(say("server.log_in", link=link)))
    if sys.stdout.isatty():
        import segno

        segno.make(link, error="l").terminal(compact=True)


async def _deep_checks(settings: Settings) -> list[Check]:
    from pilothouse import staff
    from pilothouse.store import preferences

    if not settings.data_dir.is_dir():
        return []
    found = _database_check(settings)
    # Where the database cannot be read, its own check has told why.
    stored = None if _no_database(settings) or not found.ok else _looked(settings, preferences.load).preferences
    return [found, *await staff.checks(settings, stored)]


def _no_database(settings: Settings) -> bool:
    from pilothouse.store import connections

    file = connections.file_of(connections.parse(settings.storage_url))
    return file is not None and not file.exists()


def _database_check(settings: Settings) -> Check:
    from sqlalchemy.exc import SQLAlchemyError

    from pilothouse.errors import PilothouseError
    from pilothouse.server.checks import Check

    if _no_database(settings):
        return Check("database", True, say("database.none_yet"))
    try:
        report = _verified(settings)
    except (PilothouseError, SQLAlchemyError, OSError) as error:
        backups = sorted((settings.data_dir / "backups").glob("*.db"))
        fix = say("database.restore_named", backup=str(backups[-1])) if backups else say("database.restore")
        problem = error.message if isinstance(error, PilothouseError) else str(error).splitlines()[0]
        return Check("database", False, problem, fix)
    if not report.ok:
        return Check("database", False, report.why, say("chain.restore"), needed=False)
    return Check("database", True, say("chain.ok", count=report.count))


def _verified(settings: Settings) -> ChainReport:
    from pilothouse.store import events

    return _looked(settings, events.verify)


def _looked(settings: Settings, job: Callable[[Connection], T]) -> T:
    from pilothouse.store import connections, schema

    engine = connections.looking_engine(connections.parse(settings.storage_url))
    try:
        with engine.connect() as c, c.begin():
            schema.require_newest(c)
            return job(c)
    finally:
        engine.dispose()


if __name__ == "__main__":
    main()
