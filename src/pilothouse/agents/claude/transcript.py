"""The program's own record of a conversation: what a resumed process will believe."""

from __future__ import annotations

import glob
import json
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from pilothouse.agents.claude.figures import Figures

_SPOKEN = (b'"type":"user"', b'"type":"assistant"')
_COST = b'"type":"cost-state"'
_TAIL = 1 << 20


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a conversation had been written."""

    path: Path | None
    size: int


def find(config_dir: Path, conversation: str) -> Path | None:
    return next(iter(sorted((config_dir / "projects").glob(f"*/{glob.escape(conversation)}.jsonl"))), None)


def here(config_dir: Path, conversation: str) -> Extent:
    path = find(config_dir, conversation)
    return Extent(path, path.stat().st_size if path else 0)


def moved_on(written: Extent, known: Container[str]) -> bool:
    """Whether somebody else has said something in the conversation since, or rewritten it.

    `known` names what the kept process itself said and heard: it may write that down after it told us.
    """
    if written.path is None:
        return False
    try:
        if written.path.stat().st_size < written.size:
            return True
        with written.path.open("rb") as file:
            file.seek(written.size)
            spoken = [line for line in file if any(mark in line for mark in _SPOKEN) and line.endswith(b"\n")]
    except OSError:
        return True
    return any(_name(line) not in known for line in spoken)


def _name(line: bytes) -> str:
    try:
        return str(json.loads(line)["uuid"])
    except (ValueError, KeyError, TypeError):
        return ""


def total(config_dir: Path, conversation: str) -> Figures | None:
    """The running total a resumed process starts from; None if there is no record at all.

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
    return _figures(lines[-1]) if lines else Figures()


def _figures(line: bytes) -> Figures:
    try:
        written = json.loads(line)
        return Figures.of(float(written["totalCostUSD"]), written.get("modelUsage"))
    except (ValueError, KeyError, TypeError):
        return Figures()
