"""Gives back in a replay what a person answered before, so that nobody is asked the same thing twice."""

from __future__ import annotations

from collections.abc import Sequence

from pilothouse.domain.talk.detection import normalise
from pilothouse.domain.task.task import Reply


def recorded_answer(replies: Sequence[Reply], since_attempt: int, question: str) -> Reply | None:
    """The reply to give to `question` in a replay that began with attempt `since_attempt`.

    Only what was answered before the replay counts, in its order, and each of it once.
    """
    wanted = normalise(question)
    used = sum(1 for r in replies if r.replayed and r.attempt >= since_attempt and normalise(r.question) == wanted)
    recorded = [r for r in replies if not r.replayed and r.attempt < since_attempt and normalise(r.question) == wanted]
    return recorded[used] if used < len(recorded) else None
