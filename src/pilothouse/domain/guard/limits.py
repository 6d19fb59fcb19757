"""Limits of how much is run: spawns in an hour, and the provider's own. Says why a task is held.

What the guards remember of a session is here too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from math import ceil
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pilothouse.domain.agent.crew import REHEARSAL
from pilothouse.domain.guard.breaker import Breaker
from pilothouse.domain.guard.budgets import Budget, Scope, Spent
from pilothouse.domain.guard.exit_signals import ExitSignals
from pilothouse.domain.ports import Ended, LimitReached, Usage

FREE_AGENTS = (REHEARSAL,)
"""Those that cost nothing: the hourly limit does not count them."""
RETRY_AFTER = timedelta(minutes=60)
"""How long a provider's limit is waited for that does not say when it ends."""
LONGEST_WAIT = timedelta(days=8)
"""A provider that names a time further away is not believed."""
_SKEW = timedelta(minutes=2)
"""Clocks differ: a time that has just passed here may still be to come at the provider."""
_SOON = timedelta(seconds=10)


def hour_of(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0)


def next_hour(now: datetime) -> datetime:
    return hour_of(now) + timedelta(hours=1)


_LIMIT = re.compile(
    r"\busage limit\b|\brate limit (?:exceeded|reached)\b|\brate_limit_error\b|\brate[- ]limited\b"
    r"|\blimit reached\b|\b(?:hit|reached|exceeded) (?:your|the) (?:\w{1,20} ){0,3}limit\b"
    r"|\bquota (?:exceeded|exhausted|reached)\b|\bout of (?:extra )?(?:usage|credits)\b|\btoo many requests\b",
    re.IGNORECASE,
)
_OTHER_LIMIT = re.compile(
    r"\btime(?:d)?[- ]?(?:out|limit)\b|\b(?:context|token|length|size|memory|turn|depth|recursion|file) limit\b"
    r"|\b(?:prompt|input) is too long\b|\btime limit\b",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"\|\s?(\d{10})(?:\d{3})?\b")
_IN = re.compile(
    r"\b(?:in|after|for)\s{1,3}(?:about |another |~)?(\d{1,5}(?:\.\d{1,9})?)\s{0,2}"
    r"(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)\b"
    r"(?:\s{0,3}(?:and )?(\d{1,3})\s{0,2}(minutes?|mins?|m)\b)?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)")
_CLOCK = re.compile(
    r"\b(?:resets?|at|until|after)\s{1,3}(?:at\s)?(\d{1,2})(?::(\d\d))?\s{0,2}([ap]\.?m\b\.?)?"
    r"(?:\s{0,2}\(?([A-Z][\w+-]{1,30}(?:/[\w+-]{1,40}){0,2})\)?)?",
    re.IGNORECASE,
)
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def provider_limit(ended: Ended, now: datetime, local: tzinfo = UTC) -> LimitReached | None:
    """The provider's usage limit that a failed run ended at: as the agent reports it, or as its words say it."""
    if ended.limit:
        resets = ended.limit.resets_at or named_time(ended.limit.message[:_WORDS], now, local)
        return replace(ended.limit, resets_at=_believed(resets, now))
    if ended.outcome != "failed" or ended.error_kind not in (None, "agent"):
        return None
    said = ended.message or ended.text
    if len(said) > _WORDS or not _LIMIT.search(said) or _OTHER_LIMIT.search(said):
        return None
    return LimitReached(said, _believed(named_time(said, now, local), now))


_WORDS = 2_000
"""Characters beyond which a message is an account of something, not a provider's refusal."""


def retry_at(limit: LimitReached, now: datetime) -> datetime:
    """To the second where the provider named a time."""
    return limit.resets_at or now + RETRY_AFTER


def _believed(at: datetime | None, now: datetime) -> datetime | None:
    if at is None or not now - _SKEW < at <= now + LONGEST_WAIT:
        return None
    return at if at > now else now + _SOON


def named_time(text: str, now: datetime, local: tzinfo = UTC) -> datetime | None:
    """When the limit ends, as a text names it. A time of day is the next such one in `local`."""
    try:
        return _named_time(text, now, local)
    except (ValueError, OverflowError, OSError):
        return None


def _named_time(text: str, now: datetime, local: tzinfo) -> datetime | None:
    if epoch := _EPOCH.search(text):
        return datetime.fromtimestamp(int(epoch[1]), UTC)
    if iso := _ISO.search(text):
        moment = datetime.fromisoformat(iso[1])
        return moment if moment.tzinfo else moment.replace(tzinfo=local)
    if span := _IN.search(text):
        seconds = float(span[1]) * _UNITS[span[2][0].lower()] + int(span[3] or 0) * 60
        return now + timedelta(seconds=ceil(seconds))
    clock = _CLOCK.search(text)
    if clock is None or not (clock[2] or clock[3]):
        return None
    hour, minute = int(clock[1]), int(clock[2] or 0)
    if clock[3]:
        hour = hour % 12 + (12 if clock[3].lower().startswith("p") else 0)
    there = now.astimezone(_zone(clock[4], local))
    at = there.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (at if at > there else at + timedelta(days=1)).astimezone(UTC)


def _zone(name: str | None, local: tzinfo) -> tzinfo:
    try:
        return ZoneInfo(name) if name else local
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return local


def used(usage: Usage) -> Spent:
    """Tokens read from the provider's cache cost next to nothing and are not counted."""
    return Spent(usage.cost_usd, usage.input_tokens + usage.output_tokens + usage.cache_write_tokens)


HoldKind = Literal["hourly", "provider", "money", "tokens", "time", "breaker"]


@dataclass(frozen=True, slots=True)
class Hold:
    """Why a guard holds a task, and until when if that is known."""

    task_id: str
    session_id: str
    kind: HoldKind
    message: str
    at: datetime
    until: datetime | None = None
    waiting: bool = False
    """Whether it goes on by itself at `until`."""
    scope: Scope = "task"
    spent: float | None = None
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class SessionGuards:
    """What the guards remember of a session."""

    session_id: str
    breaker: Breaker = field(default_factory=Breaker)
    signals: ExitSignals = field(default_factory=ExitSignals)
    unlimited: bool = False
    """Whether the person lifted the hourly limit for this session."""
    budget: Budget = field(default_factory=Budget)
