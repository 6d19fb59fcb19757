from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from pilothouse.domain.event.log import any_event
from pilothouse.domain.notifications import Kind, Notification, NotificationSettings, joined, occasion_of, quiet_seconds
from pilothouse.domain.task.task import Awaiting


def notification(number: int, kind: Kind = Kind.QUESTION) -> Notification:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Notification(f"t{number}:question:1", kind, f"Session {number}", "Which one?", at, "s", f"t{number}")


@pytest.mark.parametrize("awaiting", Awaiting)
def test_everything_a_task_can_wait_for_is_told(awaiting: Awaiting) -> None:
    """PLT-7"""
    data = {"attempt": 3, "awaiting": awaiting, "reason": "It waits."}
    event = any_event.validate_python(
        {"seq": 1, "at": "2026-01-01T00:00:00Z", "task_id": "t", "type": "task.awaiting", "data": data}
    )
    found = occasion_of(event)
    assert found is not None
    assert found.thing == f"{awaiting}:3"


def test_several_things_become_one_message() -> None:
    """PLT-7"""
    alone = joined([notification(1)])
    assert (alone.title, alone.body) == ("Asks you: Session 1", "Which one?")
    many = joined([notification(number) for number in range(11)])
    assert many.title == "Pilothouse: 11 things"
    assert many.body.splitlines()[0] == "Asks you: Session 0"
    assert many.body.splitlines()[-1] == "and 3 more"


@pytest.mark.parametrize(
    ("begins", "ends", "now", "hours"),
    [
        (22, 7, 23, 8), (22, 7, 6, 1), (22, 7, 7, 0), (22, 7, 12, 0), (22, 7, 22, 9),
        (12, 14, 13, 1), (12, 14, 14, 0), (12, 14, 11, 0), (9, 9, 9, 0),
    ],
)  # fmt: skip
def test_quiet_hours_also_span_midnight(begins: int, ends: int, now: int, hours: float) -> None:
    """PLT-7"""
    settings = NotificationSettings(quiet_from=time(begins), quiet_until=time(ends))
    assert quiet_seconds(settings, datetime(2026, 5, 1, now, tzinfo=UTC)) == hours * 3600
    assert quiet_seconds(NotificationSettings(), datetime(2026, 5, 1, now, tzinfo=UTC)) == 0
