"""Runs the commands of a build one after the other, each under a keeper, into one log that is told live."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
from collections.abc import Iterable
from pathlib import Path

from pilothouse.engine.building import Command
from pilothouse.engine.runtime import Runtime
from pilothouse.process.environment import Environment, instance_of
from pilothouse.process.output import Chunk, OutputBuffer
from pilothouse.process.spawn import Spawned, SpawnLog, spawn

KEPT = 20
CAUSE_LIMIT = 300
TAIL = 4096
_CONTROL = re.compile(r"\x1b(?:\[[0-9;:?]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))|[\x00-\x08\x0b-\x1f\x7f]")


class BuildFailed(Exception):
    """Its text is the cause, for the person."""


class BuildStopped(Exception):
    pass


class BuildLog:
    """The text of one operation, addressed by byte offset. Readable by the owner alone, newest `KEPT` kept."""

    def __init__(self, logs: Path, operation_id: str) -> None:
        self.path = logs / "runner" / f"{operation_id}.log"

    def size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def page(self, offset: int, limit: int) -> tuple[str, int, int]:
        """(text, next offset, total); whole characters only."""
        total = self.size()
        if offset >= total:
            return "", total, total
        with self.path.open("rb") as file:
            file.seek(offset)
            data = file.read(max(limit, 4))
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(data)
        return text, offset + len(data) - len(decoder.getstate()[0]), total

    def tidy(self) -> None:
        others = [file for file in self.path.parent.glob("*.log") if file != self.path]
        for old in sorted(others, key=lambda file: file.stat().st_mtime)[: 1 - KEPT]:
            old.unlink(missing_ok=True)


class BuildRun:
    def __init__(self, runtime: Runtime, operation_id: str) -> None:
        settings = runtime.settings
        self._runtime, self._id = runtime, operation_id
        self._environment = Environment(os.environ, instance_of(settings.data_dir), settings.pilothouse_agent_env)
        self._spawned: Spawned | None = None
        self._stopped = self._late = False
        self._tail = ""

    async def run(self, commands: Iterable[Command]) -> None:
        """Raises `BuildFailed` at the first that does not succeed, `BuildStopped` after `stop`."""
        log = BuildLog(self._runtime.settings.logs, self._id)
        log.tidy()
        file = SpawnLog(log.path)
        buffer = OutputBuffer(lambda chunks: self._keep(file, chunks), self._runtime.clock)
        try:
            for command in commands:
                await self._run(command, buffer)
            if self._stopped:
                raise BuildStopped
        finally:
            await buffer.close()
            file.close()

    async def stop(self) -> None:
        """SIGTERM, the grace, SIGKILL; `run` raises once nothing is left."""
        self._stopped = True
        if self._spawned:
            await self._spawned.stop(self._runtime.settings.stop_grace_seconds)

    async def _run(self, command: Command, buffer: OutputBuffer) -> None:
        if self._stopped:
            raise BuildStopped
        began = self._runtime.clock.monotonic()
        await buffer.write(f"$ {command.shown}\n")
        try:
            spawned = await spawn(
                command.argv,
                cwd=command.folder,
                env=self._environment.for_spawn(command.env),
                spawn_id=self._id,
                # Everything is in the operation's own log, with what we say ourselves between.
                log_path=Path(os.devnull),
                merge_stderr=True,
                grace=self._runtime.settings.stop_grace_seconds,
            )
        except OSError as error:
            await buffer.write(f"{error}\n")
            raise BuildFailed(f"“{command.shown}” could not be started: {error}") from error
        self._spawned = spawned
        code = await self._follow(spawned, command.timeout_seconds, buffer)
        took = self._runtime.clock.monotonic() - began
        unended = self._tail and not self._tail.endswith("\n")
        await buffer.write("\n" * bool(unended) + f"[exit code {code}, {took:.1f} s]\n")
        if self._stopped:
            raise BuildStopped
        if self._late:
            raise BuildFailed(f"“{command.shown}” took longer than {command.timeout_seconds:g} seconds.")
        if code:
            said = self._last_line()
            raise BuildFailed(f"“{command.shown}” ended with code {code}{f': {said}' if said else '.'}")

    async def _follow(self, spawned: Spawned, limit: float | None, buffer: OutputBuffer) -> int:
        self._late, self._tail = False, ""
        timer = asyncio.create_task(self._end_after(spawned, limit)) if limit else None
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        try:
            if self._stopped:
                await spawned.stop(self._runtime.settings.stop_grace_seconds)
            async for data in spawned.output():
                await self._write(decoder.decode(data), buffer)
            await self._write(decoder.decode(b"", final=True), buffer)
            return await spawned.wait()
        finally:
            if timer:
                timer.cancel()

    async def _end_after(self, spawned: Spawned, seconds: float) -> None:
        await self._runtime.clock.sleep(seconds)
        self._late = True
        await spawned.stop(self._runtime.settings.stop_grace_seconds)

    async def _write(self, text: str, buffer: OutputBuffer) -> None:
        self._tail = (self._tail + text)[-TAIL:]
        await buffer.write(text)

    def _last_line(self) -> str:
        """What the command said last: most often the reason."""
        lines = (_CONTROL.sub("", line).strip() for line in reversed(self._tail.splitlines()))
        return next((line for line in lines if line), "")[:CAUSE_LIMIT]

    async def _keep(self, file: SpawnLog, chunks: list[Chunk]) -> None:
        for chunk in chunks:
            file.write(chunk.text.encode())
            self._runtime.broadcast.output(self._id, 1, chunk.offset, chunk.text)
