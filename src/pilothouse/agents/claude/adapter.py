"""Drives Claude Code through the port that every agent is driven through."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pilothouse.agents.claude import credentials, deny, launch
from pilothouse.agents.claude.figures import Figures, Prices
from pilothouse.agents.claude.notes import Notes
from pilothouse.agents.claude.program import Program, Programs
from pilothouse.agents.pool import Pool
from pilothouse.domain.ports import Agent, AgentHealth, SpawnRequest
from pilothouse.errors import BadConfiguration, NoCredentials
from pilothouse.process.confine import Confinement, cage_of
from pilothouse.process.environment import Environment
from pilothouse.process.spawn import spawn
from pilothouse.settings import Settings
from pilothouse.words import say, sentences

if TYPE_CHECKING:
    from pilothouse.agents.claude.conversation import Conversation
    from pilothouse.agents.claude.run import ClaudeRun

_MODELS = ("opus", "sonnet", "haiku")
_EFFORTS = ("low", "medium", "high", "xhigh", "max")
_CAPABILITIES = frozenset({"questions", "permissions", "steering", "mcp", "read_only", "cost", "context"})


class ClaudeAgent(Agent):
    @classmethod
    def of(cls, settings: Settings, environment: Environment, confine: Confinement | str | None) -> ClaudeAgent:
        pool: Pool[Conversation] = Pool.of(settings)
        state_dir = settings.data_dir / "agents" / "claude"
        return cls(state_dir, environment, pool, grace=settings.stop_grace_seconds, confine=confine)

    def __init__(
        self,
        state_dir: Path,
        environment: Environment,
        pool: Pool[Conversation],
        *,
        grace: float = 5.0,
        patience: float = 10.0,
        confine: Confinement | str | None = None,
        programs: Programs | None = None,
    ) -> None:
        """`patience`: how long what is asked of the program itself is waited for."""
        self._state_dir = state_dir
        self._environment = credentials.environment(environment)
        self._pool = pool
        self._grace = grace
        self._patience = patience
        self._confine = confine
        self._programs = programs or Programs()
        self._notes = Notes(state_dir / "conversations")
        self._prices = Prices(state_dir / "prices.json")
        self._newest: Conversation | None = None

    @property
    def name(self) -> str:
        return "claude"

    @property
    def remembers(self) -> bool:
        return True

    @property
    def enforces_read_only(self) -> bool:
        return True

    async def health(self) -> AgentHealth:
        env = self._env({})
        program = await self._programs.choose(env)
        login = credentials.login(env)
        problem, fix = ("", "") if login else (say("claude.no_credentials"), _log_in(program))
        if program is None:
            problem, fix = say("claude.not_installed"), say("claude.install")
        return AgentHealth(
            self.name,
            "Claude Code",
            installed=program is not None,
            ready=not problem,
            version=program.version if program else None,
            problem=problem,
            fix=fix,
            program=program.path if program else "",
            credentials=bool(login),
            models=(self._newest.models if self._newest else ()) or _MODELS,
            efforts=_EFFORTS,
            capabilities=_CAPABILITIES,
        )

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        program = await self._programs.choose(self._env(env))
        if program is None:
            raise BadConfiguration(sentences(say("claude.not_installed"), say("claude.install")))
        if not credentials.login(self._env(env)):
            raise NoCredentials(sentences(say("claude.no_credentials"), _log_in(program)))
        await asyncio.to_thread(self._deny_rules(workspace, ()).rules)

    async def withheld(self, files: Sequence[Path], workspace: Path, settings_of: Sequence[Path]) -> frozenset[Path]:
        return await asyncio.to_thread(self._deny_rules(workspace, settings_of).withheld, files)

    def _deny_rules(self, workspace: Path, folders: Sequence[Path]) -> deny.DenyRules:
        env = self._env({})
        home, config = Path(env.get("HOME") or "/"), credentials.config_dir(env)
        return deny.DenyRules(home, config, workspace, tuple(folders))

    async def start(self, request: SpawnRequest) -> ClaudeRun:
        lease = self._pool.lease(request)
        _, ClaudeRun = await asyncio.to_thread(_machinery)  # noqa: N806 - a class
        turns = await self._turns(request.resume)
        started, model = await self._launch(request)
        kept = await self._pool.take(lease, started, lambda kept: kept.fits(request, started, turns))
        if kept is not None:
            kept.spawned.log_to(request.log_path)

        async def opener(resume: str | None) -> Conversation:
            return await self._open(started, request, resume, model)

        conversation = kept or await opener(request.resume)
        self._newest = conversation
        return ClaudeRun(
            lease,
            conversation,
            kept=kept is not None,
            model=model,
            opener=opener,
            pool=self._pool,
            notes=self._notes,
            prices=self._prices,
        )

    async def prepare(self, request: SpawnRequest) -> None:
        lease = self._pool.lease(request)
        started, model = await self._launch(request)

        async def make() -> Conversation:
            conversation = await self._open(started, request, None, model)
            conversation.warm_up(launch.servers(request.workbench))
            return conversation

        await self._pool.prepare(lease, started, make)

    def keep(self, most: int, idle_seconds: float) -> None:
        self._pool.limit(most, idle_seconds)

    async def forget(self, session: str | None = None) -> None:
        await self._pool.forget(session)

    async def revoke(self, session: str, grant: str) -> None:
        await self._pool.revoke(session, grant)

    async def _turns(self, conversation: str | None) -> int:
        return (await asyncio.to_thread(self._notes.of, conversation)).turns if conversation else 0

    async def _launch(self, request: SpawnRequest) -> tuple[launch.Launch, str | None]:
        env = self._env(request.extra_env)
        program = await self._programs.choose(env)
        if program is None:
            raise BadConfiguration(sentences(say("claude.not_installed"), say("claude.install")))
        login = credentials.login(env)
        cage = cage_of(self._confine, request.workspace)
        denied = await asyncio.to_thread(self._deny_rules(request.workspace, request.settings_of).rules)
        started = launch.prepared(request, program, env, login, self._state_dir, cage, denied)
        return started, request.choice.model or login.model

    async def _open(
        self, started: launch.Launch, request: SpawnRequest, resume: str | None, model: str | None
    ) -> Conversation:
        Conversation, _ = await asyncio.to_thread(_machinery)  # noqa: N806 - a class
        # Once more: it may have been switched since the launch was thought out.
        started = replace(started, cage=cage_of(self._confine, request.workspace))
        spawned = await spawn(
            started.command(resume, model),
            cwd=request.workspace,
            env=started.env,
            spawn_id=request.spawn_id,
            log_path=request.log_path,
            stdin=True,
            grace=self._grace,
            confine=started.cage,
        )
        config = credentials.config_dir(started.env)
        conversation = Conversation(started, spawned, resume, model, config, self._patience)
        if resume:
            note = await asyncio.to_thread(self._notes.of, resume)
            recorded = await asyncio.to_thread(conversation.recorded)
            # The program goes on from the total that it wrote down. One that was killed wrote none of its last turns:
            # what they used was counted as they went on.
            conversation.account.settled = Figures(note.cost_usd) if recorded is None else recorded
            conversation.turns = note.turns
        return conversation

    def _env(self, extra: Mapping[str, str]) -> dict[str, str]:
        env = self._environment.for_spawn(extra)
        return {**credentials.from_settings(env), **env}


def _machinery() -> tuple[type[Conversation], type[ClaudeRun]]:
    """Imported at the first need: the SDK takes a second and 30 MB, which an idle server does not owe."""
    from pilothouse.agents.claude.conversation import Conversation
    from pilothouse.agents.claude.run import ClaudeRun

    return Conversation, ClaudeRun


def _log_in(program: Program | None) -> str:
    """The program that came with us is on nobody's PATH."""
    return say("claude.log_in", claude="claude" if program is None or program.own else program.path)
