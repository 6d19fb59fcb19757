"""The program's own record of a conversation: what a resumed process will believe."""

from __future__ import annotations

import glob
import json
from collections.abc import Container
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
    return next(iter(sorted((config_dir / "projects").glob(f"*/{glob.escape(conversation)}.jsonl"))), None)


def discard_unspoken(config_dir: Path, conversation: str) -> None:
    """Remove the record of a conversation in which nobody has said anything."""
    path = find(config_dir, conversation)
    if path and not any(mark in path.read_bytes() for mark in _SPOKEN):
        path.unlink(missing_ok=True)


def here(config_dir: Path, conversation: str) -> Place:
    path = find(config_dir, conversation)
    return Place(path, path.stat().st_size if path else 0)


def moved_on(place: Place, known: Container[str]) -> bool:
    """Whether somebody else has said something in the conversation since, or rewritten it.

    `known` names what the kept process itself said and heard: it may write that down after it told us.
    """
    if place.path is None:
        return False
    try:
        if place.path.stat().st_size < place.size:
            return True
        with place.path.open("rb") as file:
            file.seek(place.size)
            spoken = [line for line in file if any(mark in line for mark in _SPOKEN) and line.endswith(b"\n")]
    except OSError:
        return True
    return any(_name(line) not in known for line in spoken)


def _name(line: bytes) -> str:
    try:
        return str(json.loads(line)["uuid"])
    except (ValueError, KeyError, TypeError):
        return ""


def cost(config_dir: Path, conversation: str) -> float | None:
    """The running total that a resumed process goes on from; None where there is no record at all.

    It is written when a process ends; one that was killed wrote none, and the next goes on from an older total, or
    from nothing.
    """
    path = find(config_dir, conversation)
    if path is None:
        return None
    size = path.stat().st_size
    with path.open("rb") as file:
        for start in (max(0, size - _TAIL), 0):
            file.seek(start)
            lines = [line for line in file if _COST in line]
            if lines:
                break
    return _total(lines[-1]) if lines else 0.0


def _total(line: bytes) -> float:
    try:
        return float(json.loads(line)["totalCostUSD"])
    except (ValueError, KeyError, TypeError):
        return 0.0
