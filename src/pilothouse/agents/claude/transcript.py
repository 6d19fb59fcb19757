"""The program's own record of a conversation: what a resumed process will believe."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

_SPOKEN = (b'"type":"user"', b'"type":"assistant"')
_COST = b'"type":"cost-state"'
_TAIL = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """How far a conversation had been written."""

    path: Path | None
    size: int


def find(config_dir: Path, conversation: str) -> Path | None:
    return next(iter(sorted((config_dir / "projects").glob(f"*/{conversation}.jsonl"))), None)


def here(config_dir: Path, conversation: str) -> Place:
    path = find(config_dir, conversation)
    return Place(path, path.stat().st_size if path else 0)


def moved_on(place: Place) -> bool:
    """Whether somebody else has said something in the conversation since, or rewritten it."""
    if place.path is None:
        return False
    try:
        if place.path.stat().st_size < place.size:
            return True
        with place.path.open("rb") as file:
            file.seek(place.size)
            return any(mark in line for line in file for mark in _SPOKEN)
    except OSError:
        return True


def cost(config_dir: Path, conversation: str) -> float | None:
    """The running total that a resumed process goes on from."""
    path = find(config_dir, conversation)
    if path is None:
        return None
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        lines = [line for line in file if _COST in line]
    if not lines:
        return None
    try:
        return float(json.loads(lines[-1])["totalCostUSD"])
    except (ValueError, KeyError, TypeError):
        return None
