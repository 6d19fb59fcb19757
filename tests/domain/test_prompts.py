"""The words handed to an agent."""

from __future__ import annotations

from datetime import UTC, datetime

from pilothouse.domain import prompts
from pilothouse.domain.tasks import Task


def test_an_agent_is_told_where_the_sessions_files_are() -> None:
    """PLT-1"""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    task = Task("t", "s", "p", "w", "Fix it.", "rehearsal", now, now, 1)
    prompt = prompts.first(task, "/data/p/fix-it")
    assert prompt.startswith("[Task]\nFix it.\n")
    assert "[Records]" in prompt
    assert "/data/p/fix-it (session.json" in prompt
