"""What an agent is told that does not remember the thread, or a part of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pilothouse.domain.agent import digest
from pilothouse.domain.agent.digest import Happened, Past
from pilothouse.domain.talk.permissions import AgentNote, Decided
from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.domain.task.task import Reply, Step, StepKind, Task, TaskStatus, Verdict
from tests.store.samples import task

AT = datetime(2026, 1, 1, tzinfo=UTC)


def later(minutes: int) -> datetime:
    return AT + timedelta(minutes=minutes)


def step(number: int, answer: str) -> Step:
    return Step("s", "t", 1, number, StepKind.EDIT, "", AT, finished_at=AT, outcome="done", answer=answer)


def eventful() -> Task:
    refused = Decided("deny", later(2), "Bash", "rm -rf /", "Never.")
    return replace(
        task(prompt="Tidy up. [[scenario]]"),
        status=TaskStatus.COMPLETE,
        verdict=Verdict.PASS,
        summary="Tidied.",
        files_changed=2,
        replies=(
            Reply("Flat", later(1), "Which structure?"),
            Reply(refused.words, later(2), "May I?"),
            Reply("Faster, please.", later(3)),
            Reply("Flat", later(4), "Which structure?", 2, replayed=True),
        ),
        decisions=(refused, Decided("once", later(4), "Bash", "make")),
        notes=(AgentNote("denied", "Read: .env", 1, "s"), AgentNote("fresh", "It was lost.", 1, "s")),
        doubts=(Doubt(DoubtKind.UNTESTED, "a.py", None, "", "No test was changed."),),
    )


def test_an_earlier_message_is_told_with_what_was_answered_decided_and_done() -> None:
    """BYD-18"""
    told = digest.digest([Past(eventful(), (Happened("rolled_back", "Tidy up."),))])
    lines = [
        "The person asked: Tidy up.",
        "The agent asked: Which structure?\n  The person answered: Flat",
        "Not allowed: Bash: rm -rf /. The reason: Never.",
        "The person added: Faster, please.",
        "Allowed, this once: Bash: make",
        "Refused on the way: Read: .env",
        "A doubt about the work: No test was changed.",
        "It ended: the checks passed.",
        "The agent said: Tidied.",
        "Files changed: 2.",
        "The files were rolled back to before “Tidy up.”",
    ]
    assert [told.count(line) for line in lines] == [1] * len(lines)
    assert sorted(lines, key=told.index) == lines
    assert "[[" not in told, "a scenario that was played is not named again"


def test_a_long_thread_is_told_within_bounds_the_newest_first() -> None:
    """BYD-18"""
    many = [Past(replace(eventful(), prompt=f"Message {n}. " + "x" * 5000)) for n in range(100)]
    told = digest.digest(many)
    assert len(told) < digest.DIGEST_LIMIT + 500
    assert "Message 99." in told
    assert "Message 0." not in told
    assert "earlier messages are left out here." in told


def test_a_fresh_session_in_the_middle_of_a_task_knows_all_that_was_decided() -> None:
    """FTR-19"""
    done = step(1, "The level is set.")
    told = digest.saved_state(
        eventful(), [done], ["level: test failed"], ["level.txt"], [Happened("undone", "Tidy up.")]
    )
    for known in (
        "edit: done\n   It said: The level is set.",
        "- level.txt",
        "- level: test failed",
        "The agent asked: Which structure?\n  The person answered: Flat",
        "- Not allowed: Bash: rm -rf /.",
        "- The person added: Faster, please.",
        "- Refused on the way: Read: .env",
        "- The rollback to before “Tidy up.” was undone",
    ):
        assert known in told


def test_the_account_of_a_task_is_bounded_and_keeps_the_newest() -> None:
    """FTR-19"""
    many = [step(n, f"said {n} " + "x" * 3000) for n in range(500)]
    told = digest.saved_state(eventful(), many, ["f" * 5000] * 50, [f"{n}.txt" for n in range(5000)], [])
    assert len(told) < 60_000
    assert "499. " in told
    assert "\n0. " not in told
