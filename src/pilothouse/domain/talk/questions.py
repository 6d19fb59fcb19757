"""A question: what was asked, what was answered, and whether a replay gave the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pilothouse.domain.event.talk import Option
from pilothouse.domain.talk.detection import normalise
from pilothouse.domain.task.task import Reply


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


def recorded_answer(replies: Sequence[Reply], since_attempt: int, question: str) -> Reply | None:
    """The reply to give to `question` in a replay that began with attempt `since_attempt`: nobody is asked twice.

    Only what was answered before the replay counts, in its order, and each of it once.
    """
    wanted = normalise(question)
    used = sum(1 for r in replies if r.replayed and r.attempt >= since_attempt and normalise(r.question) == wanted)
    recorded = [r for r in replies if not r.replayed and r.attempt < since_attempt and normalise(r.question) == wanted]
    return recorded[used] if used < len(recorded) else None
