"""What is known of each of the agent's conversations beyond its own files: what was billed, and what is open.

A conversation outlives the process and the server, so this is a file each, beside the other agents' state.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4


@dataclass(frozen=True, slots=True)
class Note:
    cost_usd: float = 0.0
    """The conversation's running total as of its last result."""
    turns: int = 0
    """Messages it has been sent."""
    tool: str = ""
    """The call that waits for the person, if one does."""
    arguments: Mapping[str, Any] = field(default_factory=dict)


class Notes:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, conversation: str) -> Note:
        try:
            found = json.loads(self._path(conversation).read_bytes())
            return Note(**found)
        except (OSError, ValueError, TypeError):
            return Note()

    def keep(self, conversation: str, note: Note) -> None:
        path = self._path(conversation)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{uuid4().hex}")
        fresh.touch(0o600)
        fresh.write_text(json.dumps(asdict(note)))
        os.replace(fresh, path)  # noqa: PTH105 - the atomic one

    def _path(self, conversation: str) -> Path:
        # The name comes from a program's output.
        safe = "".join(c for c in conversation if c.isalnum() or c == "-")
        return self._folder / f"{safe or 'none'}.json"
