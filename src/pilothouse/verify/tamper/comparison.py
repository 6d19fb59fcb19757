"""Finds what a test no longer asserts, or asserts less strictly."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from pilothouse.verify.tamper.model import Anatomy, Assertion, Shape, Strength
from pilothouse.verify.tamper.pairs import Paired, paired
from pilothouse.words import say

# Two assertions are about the same when they share this part of their names.
_RELATED = 0.25
# A comparison of floats may become approximate by this much and stay as strict as it was meant.
_EXACT_ENOUGH = 1e-4
RECORDED = "recorded"
"""Why an assertion is lost whose recorded result was replaced."""


@dataclass(frozen=True, slots=True)
class Loss:
    """An assertion that is not made any more, or not as strictly."""

    was: Assertion
    now: Assertion | None
    why: str


def compare(before: Anatomy, after: Anatomy) -> tuple[list[Loss], list[Assertion]]:
    """Lost assertions, and new ones."""
    losses: list[Loss] = []
    old, new = _without_equals([one for one in before.assertions if one.alive], list(after.assertions), losses)
    living = [one for one in new if one.alive]
    pairs, old, rest = _related(old, living)
    if any(now.strength > was.strength for was, now in pairs):
        # One that says exactly what is there may replace several that said what is not.
        old = [one for one in old if one.strength > Strength.TRUTH]
    for was, now in pairs:
        why = weaker(was, now) or _conditional(was, now)
        if why and not _covered(was, [one for one in living if one is not now]):
            losses.append(Loss(was, now, why))
    dead = [one for one in new if not one.alive]
    for was in old:
        losses += _unpaired(was, rest, dead, living)
    return losses, living


def _without_equals(
    old: list[Assertion], new: list[Assertion], losses: list[Loss]
) -> tuple[list[Assertion], list[Assertion]]:
    """Leaves out what both versions say, and notes what both say but only one reaches."""
    waiting: dict[str, list[Assertion]] = defaultdict(list)
    for one in new:
        waiting[one.key].append(one)
    left = []
    for was in old:
        same = waiting[was.key]
        now = next((one for one in same if one.alive), same[0] if same else None)
        if now is None:
            left.append(was)
            continue
        same.remove(now)
        why = _same_words(was, now)
        if why:
            losses.append(Loss(was, now, why))
    kept = {id(one) for same in waiting.values() for one in same}
    return left, [one for one in new if id(one) in kept]


def _same_words(was: Assertion, now: Assertion) -> str:
    if not now.alive:
        return say("weaker.dead", why=now.why_dead or say("dead.unreached"))
    if was.recorded is not None and now.recorded is not None and was.recorded != now.recorded:
        return RECORDED
    return weaker(was, now) or _conditional(was, now)


def _conditional(was: Assertion, now: Assertion) -> str:
    """Rows of a table may differ in what is asked of them, so in a loop a condition says nothing."""
    if len(now.conditions) > len(was.conditions) and not now.looped and not was.looped:
        return say("weaker.condition", condition=now.conditions[-1])
    return ""


def _related(old: list[Assertion], new: list[Assertion]) -> Paired[Assertion]:
    """Pairs those about the same thing, most alike first; of equals those that stand near each other."""
    scored = [
        (-score, number, other)
        for number, was in enumerate(old[:200])
        for other, now in enumerate(new[:200])
        if (score := _likeness(was, now)) >= _RELATED
    ]
    return paired(sorted(scored, key=lambda one: (one[0], abs(one[1] - one[2]), one[1], one[2])), old, new)


def _likeness(was: Assertion, now: Assertion) -> float:
    shared, total = len(was.names & now.names), len(was.names | now.names)
    literal = len(was.literals & now.literals) / max(1, len(was.literals | now.literals))
    return (shared / total if total else 0.0) + 0.5 * literal + (0.1 if was.shape is now.shape else 0.0)


def _unpaired(was: Assertion, rest: list[Assertion], dead: list[Assertion], living: list[Assertion]) -> list[Loss]:
    if _covered(was, living):
        return []
    equal = next((one for one in rest if one.strength >= was.strength), None)
    if equal is not None:
        rest.remove(equal)
        return []
    if dead:
        now = dead.pop(0)
        return [Loss(was, now, say("weaker.by_dead", why=now.why_dead))]
    if rest:
        now = rest.pop(0)
        return [Loss(was, now, say("weaker.by_less", asks=_asks(now)))]
    return [Loss(was, None, "")]


def _covered(was: Assertion, others: list[Assertion]) -> bool:
    """Whether others assert every value it named: fields instead of the whole, or the whole instead of fields."""
    if not was.literals:
        return False
    least = Strength.PARTIAL if was.shape in (Shape.RAISES, Shape.COMPARE) else Strength.EXACT
    strong = [one for one in others if one.strength >= min(least, was.strength) or (one.strength == Strength.TRUTH)]
    strong = [one for one in strong if one.strength >= least or was.literals <= {"true", "false"}]
    named = frozenset[str]().union(*(one.literals for one in strong))
    about = frozenset[str]().union(*(one.names for one in strong))
    # The message may be checked on the caught error, which has another name.
    return was.literals <= named and (was.shape is Shape.RAISES or bool(was.names & about))


def weaker(was: Assertion, now: Assertion) -> str:
    """Why the new one accepts more. Empty when it does not."""
    if was.empty and now.shape is Shape.FALSE:
        return ""
    if now.strength < was.strength:
        if now.shape is Shape.RAISES and was.shape is Shape.RAISES:
            return say("weaker.errors")
        return say("weaker.asks_less", now=_asks(now), was=say(f"asked.{was.strength.name.lower()}"))
    if was.shape in (Shape.EQUAL, Shape.APPROX) and now.shape is Shape.APPROX:
        allowed = max(was.tolerance * 1.5, _EXACT_ENOUGH if was.shape is Shape.EQUAL else 0.0)
        if now.tolerance > allowed:
            return say("weaker.tolerance", by=f"{now.tolerance:g}")
    if was.kinds and was.kinds < now.kinds:
        return say("weaker.errors")
    return _looser(was, now)


def _asks(now: Assertion) -> str:
    return say(f"asks.{now.strength.name.lower()}")


def _looser(was: Assertion, now: Assertion) -> str:
    if was.bound is None or now.bound is None or was.bound[0][0] != now.bound[0][0]:
        return ""
    (operator, old), (_, new) = was.bound, now.bound
    if (operator[0] == ">" and new < old) or (operator[0] == "<" and new > old):
        return say("weaker.limit", old=f"{old:g}", new=f"{new:g}")
    return ""
