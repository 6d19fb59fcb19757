"""What an agent's error says of its provider's limit."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from acp import RequestError

from pilothouse.agents.acp import failures
from pilothouse.agents.acp.presets import PRESETS

PRESET = PRESETS[0]


@pytest.mark.parametrize("name", ["retry_after", "retryAfter", "retry-after"])
def test_the_seconds_that_a_provider_asked_for_are_handed_on(name: str) -> None:
    """GRD-6"""
    before = datetime.now(UTC)
    ended = failures.ended(RequestError(429, "Too many requests", {name: 77}), PRESET)
    assert ended.limit is not None
    assert ended.limit.resets_at is not None
    assert 77 <= (ended.limit.resets_at - before).total_seconds() < 78


def test_a_limit_without_seconds_has_no_time() -> None:
    """GRD-6"""
    ended = failures.ended(RequestError(429, "Too many requests"), PRESET)
    assert ended.limit is not None
    assert ended.limit.resets_at is None
