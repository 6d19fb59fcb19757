"""How sure an agent sounds, from 0 to 100. It finishes nothing, and throws nothing away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pilothouse.domain.talk.detection import detect
from pilothouse.domain.talk.markers import MarkerName, parse

START = 50
HIGH, LOW = 80, 50
SHORT = 20
"""Characters under which an answer says next to nothing."""
LOOKED_AT = 50_000


class Level(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Confidence:
    score: int
    factors: tuple[tuple[str, int], ...]
    """What counted, with its weight."""

    @property
    def level(self) -> Level:
        if self.score >= HIGH:
            return Level.HIGH
        return Level.MEDIUM if self.score >= LOW else Level.LOW


_FENCED = re.compile(r"^\s{0,12}(`{3,}|~{3,})[^\n]*\n(?:(?!^\s{0,12}\1)[^\n]*\n?)*", re.MULTILINE)
_PATH = re.compile(
    r"(?<![\w/])(?:[\w.@-]{1,80}/){1,12}[\w.@-]{1,80}\b|\b[\w-]{1,80}\.(?:py|ts|tsx|js|jsx|go|rs|java|rb|c|cc|cpp|h|"
    r"css|html|md|json|ya?ml|toml|sql|sh|txt|vue|svelte|kt|swift|php|cs)\b"
)
_CHANGE = re.compile(
    r"\b(?:added|changed|created|deleted|edited|extended|extracted|fixed|implemented|inlined|introduced|merged|moved|"
    r"refactored|removed|renamed|replaced|rewrote|split|updated|wrote)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:might|perhaps|maybe|possibly|probably|not (?:entirely |quite |really )?sure|unsure|uncertain|"
    r"i (?:guess|suppose)|i think it|hard to say|could be that)\b",
    re.IGNORECASE,
)


def confidence(text: str, files_changed: int = 0) -> Confidence:
    """`files_changed` counts as a change that the agent described: it is in the tree."""
    text = text[-LOOKED_AT:]
    names = {marker.name for marker in parse(text)}
    prose = _FENCED.sub("\n", text)
    asks_in_words = MarkerName.DECISION_NEEDED not in names and detect(text).asks
    weighed = (
        ("markers", 20, bool(names)),
        ("paths", 15, bool(_PATH.search(prose))),
        ("changes", 15, files_changed > 0 or bool(_CHANGE.search(prose))),
        ("hedging", -20, bool(_HEDGE.search(prose))),
        ("question", -30, asks_in_words),
        ("short", -40, len(text.strip()) < SHORT),
    )
    factors = tuple((name, weight) for name, weight, holds in weighed if holds)
    return Confidence(max(0, min(100, START + sum(weight for _, weight in factors))), factors)
