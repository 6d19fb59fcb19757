"""The rehearsal program, started before there is anything to play: it waits for its request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pilothouse.process.confine import Cage, Identity
from pilothouse.process.spawn import Spawned


@dataclass(frozen=True, slots=True)
class Launch:
    workspace: Path
    directory: Identity | None
    """The workspace itself: another one may have come to its name."""
    env: Mapping[str, str] = field(repr=False)
    cage: Cage | str | None


class Ready:
    """What it will remember comes with its request, so it is of no conversation yet."""

    id = None

    def __init__(self, launch: Launch, spawned: Spawned) -> None:
        self.launch = launch
        self.spawned = spawned

    def alive(self) -> bool:
        return self.spawned.alive()

    async def end(self) -> None:
        await self.spawned.stop()
