"""Recorded decisions: the same tool with the same detail, in order, each once, only from before the replay."""

from __future__ import annotations

from datetime import UTC, datetime

from pilothouse.domain.talk.permissions import AskedPermission, Decided, DecisionChoice, recorded_decision

AT = datetime(2026, 1, 1, tzinfo=UTC)


def decided(
    choice: DecisionChoice, detail: str, attempt: int, tool: str = "Bash", reason: str = "", replayed: bool = False
) -> Decided:
    return Decided(choice, AT, tool, detail, reason, attempt, replayed)


def test_only_the_same_tool_with_the_same_detail_gets_its_decision_again() -> None:
    """WEB-5 GRD-7"""
    known = [decided("once", "make clean", 1)]
    assert recorded_decision(known, 2, AskedPermission("Bash", "make clean")) == known[0]
    assert recorded_decision(known, 2, AskedPermission("Bash", "make clean all")) is None
    assert recorded_decision(known, 2, AskedPermission("Write", "make clean")) is None


def test_decisions_are_given_again_in_their_order_and_each_once() -> None:
    """WEB-5"""
    asked = AskedPermission("Bash", "ls")
    known = [decided("once", "ls", 1), decided("deny", "ls", 2)]
    assert recorded_decision(known, 3, asked) == known[0]
    used = [*known, decided("once", "ls", 3, replayed=True)]
    assert recorded_decision(used, 3, asked) == known[1]
    spent = [*used, decided("deny", "ls", 3, replayed=True)]
    assert recorded_decision(spent, 3, asked) is None


def test_what_was_decided_during_a_replay_is_not_given_again_in_it() -> None:
    """WEB-5"""
    assert recorded_decision([decided("once", "ls", 4)], 3, AskedPermission("Bash", "ls")) is None


def test_a_refusal_in_words_names_the_tool_and_the_reason_and_forbids_another_way() -> None:
    """GRD-7"""
    words = decided("deny", "rm -rf build", 1, reason="it is shared").words
    assert "Bash: rm -rf build" in words
    assert "it is shared" in words
    assert "Do not try it again" in words
    assert "once" in decided("once", "ls", 1).words
    assert "session" in decided("session", "ls", 1).words
