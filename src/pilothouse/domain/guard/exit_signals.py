"""Signs that a session's work may be over, in its last five spawns.

Words like “done” finish nothing: signals may only have the person asked, or hurry on where every step is done and the
checks pass.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pilothouse.domain.guard.confidence import HIGH

WINDOW = 5
TEST_ONLY, COMPLETION, NO_PROGRESS = 3, 2, 3
_DONE = re.compile(r"\b(?:done|complete|completed|finished)\b", re.IGNORECASE)
_NOT_DONE = re.compile(
    r"\b(?:not|isn't|aren't|never|until|once|when|to be|half|almost|nearly)\s(?:\w{1,20}\s){0,2}$", re.I
)
_LOOKED_AT = 2_000


class Advice(StrEnum):
    GO_ON = "go_on"
    ASK = "ask"
    HURRY = "hurry"


@dataclass(frozen=True, slots=True)
class SpawnSigns:
    spawn: int
    test_only: bool = False
    completion: bool = False
    no_progress: bool = False


@dataclass(frozen=True, slots=True)
class ExitSignals:
    window: tuple[SpawnSigns, ...] = ()

    def after(self, signs: SpawnSigns) -> ExitSignals:
        return ExitSignals((*self.window, signs)[-WINDOW:])

    @property
    def test_only(self) -> list[int]:
        return [signs.spawn for signs in self.window if signs.test_only]

    @property
    def completion(self) -> list[int]:
        return [signs.spawn for signs in self.window if signs.completion]

    @property
    def no_progress(self) -> list[int]:
        return [signs.spawn for signs in self.window if signs.no_progress]

    @property
    def met(self) -> bool:
        counts = ((self.test_only, TEST_ONLY), (self.completion, COMPLETION), (self.no_progress, NO_PROGRESS))
        return any(len(found) >= needed for found, needed in counts)

    def advice(self, *, every_step_done: bool, checks_pass: bool, confidence: int) -> Advice:
        if not self.met:
            return Advice.GO_ON
        sure = every_step_done and checks_pass and confidence >= HIGH
        return Advice.HURRY if sure else Advice.ASK


def claims_completion(text: str) -> bool:
    """Whether the agent's last words say that it is done."""
    end = text[-_LOOKED_AT:]
    return any(not _NOT_DONE.search(end[max(0, said.start() - 60) : said.start()]) for said in _DONE.finditer(end))
