"""What a task knew at a milestone, written down for people and later tasks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ContextKind(StrEnum):
    START = "start"
    REPLAN = "replan"
    SUCCESS = "success"


@dataclass(frozen=True, slots=True)
class Context:
    session_id: str
    number: int
    """Counted from 1 within the session; 0 until it is stored."""
    task_id: str
    attempt: int
    kind: ContextKind
    at: datetime
    text: str

    @property
    def file_name(self) -> str:
        return f"context_{self.number:03}.md"
