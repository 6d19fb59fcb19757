"""Notifications outside the page: which events they tell of, in which words, and when none are sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Any

from pilothouse.domain.event.log import Event
from pilothouse.words import Said, say, stacked

LINES = 8
TEXT = 300


class Kind(StrEnum):
    QUESTION = "question"
    PERMISSION = "permission"
    BLOCKER = "blocker"
    PROPOSAL = "proposal"
    INTERRUPTED = "interrupted"
    USAGE_LIMIT = "usage_limit"
    BUDGET = "budget"
    BREAKER = "breaker"
    STUCK = "stuck"
    ERROR = "error"
    FINISHED = "finished"


_AWAITING = {
    "question": Kind.QUESTION,
    "permission": Kind.PERMISSION,
    "blocker": Kind.BLOCKER,
    "dry_run": Kind.PROPOSAL,
    "interrupted": Kind.INTERRUPTED,
    "timeout": Kind.INTERRUPTED,
    "usage_limit": Kind.USAGE_LIMIT,
    "budget": Kind.BUDGET,
    "breaker": Kind.BREAKER,
}


@dataclass(frozen=True, slots=True)
class Channel:
    """An address that Apprise understands. `shown` is the same without its secrets."""

    id: str
    url: str
    shown: str


@dataclass(frozen=True, slots=True)
class NotificationSettings:
    kinds: tuple[Kind, ...] = tuple(Kind)
    browser: bool = True
    desktop: bool = False
    channels: tuple[Channel, ...] = ()
    quiet_from: time | None = None
    """Hours of the machine's own day; set both or neither."""
    quiet_until: time | None = None
    batch_seconds: int = 5
    """Events within this time are told together."""


@dataclass(frozen=True, slots=True)
class Notification:
    key: str
    """Names the thing it tells of, so that nothing is told twice."""
    kind: Kind
    title: str
    """The session's."""
    body: str
    at: datetime
    session_id: str | None = None
    task_id: str | None = None
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Occasion:
    """What makes an event worth a notification."""

    kind: Kind
    thing: str
    text: str
    doubts: int = 0
    """Serious ones that the verdict carries."""


def _awaiting(data: Any) -> Occasion | None:
    kind = _AWAITING.get(data.awaiting)
    return Occasion(kind, f"{data.awaiting}:{data.attempt}", data.sentence("reason")) if kind else None


WATCHED: dict[str, Callable[[Any], Occasion | None]] = {
    "task.awaiting": _awaiting,
    "task.stuck": lambda data: Occasion(Kind.STUCK, f"stuck:{data.attempt}", data.sentence("message")),
    "task.failed": lambda data: Occasion(Kind.ERROR, f"error:{data.attempt}", data.sentence("message")),
    "task.completed": lambda data: Occasion(
        Kind.FINISHED, f"finished:{data.attempt}", data.sentence("summary"), data.doubts
    ),
}
"""By type of event; a part that brings events of its own adds them here."""


def occasion_of(event: Event) -> Occasion | None:
    watched = WATCHED.get(event.type)
    return watched(event.data) if watched else None


@dataclass(frozen=True, slots=True)
class Message:
    """One notification for several things."""

    title: str
    body: str
    keys: tuple[str, ...] = field(default=())


def joined(due: Sequence[Notification]) -> Message:
    keys = tuple(one.key for one in due)
    if len(due) == 1:
        (one,) = due
        return Message(_line(one), _short(one.body), keys)
    more = [say("notify.more", count=len(due) - LINES)] if len(due) > LINES else []
    body = stacked(*map(_line, due[:LINES]), *more)
    return Message(say("notify.things", count=len(due)), body, keys)


def _line(one: Notification) -> str:
    return say("notify.line", what=_words(one.kind), title=one.title)


def _words(kind: Kind) -> str:
    match kind:
        case Kind.PROPOSAL:
            return say("awaiting.dry_run")
        case Kind.STUCK | Kind.ERROR:
            return say(f"status.{kind.upper()}")
        case Kind.FINISHED:
            return say("status.COMPLETE")
        case _:
            return say(f"awaiting.{kind}")


def _short(text: str) -> str:
    if isinstance(text, Said) and len(text) <= TEXT:
        return text
    text = text.strip()
    return text if len(text) <= TEXT else text[:TEXT].rstrip() + "…"


def quiet_seconds(settings: NotificationSettings, now: datetime) -> float:
    """How long the quiet hours last from `now`, a moment of the person's own day; 0 outside of them."""
    begins, ends = settings.quiet_from, settings.quiet_until
    if begins is None or ends is None or begins == ends:
        return 0.0
    at = now.time()
    quiet = begins <= at < ends if begins < ends else at >= begins or at < ends
    if not quiet:
        return 0.0
    over = datetime.combine(now.date(), ends, tzinfo=now.tzinfo)
    return ((over if over > now else over + timedelta(days=1)) - now).total_seconds()
