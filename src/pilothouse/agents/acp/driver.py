"""Starts an agent's program for a run, or reuses a kept one."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from pilothouse.agents.acp.client import Desk
from pilothouse.agents.acp.conversation import Conversation, Launch
from pilothouse.agents.acp.inbox import Inbox
from pilothouse.agents.acp.presets import Preset
from pilothouse.agents.acp.run import FAILURES, AcpRun, Settle
from pilothouse.agents.acp.terminals import Terminals
from pilothouse.agents.acp.updates import Meter
from pilothouse.agents.pool import Lease, Pool
from pilothouse.domain.ports import Ended, SpawnRequest
from pilothouse.process.confine import Confinement, cage_of, identity
from pilothouse.process.environment import Environment
from pilothouse.process.spawn import spawn

_REMEMBERED = 1000


class Driver:
    def __init__(
        self,
        preset: Preset,
        plain: Environment,
        environment: Environment,
        pool: Pool[Conversation],
        grace: float,
        confine: Confinement | str | None,
    ) -> None:
        """`plain` is for the commands that the agent runs through us: it has none of the agent's keys."""
        self._preset = preset
        self._plain = plain
        self._environment = environment
        self._pool = pool
        self._grace = grace
        self._confine = confine
        self._spent: dict[str, float] = {}
        """By the agent's session: what it had cost, to tell differences also after its process was ended."""
        self.models: tuple[str, ...] = ()
        self.version: str | None = None
        """As the agent told it itself; not all print it."""

    async def start(self, lease: Lease) -> AcpRun:
        request = lease.request
        launch = self._launch(request)
        kept = await self._pool.take(lease, launch, lambda kept: _fits(kept, request, launch))
        talk = kept or await self._started(lease, launch)
        if kept:
            kept.serve(lease)
        return AcpRun(talk, lease, settle=self._settler(lease, kept is not None))

    async def prepare(self, lease: Lease) -> None:
        """Starts the program but opens no session; that needs the first run's workbench."""
        request = lease.request
        if request.resume or request.read_only:
            return
        launch = self._launch(request)

        async def make() -> Conversation:
            talk = await self._started(lease, launch)
            lease.starting = talk
            try:
                if not lease.outdated:
                    await talk.greet()
            except BaseException:
                await talk.end()
                raise
            finally:
                lease.starting = None
            return talk

        with contextlib.suppress(ConnectionError, *FAILURES):
            # Nobody waits for this one; the run that does will be told why.
            await self._pool.prepare(lease, launch, make)

    async def _started(self, lease: Lease, launch: Launch) -> Conversation:
        request = lease.request
        # Once more: it may have been switched since the launch was thought out.
        launch = replace(launch, cage=cage_of(self._confine, request.workspace))
        spawned = await spawn(
            launch.command,
            cwd=request.workspace,
            env=launch.env,
            spawn_id=request.spawn_id,
            log_path=request.log_path,
            stdin=True,
            grace=self._grace,
            confine=launch.cage,
        )
        own = self._plain.for_spawn(request.extra_env)
        terminals = Terminals(request.workspace, own, self._grace, launch.cage)
        spent = self._spent.get(request.resume or "")
        desk = Desk(lease, Inbox(), terminals, Meter(spent))
        return Conversation(self._preset, launch, spawned, desk, self._grace)

    def _launch(self, request: SpawnRequest) -> Launch:
        preset, model = self._preset, request.choice.model
        own = preset.read_only_env if request.read_only and preset.read_only_env is not None else preset.env
        env = {**self._environment.for_spawn(request.extra_env), **own}
        if model and preset.model_env:
            env[preset.model_env] = model
        arguments = [word.format(model=model) for word in preset.model_arguments] if model else []
        return Launch(
            str(request.workspace),
            identity(request.workspace),
            (*preset.command, *arguments),
            env,
            request.read_only and preset.enforces_read_only,
            cage_of(self._confine, request.workspace),
        )

    def _settler(self, lease: Lease, kept: bool) -> Settle:
        request = lease.request
        # One that was started to look alone serves nobody after that.
        lasting = bool(request.session) and (kept or not request.read_only)

        async def settle(talk: Conversation, ended: Ended, whole: bool) -> bool:
            self.models = talk.models or self.models
            self.version = talk.version or self.version
            if talk.session and talk.desk.meter.spent is not None:
                self._remember(talk.session, talk.desk.meter.spent)
            return whole and lasting and await talk.rests() and self._pool.keep(lease, talk)

        return settle

    def _remember(self, session: str, spent: float) -> None:
        self._spent[session] = spent
        while len(self._spent) > _REMEMBERED:
            self._spent.pop(next(iter(self._spent)))


def _fits(talk: Conversation, request: SpawnRequest, launch: Launch) -> bool:
    return talk.alive() and talk.launch == launch and talk.id == request.resume
