"""A question: what was asked, what was answered, and whether a replay gave the answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pilothouse.domain.event.talk import Option


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    session_id: str
    task_id: str
    attempt: int
    kind: str
    """`single_choice`, `multi_choice`, `text` or `confirmation`."""
    text: str
    asked_at: datetime
    options: tuple[Option, ...] = ()
    answer: str | None = None
    answered_at: datetime | None = None
    replayed: bool = False
    header: str = ""
    """A word or two over the question, where the agent gave one."""
    number: int = 0
    """Its place in the agent's form, from 1; 0 for a question that was asked in words."""
