"""Which Claude Code runs: the one that comes with the SDK, or the person's own where that is newer."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pilothouse.process.spawn import spawn

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_LIMIT = 20.0


@dataclass(frozen=True, slots=True)
class Program:
    path: str
    version: str
    own: bool
    """The person's, not the one that came with Pilothouse."""


class Programs:
    """Asking a program for its version takes a fifth of a second, so each file is asked once."""

    def __init__(self, bundled: Path | None = None) -> None:
        self._bundled = bundled or bundled_program()
        self._known: dict[tuple[str, int, int], str] = {}
        self._lock = asyncio.Lock()

    async def choose(self, env: Mapping[str, str]) -> Program | None:
        async with self._lock:
            bundled = self._of_the_sdk()
            own = await self._of_the_person(env)
        if own and (bundled is None or number(own.version) > number(bundled.version)):
            return own
        return bundled

    def _of_the_sdk(self) -> Program | None:
        if self._bundled is None or not os.access(self._bundled, os.X_OK):
            return None
        written = self._bundled.with_name("claude.version")
        version = _VERSION.search(written.read_text()) if written.is_file() else None
        return Program(str(self._bundled), version.group() if version else "", False)

    async def _of_the_person(self, env: Mapping[str, str]) -> Program | None:
        found = shutil.which("claude", path=env.get("PATH", os.defpath))
        if found is None:
            return None
        path, key = await asyncio.to_thread(_identity, found)
        if key not in self._known:
            self._known[key] = await _asked(path, env)
        # By the name it was found under: an update moves the link, not the file.
        return Program(found, self._known[key], True) if self._known[key] else None


def _identity(program: str) -> tuple[Path, tuple[str, int, int]]:
    path = Path(program).resolve()
    status = path.stat()
    return path, (str(path), status.st_mtime_ns, status.st_size)


def number(version: str) -> tuple[int, ...]:
    found = _VERSION.search(version)
    return tuple(int(part) for part in found.groups()) if found else ()


def bundled_program() -> Path | None:
    """Found without importing the SDK, which takes a second."""
    spec = importlib.util.find_spec("claude_agent_sdk")
    return Path(spec.origin).parent / "_bundled" / "claude" if spec and spec.origin else None


async def _asked(path: Path, env: Mapping[str, str]) -> str:
    """Empty when it does not answer like Claude Code does."""
    spawned = await spawn(
        [str(path), "--version"], cwd=path.parent, env=env, spawn_id="claude-version", log_path=Path(os.devnull)
    )
    said = b""
    try:
        async with asyncio.timeout(_LIMIT):
            async for piece in spawned.output():
                said = (said + piece)[:200]
            code = await spawned.wait()
    except TimeoutError:
        await spawned.stop(0.5)
        return ""
    found = _VERSION.match(said.decode(errors="replace").strip())
    return found.group() if found and code == 0 else ""
