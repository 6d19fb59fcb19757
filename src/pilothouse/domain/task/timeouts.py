"""How long one spawn may be silent, and how long it may take at all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeoutProfile:
    name: str
    idle_seconds: float
    hard_seconds: float


DEFAULT = "standard"
PROFILES: dict[str, TimeoutProfile] = {
    profile.name: profile
    for profile in (
        TimeoutProfile(DEFAULT, 60, 600),
        TimeoutProfile("long", 120, 1800),
        TimeoutProfile("extended", 300, 3600),
    )
}
