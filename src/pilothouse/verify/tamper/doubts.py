"""Turns what changed in the tests into doubts, unless it only moved somewhere else."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.verify.tamper.assertions.anatomy import dissect
from pilothouse.verify.tamper.assertions.calls import looks_like_assertion
from pilothouse.verify.tamper.comparison import RECORDED, Loss, compare
from pilothouse.verify.tamper.model import Anatomy, Assertion, Mark, Marker, Strength, Unit
from pilothouse.verify.tamper.outlines.rust import PANIC
from pilothouse.words import say

_KINDS = {Mark.SKIP: DoubtKind.TEST_SKIPPED, Mark.XFAIL: DoubtKind.TEST_XFAILED}
# How many gained assertions a lost one is compared with at most.
_MOST = 200
_WORD = re.compile(rb"\w+")


@dataclass
class Gain:
    """A new assertion, and how many lost ones it may replace."""

    assertion: Assertion
    anatomy: Anatomy
    left: int


@dataclass
class Verdicts:
    removed: frozenset[str]
    """Names whose definitions the change deleted."""
    restated: frozenset[bytes]
    """Names of changed functions and constants that tests use."""
    found: list[Doubt] = field(default_factory=list)
    losses: list[tuple[Unit, Unit, Loss]] = field(default_factory=list)
    missing: list[tuple[Unit, Anatomy]] = field(default_factory=list)
    gains: list[Gain] = field(default_factory=list)
    new_rows: int = 0
    lost_rows: list[tuple[Unit, int, int]] = field(default_factory=list)
    _index: dict[str, list[Gain]] = field(default_factory=dict)

    def compare(self, old: Unit, new: Unit) -> None:
        if old.written == new.written and _marked(old) == _marked(new) and not self._uses_restated(new):
            return
        before, after = dissect(old), dissect(new)
        self._marks(new, before, after)
        if after.empty and not before.empty:
            if not any(marker.mark is Mark.SKIP for marker in after.markers):
                self._tell(DoubtKind.TEST_EMPTIED, new, new.line, say("doubt.test.empty"))
            return
        losses, gained = compare(before, after)
        self.losses += [(old, new, loss) for loss in losses]
        self._gain(after, gained)
        if after.rows < before.rows and (after.rows or not gained):
            self.lost_rows.append((new, before.rows, after.rows))

    def _uses_restated(self, unit: Unit) -> bool:
        return not self.restated.isdisjoint(_WORD.findall(unit.written)) if self.restated else False

    def welcome(self, unit: Unit) -> None:
        anatomy = dissect(unit)
        if any(not marker.condition and marker.mark is not Mark.ONLY for marker in anatomy.markers):
            return
        self.new_rows += max(1, anatomy.rows)
        self._gain(anatomy, [one for one in anatomy.assertions if one.alive])

    def miss(self, unit: Unit) -> None:
        anatomy = dissect(unit)
        if not anatomy.empty:
            self.missing.append((unit, anatomy))

    def _gain(self, anatomy: Anatomy, gained: list[Assertion]) -> None:
        self.gains += [Gain(one, anatomy, max(1, anatomy.rows, len(one.literals))) for one in gained]

    def only(self, old: list[Unit], new: list[Unit]) -> None:
        """Finds a test that alone is run, which skips all others of its file."""
        before = {unit.source.path for unit in old if any(marker.mark is Mark.ONLY for marker in unit.markers)}
        for unit in new:
            marker = next((one for one in unit.markers if one.mark is Mark.ONLY), None)
            if marker is None:
                continue
            others = any(one.source is unit.source and not _alone(one) for one in new)
            if others and unit.source.path not in before:
                self._tell(DoubtKind.TEST_SKIPPED, unit, marker.line, say("doubt.test.only"))

    def _marks(self, new: Unit, before: Anatomy, after: Anatomy) -> None:
        for marker in after.markers:
            if marker.mark is Mark.ONLY or not self._is_new(marker, before, after):
                continue
            when = marker.condition if marker.condition != PANIC else ""
            what = say("doubt.mark.test") if marker.owner == new.name else say("doubt.mark.all", owner=marker.owner)
            if marker.condition.startswith("row "):
                what, when = say("doubt.mark.row"), ""
            how = say(f"doubt.marked.{marker.mark}", what=what)
            message = say("doubt.mark.when", what=how, condition=when) if when else say("doubt.mark.always", what=how)
            self._tell(_KINDS[marker.mark], new, marker.line, message, marker.owner)

    def _is_new(self, marker: Marker, before: Anatomy, after: Anatomy) -> bool:
        same = [one for one in before.markers if one.mark is marker.mark]
        if any(not one.condition or one.condition == marker.condition for one in same):
            return False
        if marker.condition == PANIC:
            # What panics must be one of the assertions: else the panic is what the test asks for.
            return any(one.alive and one.key != PANIC for one in after.assertions)
        return True

    def doubts(self) -> list[Doubt]:
        for unit, anatomy in self.missing:
            self._judge_missing(unit, anatomy)
        for _, new, loss in self.losses:
            self._judge_loss(new, loss)
        for unit, before, after in self.lost_rows:
            if before - after > self.new_rows:
                self._tell(
                    DoubtKind.ASSERTION_WEAKENED,
                    unit,
                    unit.line,
                    say("doubt.test.rows", count=after, before=before),
                )
        unique = {(one.kind, one.path, one.line): one for one in reversed(self.found)}
        return list(unique.values())

    def _judge_missing(self, unit: Unit, anatomy: Anatomy) -> None:
        if anatomy.names & self.removed or any(not one.condition for one in anatomy.markers if one.mark is Mark.SKIP):
            return
        asked = [one for one in anatomy.assertions if one.alive and (not one.via or looks_like_assertion(one.via))]
        if asked and all(self._taken_over(one, anatomy) for one in asked):
            return
        self._tell(DoubtKind.TEST_DELETED, unit, unit.line, say("doubt.test.gone"))

    def _judge_loss(self, new: Unit, loss: Loss) -> None:
        if loss.why == RECORDED:
            self._tell(DoubtKind.SNAPSHOT_REWRITTEN, new, _line(loss, new), say("doubt.snapshot.in_test"))
        elif loss.was.names & self.removed or not self._own(new, loss.was):
            return
        elif loss.now is None:
            if not self._taken_over(loss.was, None):
                message = say("doubt.assertion.gone", line=str(loss.was.line))
                self._tell(DoubtKind.ASSERTION_REMOVED, new, new.line, message)
        elif loss.now.alive or not self._taken_over(loss.was, None):
            self._tell(DoubtKind.ASSERTION_WEAKENED, new, _line(loss, new), say("doubt.assertion.weaker", why=loss.why))

    def _own(self, new: Unit, was: Assertion) -> bool:
        """An assertion made for many tests is missed where its function was there to make it, and is still used."""
        if not was.via:
            return True
        if was.via.encode() in (new.source.root.text or b""):
            return was.via in new.source.functions or new.source.lent(was.via) is not None
        return looks_like_assertion(was.via)

    def _taken_over(self, was: Assertion, anatomy: Anatomy | None) -> bool:
        """Whether another test asserts it now."""
        for gain in self._candidates(was, anatomy):
            if gain.left <= 0 or gain.assertion.strength < min(was.strength, Strength.EXACT):
                continue
            if gain.assertion.key == was.key or _says(gain, was, anatomy):
                gain.left -= 1
                return True
        return False

    def _candidates(self, was: Assertion, anatomy: Anatomy | None) -> list[Gain]:
        """Those that share its rarest word, so that a large change is not compared each with each."""
        if not self._index and self.gains:
            for gain in self.gains:
                for word in gain.assertion.literals | gain.anatomy.literals | gain.assertion.names | gain.anatomy.names:
                    self._index.setdefault(word, []).append(gain)
        words = was.literals or (anatomy.literals if anatomy is not None else None) or was.names
        found = [self._index[word] for word in words if word in self._index]
        return min(found, key=len)[:_MOST] if found else []

    def _tell(self, kind: DoubtKind, unit: Unit, line: int, message: str, name: str = "") -> None:
        self.found.append(Doubt(kind, unit.source.path, line, name or unit.name, message))


def _says(gain: Gain, was: Assertion, anatomy: Anatomy | None) -> bool:
    """The same values about the same things, perhaps as rows of a table."""
    named = gain.assertion.literals | gain.anatomy.literals
    shared = was.names & (gain.assertion.names | gain.anatomy.names)
    if was.literals:
        return was.literals <= named and len(shared) * 2 >= len(was.names)
    if anatomy is not None and anatomy.literals:
        return anatomy.literals <= named and len(shared) * 2 >= len(was.names)
    return len(shared) * 4 >= len(was.names) * 3


def _marked(unit: Unit) -> list[tuple[Mark, str]]:
    return [(marker.mark, marker.condition) for marker in unit.markers]


def _alone(unit: Unit) -> bool:
    return any(marker.mark is Mark.ONLY for marker in unit.markers)


def _line(loss: Loss, unit: Unit) -> int:
    return loss.now.line if loss.now is not None else unit.line
