"""What agents use: a record for each spawn, sums over many, and how full an agent's memory is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from pilothouse.domain.agent.instructions import InstructionsFile

WARN_AT, COMPACT_AT = 80, 95
"""Percent of the agent's memory: the person is told, and the next turn begins a fresh agent session."""
SLOT_SECONDS = 900
"""Spawns are counted by quarters of an hour: every time zone's midnight is the end of one."""
SLOTS_A_DAY = 96

_EITHER = {"opusplan": ("opus", "sonnet")}
_VARIANT = re.compile(r"\[.*\]$")
_WORDS = re.compile(r"[^a-z0-9]+")
_EDITION = re.compile(r"\d{3,8}|latest|preview|exp|v\d")
"""What may stand behind a model's name without making it another; “mini” and “5” do."""
_PRESSURE = re.compile(
    r"prompt is too long"
    r"|(?:prompt|input|conversation|context)(?: length)?(?: is)? (?:too long|exceeds? |exceeded)"
    r"|exceeds? (?:the |your )?(?:model'?s |maximum )?context"
    r"|context[ _](?:length|window|limit|size)[ _](?:exceeded|reached|overflow)"
    r"|maximum context length|too many tokens in the (?:prompt|context)|context window is full",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Spawn:
    """One run of an agent program. It has its step's id, for a step starts at most one."""

    step_id: str
    task_id: str
    session_id: str
    project_id: str
    agent: str
    role: str
    started_at: datetime
    requested_model: str | None = None
    model: str = ""
    """The one that wrote most of the answer."""
    models: tuple[str, ...] = ()
    """Every one that answered, in order of appearance."""
    model_differs: bool = False
    cost_usd: float = 0.0
    input_tokens: int = 0
    """New input: neither read from the cache nor written to it."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    context_tokens: int = 0
    context_window: int = 0
    """0 where the agent does not tell."""
    agent_session: str | None = None
    ended_at: datetime | None = None
    outcome: str | None = None
    instructions: tuple[InstructionsFile, ...] = ()

    @property
    def fill(self) -> int:
        """Percent of the agent's memory in use."""
        return filled(self.context_tokens, self.context_window)

    @property
    def is_full(self) -> bool:
        """Whether the next turn begins a fresh conversation."""
        return self.fill >= COMPACT_AT


@dataclass(frozen=True, slots=True)
class Totals:
    spawns: int = 0
    cost_usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def cache_share(self) -> float | None:
        """Which part of what was read came from the cache; None where nothing was read."""
        read = self.input_tokens + self.cache_read_tokens + self.cache_write_tokens
        return self.cache_read_tokens / read if read else None

    def __add__(self, other: Totals) -> Totals:
        return Totals(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def slot_of(moment: datetime) -> int:
    return int(moment.timestamp()) // SLOT_SECONDS


@dataclass(frozen=True, slots=True)
class Period:
    """Slots from `first` to before `end`, all with the same distance from UTC."""

    first: int
    end: int
    offset: int
    """In slots: a slot's day has the number `(slot + offset) // SLOTS_A_DAY`."""


def periods(zone: tzinfo, first: int, end: int) -> list[Period]:
    """Splits the slots between two where the zone's clocks are changed."""
    found: list[Period] = []
    at = first
    while at < end:
        offset, to = _offset(zone, at), min(at + SLOTS_A_DAY, end)
        while to > at + 1 and _offset(zone, to - 1) != offset:
            to -= 1
        if found and found[-1].offset == offset:
            found[-1] = Period(found[-1].first, to, offset)
        else:
            found.append(Period(at, to, offset))
        at = to
    return found


def day_of(number: int) -> date:
    """Days are numbered from the beginning of 1970."""
    return date(1970, 1, 1) + timedelta(days=number)


def _offset(zone: tzinfo, slot: int) -> int:
    away = datetime.fromtimestamp(slot * SLOT_SECONDS, zone).utcoffset()
    return int(away.total_seconds()) // SLOT_SECONDS if away else 0


def filled(tokens: int, window: int) -> int:
    return tokens * 100 // window if window > 0 else 0


def level(tokens: int, window: int) -> int:
    """The highest mark that was passed, or 0."""
    fill = filled(tokens, window)
    return COMPACT_AT if fill >= COMPACT_AT else WARN_AT if fill >= WARN_AT else 0


def signals_pressure(message: str) -> bool:
    """Whether a failed agent says that its memory is full."""
    return bool(_PRESSURE.search(message))


def is_model(requested: str | None, effective: str) -> bool:
    """Whether `effective` is what was asked for: by a family's name (“opus”), or by its own, with or without a date."""
    if not requested or not effective or requested.lower() == "default":
        return True
    wanted = _VARIANT.sub("", requested.lower()).rpartition("/")[2]
    found = _words(effective.lower().rpartition("/")[2])
    return any(_names(found, _words(name)) for name in _EITHER.get(wanted, (wanted,)))


def _words(name: str) -> list[str]:
    return [word for word in _WORDS.split(name) if word]


def _names(found: list[str], wanted: list[str]) -> bool:
    if len(wanted) > 1 and wanted[-1] in ("latest", "0"):
        wanted = wanted[:-1]
    for at in range(len(found) - len(wanted) + 1):
        behind = found[at + len(wanted) :]
        if found[at : at + len(wanted)] == wanted:
            return len(wanted) == 1 or not behind or bool(_EDITION.fullmatch(behind[0]))
    return False
