"""Drives any agent that speaks the Agent Client Protocol through the port that every agent is driven through."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pilothouse.agents.acp.presets import Preset
from pilothouse.agents.pool import Pool
from pilothouse.domain.ports import Agent, AgentHealth, AgentRun, SpawnRequest
from pilothouse.errors import BadConfiguration, NoCredentials
from pilothouse.process.confine import Confinement
from pilothouse.process.environment import Environment
from pilothouse.process.spawn import spawn
from pilothouse.settings import Settings
from pilothouse.words import say, sentences

if TYPE_CHECKING:
    from pilothouse.agents.acp.conversation import Conversation
    from pilothouse.agents.acp.driver import Driver

_VERSION_LIMIT = 20.0
_VERSION = re.compile(r"\d+\.\d+[\w.+-]*")


class AcpAgent(Agent):
    @classmethod
    def of(
        cls, preset: Preset, settings: Settings, environment: Environment, confine: Confinement | str | None
    ) -> AcpAgent:
        pool: Pool[Conversation] = Pool.of(settings)
        return cls(preset, environment, pool, grace=settings.stop_grace_seconds, confine=confine)

    def __init__(
        self,
        preset: Preset,
        environment: Environment,
        pool: Pool[Conversation],
        *,
        grace: float = 5.0,
        confine: Confinement | str | None = None,
    ) -> None:
        self._preset = preset
        self._plain = environment
        self._environment = replace(environment, named=(*environment.named, *preset.credentials, *preset.variables))
        self._grace = grace
        self._confine = confine
        self._pool = pool
        self._driver: Driver | None = None
        self._version: tuple[str, float, str | None] = ("", 0.0, None)

    @property
    def name(self) -> str:
        return self._preset.name

    @property
    def remembers(self) -> bool:
        return True

    @property
    def enforces_read_only(self) -> bool:
        return self._preset.enforces_read_only

    async def health(self) -> AgentHealth:
        preset = self._preset
        program = self._program()
        credentials = self._logged_in({})
        problem = fix = ""
        if program is None:
            problem, fix = say("agent.no_program", program=preset.command[0]), preset.install
        elif credentials is False:
            problem, fix = say("agent.not_logged_in", label=preset.label), preset.fix
        return AgentHealth(
            name=preset.name,
            label=preset.label,
            installed=program is not None,
            ready=not problem,
            version=await self._version_of(program) if program else None,
            problem=problem,
            fix=fix,
            program=program or "",
            credentials=credentials,
            models=self._driver.models if self._driver else (),
            capabilities=self._capabilities(),
        )

    async def check(self, prompt: str, workspace: Path, env: Mapping[str, str]) -> None:
        preset = self._preset
        if self._program() is None:
            raise BadConfiguration(sentences(say("agent.no_program", program=preset.command[0]), preset.install))
        if self._logged_in(env) is False:
            raise NoCredentials(
                sentences(say("agent.not_logged_in", label=preset.label), preset.fix), {"agent": preset.name}
            )

    async def start(self, request: SpawnRequest) -> AgentRun:
        # Before anything is waited for: what is revoked or forgotten meanwhile is to reach this run.
        lease = self._pool.lease(request)
        return await (await self._driving()).start(lease)

    async def prepare(self, request: SpawnRequest) -> None:
        lease = self._pool.lease(request)
        await (await self._driving()).prepare(lease)

    def keep(self, most: int, idle_seconds: float) -> None:
        self._pool.limit(most, idle_seconds)

    async def forget(self, session: str | None = None) -> None:
        await self._pool.forget(session)

    async def revoke(self, session: str, grant: str) -> None:
        await self._pool.revoke(session, grant)

    async def _driving(self) -> Driver:
        """Loaded when it is needed, beside the loop: the models of the protocol take more than a second to build."""
        module = await asyncio.to_thread(import_module, "pilothouse.agents.acp.driver")
        if self._driver is None:
            self._driver = module.Driver(
                self._preset, self._plain, self._environment, self._pool, self._grace, self._confine
            )
        return self._driver

    def _program(self) -> str | None:
        return shutil.which(self._preset.command[0], path=self._environment.for_spawn().get("PATH", os.defpath))

    def _logged_in(self, env: Mapping[str, str]) -> bool | None:
        """None where only a run can tell."""
        whole = self._environment.for_spawn(env)
        home = Path(whole.get("HOME") or Path.home())
        if any(whole.get(name) for name in self._preset.credentials):
            return True
        if any((home / name).is_file() for name in self._preset.credential_files):
            return True
        return False if self._preset.needs_login else None

    def _capabilities(self) -> frozenset[str]:
        preset = self._preset
        able = {
            "permissions": True,
            "mcp": True,
            "context": True,
            "questions": preset.questions,
            "cost": preset.costs,
            "read_only": preset.enforces_read_only,
        }
        return frozenset(name for name, can in able.items() if can)

    async def _version_of(self, program: str) -> str | None:
        """OpenRequest once for each file: a program of Node.js takes a second to say it."""
        changed = await asyncio.to_thread(os.path.getmtime, program)
        if self._version[:2] != (program, changed):
            found = await self._ask_version(program) if self._preset.tells_version else None
            self._version = (program, changed, found)
        return self._version[2] or (self._driver.version if self._driver else None)

    async def _ask_version(self, program: str) -> str | None:
        spawned = await spawn(
            [program, "--version"],
            cwd=Path(program).parent,
            env=self._plain.for_spawn(),
            spawn_id=f"version-{self.name}",
            log_path=Path(os.devnull),
            grace=1.0,
        )
        try:
            async with asyncio.timeout(_VERSION_LIMIT):
                printed = b"".join([data async for data in spawned.output()])
                code = await spawned.wait()
        except TimeoutError:
            await spawned.stop(1.0)
            return None
        found = _VERSION.search(printed.decode(errors="replace"))
        return found[0] if found and code == 0 else None
