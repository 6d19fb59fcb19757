"""Starts an agent's program for a run, or goes on with the one that was kept for it."""

from __future__ import annotations

from typing import TypeVar

from pilothouse.agents.acp.client import Desk
from pilothouse.agents.acp.conversation import Conversation, Launch
from pilothouse.agents.acp.inbox import Inbox
from pilothouse.agents.acp.pool import Pool
from pilothouse.agents.acp.presets import Preset
from pilothouse.agents.acp.run import FAILURES, AcpRun, Settle
from pilothouse.agents.acp.terminals import Terminals
from pilothouse.agents.acp.updates import Meter
from pilothouse.domain.clock import Clock
from pilothouse.domain.ports import Ended, Permission, SpawnRequest
from pilothouse.process.confine import Confinement
from pilothouse.process.environment import Environment
from pilothouse.process.spawn import spawn

_REMEMBERED = 1000
T = TypeVar("T")


class Driver:
    def __init__(
        self,
        preset: Preset,
        plain: Environment,
        environment: Environment,
        grace: float,
        confine: Confinement | str | None,
        clock: Clock,
        keep_seconds: float,
        keep_most: int,
    ) -> None:
        """`plain` is for the commands that the agent runs through us: it has none of the agent's keys."""
        self._preset = preset
        self._plain = plain
        self._environment = environment
        self._grace = grace
        self._confine = confine
        self._pool = Pool(clock, keep_seconds, keep_most, grace)
        self._asked: dict[str, Permission] = {}
        """By the agent's session: what it asked for last, to be recognised when it is asked again."""
        self._spent: dict[str, float] = {}
        """By the agent's session: what it had cost, to tell differences also after its process was ended."""
        self.models: tuple[str, ...] = ()
        self.version: str | None = None
        """As the agent told it itself; not all print it."""

    async def start(self, request: SpawnRequest) -> AcpRun:
        launch = self._launch(request)
        kept = await self._pool.take(request.session, request.resume, launch) if request.session else None
        talk = kept or await self._started(request, launch)
        if kept:
            kept.serve(request)
        before = self._asked.pop(request.resume or "", None)
        if before and request.decision and request.decision.choice != "deny" and not kept:
            talk.desk.allowed_once = before
            talk.desk.grants |= {before.grant} if request.decision.choice == "session" else set()
        return AcpRun(
            talk, request, kept=kept is not None, before=before, settle=self._settler(request), grace=self._grace
        )

    async def prepare(self, request: SpawnRequest) -> None:
        if not request.session or request.resume or request.read_only or self._pool.holds(request.session):
            return
        talk = await self._started(request, self._launch(request))
        try:
            await talk.open(request)
        except (ConnectionError, *FAILURES):
            # Nobody waits for this one; the run that does will be told why.
            await talk.end(self._grace)
            return
        except BaseException:
            await talk.end(self._grace)
            raise
        await self._pool.put(request.session, talk)

    def keep(self, most: int, idle_seconds: float) -> None:
        self._pool.limit(most, idle_seconds)

    async def forget(self, session: str | None = None) -> None:
        await self._pool.forget(session)

    async def _started(self, request: SpawnRequest, launch: Launch) -> Conversation:
        spawned = await spawn(
            launch.command,
            cwd=request.workspace,
            env=launch.env,
            spawn_id=request.spawn_id,
            log_path=request.log_path,
            stdin=True,
            grace=self._grace,
            confine=self._confine,
        )
        own = self._plain.for_spawn(request.extra_env)
        terminals = Terminals(request.workspace, own, self._grace, self._confine)
        spent = self._spent.get(request.resume or "")
        return Conversation(self._preset, launch, spawned, Desk(request, Inbox(), terminals, Meter(spent)))

    def _launch(self, request: SpawnRequest) -> Launch:
        preset, model = self._preset, request.choice.model
        own = preset.read_only_env if request.read_only and preset.read_only_env is not None else preset.env
        env = {**self._environment.for_spawn(request.extra_env), **own}
        if model and preset.model_env:
            env[preset.model_env] = model
        arguments = [word.format(model=model) for word in preset.model_arguments] if model else []
        return Launch(str(request.workspace), (*preset.command, *arguments), env, request.read_only)

    def _settler(self, request: SpawnRequest) -> Settle:
        async def settle(talk: Conversation, ended: Ended, whole: bool) -> bool:
            self.models = talk.models or self.models
            self.version = talk.version or self.version
            if talk.session and talk.desk.meter.spent is not None:
                _remember(self._spent, talk.session, talk.desk.meter.spent)
            if ended.permission:
                _remember(self._asked, talk.session, ended.permission)
            if not (whole and request.session and not request.read_only and await talk.rests()):
                return False
            await self._pool.put(request.session, talk)
            return True

        return settle


def _remember(memory: dict[str, T], session: str, value: T) -> None:
    memory[session] = value
    while len(memory) > _REMEMBERED:
        memory.pop(next(iter(memory)))
