"""The command line. Puts the parts together."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pilothouse import __version__
from pilothouse.commands import doctor, handover, sessions, tasks
from pilothouse.commands.options import DataDir, Host, Lan, Port, loop_runner, settings_of, shown, tell
from pilothouse.words import of_this_machine, say, sentences, speaking, words

# Everything heavy is imported by the command that needs it: `--version` and `token` stay instant.
if TYPE_CHECKING:
    import socket

    from pilothouse.domain.clock import Clock
    from pilothouse.domain.task.checks import Check as ProjectCheck
    from pilothouse.engine.operations.operations import Operations
    from pilothouse.engine.runner import Runner
    from pilothouse.engine.runtime import Runtime
    from pilothouse.server.access.keys import Keys
    from pilothouse.server.restart import Restart
    from pilothouse.server.services import Services
    from pilothouse.settings import Settings
    from pilothouse.staff import Staff
    from pilothouse.store.database import Store
    from pilothouse.store.mirror.mirror import Mirror

cli = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pilothouse {__version__}")
        raise typer.Exit


@cli.callback(help=shown(say("help.pilothouse")))
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=shown(say("help.version")))
    ] = False,
) -> None:
    """Pilothouse keeps a person at the wheel of coding agents."""


@cli.command(help=shown(say("help.command.serve")))
def serve(port: Port = None, host: Host = None, lan: Lan = False, data_dir: DataDir = None) -> None:
    """Run the server. Without options it obeys the environment; docs/settings.md has the table."""
    # Hardly anything made while starting is garbage, and looking for it takes a tenth of the start.
    gc.disable()
    from pilothouse.process import conceal, succession
    from pilothouse.server import data_lock, requirements
    from pilothouse.server.access import hosts

    conceal.conceal()
    settings = settings_of(port, host, lan, data_dir)
    inherited = succession.inherited()
    unmet = [found for found in requirements.before_start(settings) if not found.ok]
    if inherited:
        unmet = [found for found in unmet if found.name != "port"]
    for found in unmet:
        problem = sentences(found.detail, found.fix)
        tell(say("server.cannot_start", problem=problem) if found.needed else say("server.warning", problem=problem))
    if any(found.needed for found in unmet):
        raise typer.Exit(1)
    locked = data_lock.take(settings.data_dir)
    if locked is None:
        tell(say("server.another", folder=str(settings.data_dir)))
        raise typer.Exit(1)
    listening = inherited or hosts.listen(settings)
    data_lock.tell_port(locked, listening.getsockname()[1])
    with loop_runner() as runner:
        kept = runner.run(_serve(settings, listening))
    if kept:
        succession.replace(kept)


@cli.command(help=shown(say("help.command.openapi")))
def openapi() -> None:
    """Print the OpenAPI document."""
    from pilothouse.server.app import build

    typer.echo(json.dumps(build().openapi(), indent=2, ensure_ascii=False))


@cli.command(hidden=True, help=shown(say("help.command.trial")))
def trial() -> None:
    """Put everything together on empty data: a restart tries the new code before it stops the old."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder, loop_runner() as runner:
        runner.run(_trial(settings_of(data_dir=Path(folder))))


@cli.command(help=shown(say("help.command.token")))
def token(port: Port = None, host: Host = None, lan: Lan = False, data_dir: DataDir = None) -> None:
    """Print a new login link."""
    from pilothouse.commands.connection import server_at
    from pilothouse.server.access.hosts import login_link
    from pilothouse.server.data_lock import running

    settings = settings_of(port, host, lan, data_dir)
    fixed = settings.pilothouse_token
    if fixed:
        typer.echo(login_link(settings.host, running(settings.data_dir) or settings.port, fixed.get_secret_value()))
        return
    with server_at(None, None, data_dir) as server:
        value = server.post("/api/links")["token"]
    typer.echo(login_link(settings.host, running(settings.data_dir) or settings.port, value))


for command in (tasks.task, tasks.reply, tasks.cancel, tasks.logs, sessions.sessions, handover.mcp, doctor.doctor):
    cli.command(help=shown(say(f"help.command.{command.__name__}")))(command)
cli.command("verify-log", help=shown(say("help.command.verify_log")))(doctor.verify_log)


def main() -> None:
    speaking.set(of_this_machine())
    cli(prog_name="pilothouse")


@contextlib.asynccontextmanager
async def composed(
    settings: Settings, restart: Restart | None = None, keys: Keys | None = None
) -> AsyncIterator[Services]:
    """Connects every part, and closes them in the order that loses nothing."""
    from pilothouse import sample
    from pilothouse.domain.clock import SystemClock
    from pilothouse.domain.session.session import SessionKind
    from pilothouse.engine.agents.switchboard import Switchboard
    from pilothouse.engine.broadcast import Broadcast
    from pilothouse.engine.controls import Controls
    from pilothouse.engine.runner import Runner
    from pilothouse.engine.runtime import Runtime
    from pilothouse.process.confine import Confinement
    from pilothouse.server.access.keys import Keys
    from pilothouse.server.awake import KeepAwake
    from pilothouse.server.notify.notifier import Notifier
    from pilothouse.server.services import Services
    from pilothouse.staff import hire
    from pilothouse.store.mirror.mirror import Mirror
    from pilothouse.workflows.chat import Chat
    from pilothouse.workflows.projects import Projects
    from pilothouse.workflows.sessions import Sessions

    clock = SystemClock()
    store = await _store(settings, clock)
    broadcast = Broadcast()
    store.on_commit(broadcast.events)
    mirror = Mirror(store, settings.data_dir, clock, max_calls_per_hour=settings.max_calls_per_hour)
    mirror.start()
    staff = await hire(settings)
    runtime = Runtime(settings, store, broadcast, clock, staff.roster, Confinement(staff.switch))
    switchboard = await Switchboard.started(runtime, staff.switch, staff.names)
    runner = Runner(runtime)
    projects = Projects(runtime, runner)
    chat = Chat(runtime, projects)
    runtime.workflows[SessionKind.CHAT] = chat
    try:
        yield Services(
            settings=settings,
            store=store,
            broadcast=broadcast,
            runner=runner,
            operations=_operations(runtime, runner, restart),
            controls=Controls(runtime, runner),
            chat=chat,
            projects=projects,
            sessions=Sessions(runtime, runner),
            agents=staff.roster,
            health=runtime.health,
            switchboard=switchboard,
            clock=clock,
            keys=keys or Keys.of(settings, clock),
            seats=runtime.seats,
            notifier=Notifier(store, broadcast, clock),
            awake=KeepAwake(store, runtime.host_id, clock),
            suggestions=sample.TRY,
        )
    finally:
        await _close(runtime, staff, mirror, store)


def _operations(runtime: Runtime, runner: Runner, restart: Restart | None) -> Operations:
    from pilothouse.engine.operations.builds import Builds, sources
    from pilothouse.engine.operations.operations import Operations
    from pilothouse.process import succession
    from pilothouse.server.restart import Restart

    builds = Builds(runtime.settings, sources(), _build_checks)
    return Operations(runtime, runner, builds, (restart or Restart()).ask, successor=succession.is_successor())


async def _close(runtime: Runtime, staff: Staff, mirror: Mirror, store: Store) -> None:
    try:
        await runtime.health.close()
        await staff.close()
        await mirror.stop()
    finally:
        await store.close()


async def _store(settings: Settings, clock: Clock) -> Store:
    from pilothouse.store import hosts
    from pilothouse.store.database import Store

    store = await Store.open(
        settings.storage_url,
        clock,
        backups=settings.data_dir / "backups",
        backup_interval=settings.backup_interval_seconds,
        backups_kept=settings.backups_kept,
    )
    host = hosts.host_id(settings.data_dir)
    await store.write(lambda tx: hosts.take_over(tx, host))
    return store


def _build_checks(root: Path, edited: tuple[ProjectCheck, ...] | None) -> list[ProjectCheck]:
    """Those called “build”; detection adds the tool or folder where there are several."""
    from pilothouse.verify.chosen_checks import checks_of

    return [check for check in checks_of(root, edited).checks if check.name.split(maxsplit=1)[0] == "build"]


async def _serve(settings: Settings, listening: socket.socket) -> socket.socket | None:
    """Returns what a successor listens on, when a restart was asked for."""
    from pilothouse.domain.clock import SystemClock
    from pilothouse.server import logs
    from pilothouse.server.access.keys import Keys
    from pilothouse.server.app import create_app
    from pilothouse.server.restart import Restart
    from pilothouse.server.web_server import Deadline, WebServer

    keys = Keys.of(settings, SystemClock())
    logs.configure(settings, keys.link_token)
    restart = Restart()
    try:
        with Deadline(settings.shutdown_force_seconds) as deadline:
            async with composed(settings, restart, keys) as services:
                await _offer_sample(services)
                port = listening.getsockname()[1]
                app = create_app(services)
                server = WebServer(app, services, ready=lambda: _greet(services, port), deadline=deadline)
                restart.attach(server, listening)
                # What exists now stays, so later collections need not walk it.
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
    """Offers the first run something to try. A person who has removed it does not get it again."""
    from pilothouse import sample
    from pilothouse.store.session import projects

    folder = services.settings.data_dir / "sample"
    known = await services.store.read(projects.all)
    if known or folder.exists():
        return
    await asyncio.to_thread(sample.create, folder)
    await services.projects.add(str(folder), agent="rehearsal", sample=True)


def _greet(services: Services, port: int) -> None:
    from pilothouse.server.access.hosts import login_link

    link = login_link(services.settings.host, port, services.keys.link_token)
    typer.echo(words(say("server.ready", port=str(port))))
    typer.echo(words(say("server.log_in", link=link)))
    if sys.stdout.isatty():
        import segno

        segno.make(link, error="l").terminal(compact=True)


if __name__ == "__main__":
    main()
