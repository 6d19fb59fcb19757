from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from pilothouse.domain.agent.usage import Totals, filled, is_model, level, signals_pressure, slot_of


@pytest.mark.parametrize(
    ("requested", "effective"),
    [
        (None, "anything"),
        ("default", "claude-opus-4-5-20251101"),
        ("opus", "claude-opus-4-5-20251101"),
        ("sonnet[1m]", "claude-sonnet-4-5-20250929"),
        ("opusplan", "claude-sonnet-4-5-20250929"),
        ("claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("claude-sonnet-4-5", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022"),
        ("opus", ""),
    ],
)
def test_the_model_asked_for_is_known_by_its_short_and_its_long_name(requested: str | None, effective: str) -> None:
    """GRD-8"""
    assert is_model(requested, effective)


@pytest.mark.parametrize(
    ("requested", "effective"),
    [
        ("opus", "claude-sonnet-4-5-20250929"),
        ("claude-opus-4", "claude-opus-4-5-20251101"),
        ("gpt-5", "gpt-5-mini"),
        ("gemini-2.5-pro", "gemini-2.5-flash"),
    ],
)
def test_another_model_is_told_apart(requested: str, effective: str) -> None:
    """GRD-8"""
    assert not is_model(requested, effective)


@pytest.mark.parametrize(
    ("tokens", "window", "mark"),
    [(0, 0, 0), (5, 0, 0), (159_999, 200_000, 0), (160_000, 200_000, 80), (189_999, 200_000, 80),
     (190_000, 200_000, 95), (250_000, 200_000, 95)],
)  # fmt: skip
def test_the_marks_are_at_80_and_95_percent(tokens: int, window: int, mark: int) -> None:
    """FTR-19"""
    assert level(tokens, window) == mark
    assert filled(tokens, window) >= mark


@pytest.mark.parametrize(
    "message",
    [
        "Prompt is too long",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        '{"code": "context_length_exceeded"}',
        "This model's maximum context length is 8192 tokens",
        "Input is too long for requested model.",
        "Your input exceeds the context window of this model.",
        "Context limit reached",
        "Conversation too long",
    ],
)
def test_the_agents_own_word_of_a_full_memory_is_heard(message: str) -> None:
    """FTR-19"""
    assert signals_pressure(message)


@pytest.mark.parametrize(
    "message",
    ["", "The command took too long.", "Rate limit exceeded", "The input file is missing", "line too long (120 > 100)",
     "Request timed out", "You've hit your limit"],
)  # fmt: skip
def test_other_failures_are_not_taken_for_a_full_memory(message: str) -> None:
    """FTR-19"""
    assert not signals_pressure(message)


def test_the_cache_share_is_of_what_was_read() -> None:
    """GRD-8"""
    assert Totals().cache_share is None
    assert Totals(input_tokens=10, output_tokens=1000, cache_read_tokens=60, cache_write_tokens=30).cache_share == 0.6
    assert (Totals(1, 0.5, 1, 2, 3, 4) + Totals(1, 0.25, 1, 1, 1, 1)) == Totals(2, 0.75, 2, 3, 4, 5)
    assert Totals(1, 0.5, 1, 2, 3, 4).tokens == 10


def test_a_midnight_in_any_zone_is_the_end_of_a_slot() -> None:
    """GRD-8"""
    for zone in ("Asia/Kathmandu", "Asia/Kolkata", "Europe/Vienna", "Australia/Eucla"):
        midnight = datetime(2026, 3, 1, tzinfo=ZoneInfo(zone))
        assert slot_of(midnight) * 900 == midnight.timestamp()
    assert slot_of(datetime(2026, 1, 1, 0, 14, 59, tzinfo=UTC)) == slot_of(datetime(2026, 1, 1, tzinfo=UTC))
