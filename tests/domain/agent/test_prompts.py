"""What an agent is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pilothouse.domain.agent import prompts
from pilothouse.domain.task.task import Reply
from tests.store.samples import task

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_replay_repeats_what_was_added_but_no_answer_and_nothing_twice() -> None:
    """WEB-5: answers wait for their question."""
    replies = (
        Reply("Use tabs.", AT, "", 1),
        Reply("Flat", AT, "Which structure?", 2),
        Reply("Flat", AT, "Which structure?", 3, replayed=True),
        Reply("Keep the names.", AT, "", 3),
    )
    told = prompts.first(replace(task(), prompt="Tidy up", replies=replies), "/records")
    assert "Use tabs.\n\nKeep the names." in told
    assert "Flat" not in told
    assert told.index("Tidy up") < told.index("Use tabs.") < told.index("[Rules]")


def test_a_first_attempt_speaks_of_nothing_added() -> None:
    """WEB-5"""
    assert "Added" not in prompts.first(task(), "/records")


def test_an_agent_is_told_where_the_sessions_files_are() -> None:
    """PLT-1"""
    prompt = prompts.first(task(prompt="Fix it."), "/data/p/fix-it")
    assert prompt.startswith("[Task]\nFix it.\n")
    assert "[Records]" in prompt
    assert "/data/p/fix-it (session.json" in prompt
