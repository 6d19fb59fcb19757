"""Commands that an agent runs through us: each under a keeper of its own, in the workspace, ended with the run."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from acp import RequestError
from acp.schema import TerminalExitStatus, TerminalOutputResponse, WaitForTerminalExitResponse

from pilothouse.agents.acp import files
from pilothouse.process.confine import Cage
from pilothouse.process.spawn import Spawned, spawn

_KEPT = 1 << 20
_SIGNALLED = 128


class Terminal:
    def __init__(self, spawned: Spawned, limit: int) -> None:
        self.spawned = spawned
        self._limit = limit
        self._kept = bytearray()
        self._truncated = False
        self._code: int | None = None
        self.finished = asyncio.create_task(self._read(), name="terminal")

    async def _read(self) -> int:
        async for data in self.spawned.output():
            self._kept += data
            if len(self._kept) > self._limit:
                self._truncated = True
                del self._kept[: len(self._kept) - self._limit]
        self._code = await self.spawned.wait()
        return self._code

    def output(self) -> TerminalOutputResponse:
        # What was cut off may have been the first half of a character.
        text = self._kept.decode(errors="ignore" if self._truncated else "replace")
        status = None if self._code is None else TerminalExitStatus(exit_code=self._code)
        return TerminalOutputResponse(output=text, truncated=self._truncated, exit_status=status)

    async def wait(self) -> WaitForTerminalExitResponse:
        code = await asyncio.shield(self.finished)
        return WaitForTerminalExitResponse(exit_code=code)


class Terminals:
    def __init__(self, workspace: Path, env: Mapping[str, str], grace: float, confine: Cage | str | None) -> None:
        """`confine` is for the whole workspace: a command may run in a folder of it, and still write to all of it."""
        self._workspace = workspace
        self._env = env
        self._grace = grace
        self._confine = confine
        self._open: dict[str, Terminal] = {}
        self._count = 0

    async def create(
        self,
        command: str,
        arguments: Sequence[str],
        env: Mapping[str, str],
        cwd: str | None,
        limit: int | None,
        spawn_id: str,
        log_path: Path,
    ) -> str:
        directory = files.confined(self._workspace, cwd or ".")
        self._count += 1
        name = f"{spawn_id}-t{self._count}"
        ours = {key: value for key, value in env.items() if not key.upper().startswith("PILOTHOUSE_")}
        whole = {**self._env, **ours}
        try:
            spawned = await spawn(
                _argv(command, arguments, directory, whole),
                cwd=directory,
                env=whole,
                spawn_id=name,
                log_path=log_path,
                merge_stderr=True,
                grace=self._grace,
                confine=self._confine,
            )
        except OSError as error:
            raise RequestError.invalid_params({"details": str(error)}) from None
        self._open[name] = Terminal(spawned, min(limit or _KEPT, _KEPT))
        return name

    def get(self, name: str) -> Terminal:
        if name not in self._open:
            raise RequestError.resource_not_found(name)
        return self._open[name]

    def alive(self) -> bool:
        return any(terminal.spawned.alive() for terminal in self._open.values())

    async def kill(self, name: str, grace: float | None = None) -> None:
        terminal = self.get(name)
        await terminal.spawned.stop(self._grace if grace is None else grace)
        await terminal.finished

    async def release(self, name: str) -> None:
        await self.kill(name)
        self._open.pop(name, None)

    async def end(self, grace: float) -> None:
        await asyncio.gather(*(self.kill(name, grace) for name in list(self._open)))
        self._open.clear()


def _argv(command: str, arguments: Sequence[str], directory: Path, env: Mapping[str, str]) -> list[str]:
    """Agents that give no arguments often mean a line for a shell."""
    if arguments:
        return [command, *arguments]
    path = (directory / command).is_file() if os.sep in command else shutil.which(command, path=env.get("PATH"))
    return [command] if path else ["sh", "-c", command]
