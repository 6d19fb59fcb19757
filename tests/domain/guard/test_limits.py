from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.guard.budgets import Budget, BudgetKind, Overspent, Spent, overspent
from pilothouse.domain.guard.limits import hour_of, named_time, next_hour, provider_limit, retry_at, used
from pilothouse.domain.ports import Ended, LimitReached, Usage
from pilothouse.domain.task.task import ErrorKind

NOW = datetime(2026, 3, 4, 14, 30, 15, tzinfo=UTC)


def test_the_hour_is_the_one_on_the_clock() -> None:
    """GRD-6"""
    assert (hour_of(NOW), next_hour(NOW)) == (NOW.replace(minute=0, second=0), NOW.replace(hour=15, minute=0, second=0))


def test_what_the_agent_says_of_a_limit_comes_first() -> None:
    """GRD-6: the structured event, whatever the words are."""
    said = LimitReached("5-hour limit", NOW + timedelta(hours=2))
    assert provider_limit(Ended("failed", message="timed out", limit=said), NOW) == said
    assert retry_at(said, NOW) == NOW + timedelta(hours=2)


@pytest.mark.parametrize("resets", [NOW - timedelta(minutes=3), NOW + timedelta(days=30)])
def test_a_time_that_cannot_be_right_is_not_believed(resets: datetime) -> None:
    """GRD-6: then it is 60 minutes."""
    found = provider_limit(Ended("failed", limit=LimitReached("x", resets)), NOW)
    assert found is not None
    assert retry_at(found, NOW) == NOW + timedelta(minutes=60)


@pytest.mark.parametrize("resets", [NOW, NOW - timedelta(seconds=90)])
def test_a_time_that_has_just_passed_is_tried_soon_for_clocks_differ(resets: datetime) -> None:
    """GRD-6"""
    found = provider_limit(Ended("failed", limit=LimitReached("x", resets)), NOW)
    assert found is not None
    assert NOW < retry_at(found, NOW) <= NOW + timedelta(seconds=10)


def test_a_limit_without_a_time_of_its_own_has_the_one_of_its_words() -> None:
    """GRD-6: to the second, and never too early"""
    found = provider_limit(Ended("failed", limit=LimitReached("429: please retry in 12.3s")), NOW)
    assert found is not None
    assert retry_at(found, NOW) == NOW + timedelta(seconds=13)


@pytest.mark.parametrize(
    "words",
    [
        "Claude AI usage limit reached",
        "You've hit your limit · resets 5pm (UTC)",
        "You have reached your weekly usage limit.",
        "Error: rate limit exceeded",
        '{"type":"error","error":{"type":"rate_limit_error"}}',
        "429 Too Many Requests",
        "Quota exceeded for this project",
    ],
)
def test_the_words_of_a_refusal_are_understood(words: str) -> None:
    """GRD-6: text second."""
    assert provider_limit(Ended("failed", message=words), NOW) is not None
    assert provider_limit(Ended("failed", words), NOW) is not None


@pytest.mark.parametrize(
    "ended",
    [
        Ended("failed", message="The request timed out."),
        Ended("failed", message="Timeout: no answer within the time limit reached after 600 s"),
        Ended("failed", message="The context limit reached its end: prompt is too long"),
        Ended("failed", message="recursion limit reached"),
        Ended("failed", message="Connection refused"),
        Ended("failed", message="Invalid API key: usage limit unknown", error_kind=ErrorKind.CREDENTIALS),
        Ended("done", "I added a usage limit to the API: rate limit exceeded gives 429."),
        Ended("crashed", message="usage limit reached"),
        Ended("failed", message="I worked on the usage limit. " * 200),
    ],
)
def test_a_time_out_or_talk_of_limits_is_no_usage_limit(ended: Ended) -> None:
    """GRD-6"""
    assert provider_limit(ended, NOW) is None


TOKYO = ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("usage limit reached|1772640000", datetime(2026, 3, 4, 16, 0, tzinfo=UTC)),
        ("usage limit reached|1772640000000", datetime(2026, 3, 4, 16, 0, tzinfo=UTC)),
        ("try again in 5 minutes", NOW + timedelta(minutes=5)),
        ("retry after 20s", NOW + timedelta(seconds=20)),
        ("in 1 hour and 30 minutes", NOW + timedelta(minutes=90)),
        ("resets in 3h 5m", NOW + timedelta(minutes=185)),
        ("resets at 2026-03-04T18:00:00Z", datetime(2026, 3, 4, 18, 0, tzinfo=UTC)),
        ("resets 5pm (UTC)", datetime(2026, 3, 4, 17, 0, tzinfo=UTC)),
        ("resets at 14:00", datetime(2026, 3, 5, 14, 0, tzinfo=UTC)),
        ("resets 12am (America/New_York)", datetime(2026, 3, 5, 5, 0, tzinfo=UTC)),
        ("resets 3:15 p.m. (Nowhere/Atall)", datetime(2026, 3, 4, 15, 15, tzinfo=UTC)),
        ("resets at 99:99", None),
        ("resets 5", None),
        ("later", None),
        ("|9999999999", datetime(2286, 11, 20, 17, 46, 39, tzinfo=UTC)),
    ],
)
def test_the_time_a_provider_names(words: str, at: datetime | None) -> None:
    """GRD-6"""
    assert named_time(words, NOW) == at


def test_a_time_of_day_without_a_zone_is_a_local_one() -> None:
    """GRD-6"""
    assert named_time("resets 3am", NOW, TOKYO) == datetime(2026, 3, 4, 18, 0, tzinfo=UTC)


@given(st.text(max_size=200))
def test_any_words_of_a_provider_raise_nothing(words: str) -> None:
    """GRD-6"""
    provider_limit(Ended("failed", message=f"usage limit reached {words}"), NOW)
    named_time(f"resets at {words}", NOW)


@pytest.mark.parametrize(
    ("budget", "spent", "found"),
    [
        (Budget(), Spent(1e9, 10**9, 1e9), None),
        (Budget(usd=1.0), Spent(usd=0.99), None),
        (Budget(usd=1.0), Spent(usd=0.1 + 0.2 + 0.7), Overspent(BudgetKind.MONEY, "task", 1.0, 1.0)),
        (Budget(tokens=10), Spent(tokens=10), Overspent(BudgetKind.TOKENS, "task", 10, 10)),
        (Budget(minutes=5), Spent(minutes=6), Overspent(BudgetKind.TIME, "task", 6, 5)),
        (Budget(usd=0.0), Spent(), Overspent(BudgetKind.MONEY, "task", 0.0, 0.0)),
    ],
)
def test_a_budget_is_spent_when_its_limit_is_reached(budget: Budget, spent: Spent, found: Overspent | None) -> None:
    """GRD-8"""
    assert overspent(budget, spent, "task") == found


def test_a_budget_is_raised_in_its_own_kind_and_falls_back_on_the_default() -> None:
    """GRD-8"""
    budget = Budget(usd=1.0).or_else(Budget(usd=9.0, minutes=30))
    assert budget == Budget(usd=1.0, minutes=30)
    assert budget.raised(BudgetKind.MONEY, 2.5) == Budget(usd=2.5, minutes=30)
    assert budget.raised(BudgetKind.TOKENS, 10.4) == Budget(usd=1.0, tokens=10, minutes=30)
    assert budget.raised(BudgetKind.TIME, 45) == Budget(usd=1.0, minutes=45)
    assert budget
    assert not Budget()


def test_tokens_from_the_cache_are_not_spent() -> None:
    """GRD-8"""
    usage = Usage(0.5, input_tokens=100, output_tokens=20, cache_read_tokens=9000, cache_write_tokens=3)
    assert used(usage).plus(Spent(minutes=1)) == Spent(0.5, 123, 1)
