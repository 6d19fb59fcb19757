"""Reading instructions files: the person's own first, then those in the project's root."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

from pilothouse.domain.agent.instructions import NAMES, InstructionsFile, InstructionsText, Level, combine
from pilothouse.domain.ports import Agent
from pilothouse.settings import Settings
from pilothouse.words import say

READ_LIMIT = 4 * 1024 * 1024
"""Bytes that are read at most, so that a hash can be told of any file somebody wrote by hand."""


async def gather(
    settings: Settings, root: Path, agent: Agent, settings_of: Sequence[Path]
) -> tuple[str, tuple[InstructionsFile, ...]]:
    """Without those that the person's settings keep from this agent."""
    places = await asyncio.to_thread(_places, settings, root)
    withheld = await agent.withheld([path for path, _ in places], root, settings_of)
    return await asyncio.to_thread(lambda: combine(find(settings, root, withheld)))


def find(settings: Settings, root: Path, withheld: Collection[Path] = ()) -> list[InstructionsText]:
    """What is there. Two names of one file are one file."""
    whole = Path(os.path.realpath(root))
    places = _places(settings, root)
    found: list[InstructionsText] = []
    seen: set[Path] = set()
    for path, level in places:
        if not os.path.lexists(path):
            continue
        target = Path(os.path.realpath(path))
        shown = path.name if level == "project" else str(path)
        if path in withheld:
            found.append(InstructionsText(shown, level, problem=say("instructions.withheld")))
        elif level == "project" and not target.is_relative_to(whole):
            found.append(InstructionsText(shown, level, problem=say("instructions.link_out")))
        elif target not in seen:
            seen.add(target)
            found.append(_read(target, shown, level))
    return found


def _places(settings: Settings, root: Path) -> list[tuple[Path, Level]]:
    everywhere: list[tuple[Path, Level]] = [(path, "global") for path in _global(settings)]
    return [*everywhere, *((root / name, "project") for name in NAMES)]


def _global(settings: Settings) -> list[Path]:
    if settings.global_instructions is None:
        config = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config")
        named = [settings.data_dir / "AGENTS.md", config / "pilothouse" / "AGENTS.md", Path("~/.claude/CLAUDE.md")]
    else:
        named = [Path(name) for name in settings.global_instructions]
    return [path.expanduser() for path in named]


def _read(path: Path, shown: str, level: Level) -> InstructionsText:
    """Follows no link that has just replaced the file, and does not wait at a pipe."""
    try:
        with open(path, "rb", opener=_open) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                return InstructionsText(shown, level, problem=say("instructions.no_file"))
            if about.st_size > READ_LIMIT:
                return InstructionsText(
                    shown, level, problem=say("instructions.too_large", megabytes=READ_LIMIT // 1024 // 1024)
                )
            return InstructionsText(shown, level, file.read(READ_LIMIT))
    except OSError as error:
        return InstructionsText(
            shown, level, problem=say("instructions.unreadable", problem=error.strerror or str(error))
        )


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
