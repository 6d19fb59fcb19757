"""Runs the commands of a build one after the other, each under a keeper, into one log that is told live."""

from __future__ import annotations

import asyncio
import codecs
import logging
import os
from collections.abc import Iterable
from pathlib import Path

from pilothouse.engine.operations.builds import Command
from pilothouse.engine.runtime import Runtime
from pilothouse.process.environment import Environment, instance_of
from pilothouse.process.output import Chunk, OutputBuffer
from pilothouse.process.spawn import Spawned, spawn
from pilothouse.verify.runs.logs import CheckLog, page, plain
from pilothouse.verify.runs.verifier import span
from pilothouse.words import say

log = logging.getLogger(__name__)

KEPT = 20
CAUSE_LIMIT = 300
TAIL = 4096


class BuildFailed(Exception):
    def __init__(self, cause: str) -> None:
        """`cause` is for the person."""
        super().__init__(cause)
        self.cause = cause


class BuildStopped(Exception):
    pass


class BuildLog:
    """The text of one operation, addressed by byte offset. Readable by the owner alone, newest `KEPT` kept."""

    def __init__(self, logs: Path, operation_id: str) -> None:
        self.path = logs / "runner" / f"{operation_id}.log"

    def page(self, offset: int, limit: int) -> tuple[str, int, int]:
        """(text, next offset, total); whole characters only."""
        return page(self.path, offset, limit) if self.path.is_file() else ("", 0, 0)

    def open(self, limit_mb: int) -> CheckLog:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._tidy()
        return CheckLog(self.path, limit_mb * 1_000_000)

    def _tidy(self) -> None:
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
        settings = self._runtime.settings
        kept = BuildLog(settings.logs, self._id)
        file = await asyncio.to_thread(kept.open, settings.verification_log_max_mb)
        buffer = OutputBuffer(lambda chunks: self._keep(file, chunks), self._runtime.clock)
        try:
            for command in commands:
                await self._run(command, buffer)
            if self._stopped:
                raise BuildStopped
        finally:
            try:
                await buffer.close()
            finally:
                await asyncio.to_thread(file.close)
            await self._tell_end(file, buffer.offset)

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
            raise BuildFailed(say("build.not_started", command=command.shown, problem=str(error))) from error
        self._spawned = spawned
        code = await self._follow(spawned, command.timeout_seconds, buffer)
        took = self._runtime.clock.monotonic() - began
        unended = self._tail and not self._tail.endswith("\n")
        await buffer.write("\n" * bool(unended) + f"[exit code {code}, {took:.1f} s]\n")
        if self._stopped:
            raise BuildStopped
        if self._late:
            raise BuildFailed(say("build.too_slow", command=command.shown, span=span(command.timeout_seconds)))
        if code:
            said = self._last_line()
            ended = say("build.ended", command=command.shown, code=str(code))
            saying = say("build.ended_saying", command=command.shown, code=str(code), said=said)
            raise BuildFailed(saying if said else ended)

    async def _follow(self, spawned: Spawned, limit: float, buffer: OutputBuffer) -> int:
        self._late, self._tail = False, ""
        timer = asyncio.create_task(self._end_after(spawned, limit))
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        try:
            if self._stopped:
                await spawned.stop(self._runtime.settings.stop_grace_seconds)
            async for data in spawned.output():
                await self._write(decoder.decode(data), buffer)
            await self._write(decoder.decode(b"", final=True), buffer)
            return await spawned.wait()
        finally:
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
        lines = (line.strip() for line in reversed(plain(self._tail).splitlines()))
        return next((line for line in lines if line), "")[:CAUSE_LIMIT]

    async def _keep(self, file: CheckLog, chunks: list[Chunk]) -> None:
        await asyncio.to_thread(file.write, "".join(chunk.text for chunk in chunks).encode())
        for chunk in chunks:
            # What is told has to stand at its place in the file, too.
            if chunk.end <= file.head:
                self._runtime.broadcast.output(self._id, 1, chunk.offset, chunk.text)

    async def _tell_end(self, file: CheckLog, written: int) -> None:
        if file.problem:
            log.warning("the log of the build is not whole: %s", file.problem)
        elif written > file.head:
            size = (await asyncio.to_thread(file.path.stat)).st_size
            text, end, _ = await asyncio.to_thread(page, file.path, max(0, size - TAIL), TAIL)
            self._runtime.broadcast.output(self._id, 1, end - len(text.encode()), text)
