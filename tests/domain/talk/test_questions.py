"""Recorded answers: in order, each once, and only those from before the replay."""

from __future__ import annotations

from datetime import UTC, datetime

from pilothouse.domain.talk.questions import recorded_answer
from pilothouse.domain.task.task import Reply

AT = datetime(2026, 1, 1, tzinfo=UTC)


def reply(content: str, question: str, attempt: int, replayed: bool = False) -> Reply:
    return Reply(content, AT, question, attempt, replayed)


def content(found: Reply | None) -> str | None:
    return found.content if found else None


def test_an_answered_question_gets_its_answer_whatever_its_spacing() -> None:
    """WEB-5"""
    replies = [reply("Flat", "Which structure do you prefer?", 1)]
    assert content(recorded_answer(replies, 3, "which structure   do you prefer?")) == "Flat"
    assert recorded_answer(replies, 3, "Which colour?") is None


def test_the_same_question_asked_twice_gets_its_answers_in_order() -> None:
    """WEB-5"""
    replies = [reply("first", "Go on?", 1), reply("second", "Go on?", 2)]
    assert content(recorded_answer(replies, 3, "Go on?")) == "first"
    used = [*replies, reply("first", "Go on?", 3, replayed=True)]
    assert content(recorded_answer(used, 3, "Go on?")) == "second"
    spent = [*used, reply("second", "Go on?", 3, replayed=True)]
    assert recorded_answer(spent, 3, "Go on?") is None


def test_what_was_answered_during_the_replay_is_not_given_back_in_it() -> None:
    """WEB-5"""
    replies = [reply("new", "Go on?", 4)]
    assert recorded_answer(replies, 3, "Go on?") is None
    assert content(recorded_answer(replies, 5, "Go on?")) == "new"


def test_a_second_replay_starts_counting_again() -> None:
    """WEB-5"""
    replies = [reply("first", "Go on?", 1), reply("first", "Go on?", 2, replayed=True)]
    assert content(recorded_answer(replies, 3, "Go on?")) == "first"
