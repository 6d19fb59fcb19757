"""Matches the tests of two versions, also after a rename or a move."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import TypeVar

from pilothouse.verify.tamper.model import Unit
from pilothouse.verify.tamper.syntax import tokens

# The share of words that two bodies have in common.
ALIKE = 0.6
# Keeps a rewritten file of a thousand tests from costing a million comparisons.
_CANDIDATES = 8
# A word in more tests than this tells none apart, and would make a large file slow.
_COMMON = 64
T = TypeVar("T")
Paired = tuple[list[tuple[T, T]], list[T], list[T]]
"""The pairs, then what is left of the old and of the new."""


def match(before: list[Unit], after: list[Unit], moved: dict[str, str]) -> Paired[Unit]:
    """`moved` has the old path of every new one."""
    pairs: list[tuple[Unit, Unit]] = []
    rounds: tuple[Callable[[Unit, str], tuple[str, ...]], ...] = (
        lambda unit, path: (path, *_full(unit)),
        lambda unit, path: (path, unit.name),
        lambda unit, path: _words(unit),
        lambda unit, path: (unit.source.language, *_full(unit)),
    )
    for key in rounds:
        found, before, after = _by_key(
            [(key(unit, unit.source.path), unit) for unit in before],
            [(key(unit, moved.get(unit.source.path, unit.source.path)), unit) for unit in after],
        )
        pairs += found
    alike, before, after = _by_likeness(before, after)
    return pairs + alike, before, after


def same_words(old: Unit, new: Unit) -> bool:
    """Whether they are the same but for layout and comments."""
    return old.body is not None and new.body is not None and _words(old) == _words(new)


def _full(unit: Unit) -> tuple[str, ...]:
    return (*unit.owners, unit.name)


def _words(unit: Unit) -> tuple[str, ...]:
    """The body and its tables; two tests without either are not the same."""
    if unit.body is None:
        return (unit.source.path, unit.name, str(id(unit)))
    return (*unit.words, *(token for table in unit.tables for token in tokens(table)))


def _by_key(before: list[tuple[object, Unit]], after: list[tuple[object, Unit]]) -> Paired[Unit]:
    waiting: dict[object, list[Unit]] = defaultdict(list)
    for key, unit in after:
        waiting[key].append(unit)
    pairs, left = [], []
    for key, unit in before:
        if waiting[key]:
            pairs.append((unit, waiting[key].pop(0)))
        else:
            left.append(unit)
    taken = {id(new) for _, new in pairs}
    return pairs, left, [unit for _, unit in after if id(unit) not in taken]


def _by_likeness(before: list[Unit], after: list[Unit]) -> Paired[Unit]:
    old, new = _counted(before), _counted(after)
    index: dict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(new):
        for word in words:
            index[word].append(number)
    scored = [
        (-likeness, number, other)
        for number, words in enumerate(old)
        for other in _candidates(words, index, len(new))
        if (likeness := _likeness(words, new[other])) >= ALIKE
    ]
    return paired(sorted(scored), before, after)


def paired(best_first: Iterable[tuple[float, int, int]], old: list[T], new: list[T]) -> Paired[T]:
    """Takes each pair of numbers, unless one of the two is in a pair already."""
    pairs, gone, come = [], set(), set()
    for _, number, other in best_first:
        if number not in gone and other not in come:
            gone.add(number)
            come.add(other)
            pairs.append((old[number], new[other]))
    return (
        pairs,
        [one for number, one in enumerate(old) if number not in gone],
        [one for number, one in enumerate(new) if number not in come],
    )


def _counted(units: Iterable[Unit]) -> list[Counter[str]]:
    return [Counter(unit.words) for unit in units]


def _candidates(words: Counter[str], index: dict[str, list[int]], total: int) -> list[int]:
    """Those that share the rarest words."""
    votes: Counter[int] = Counter()
    for word in sorted(words, key=lambda word: len(index.get(word, ())))[:12]:
        numbers = index.get(word, ())
        if len(numbers) <= max(_CANDIDATES, min(total // 10, _COMMON)):
            votes.update(numbers)
    return [number for number, _ in votes.most_common(_CANDIDATES)] or list(range(min(total, _CANDIDATES)))


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    total = (one | other).total()
    return (one & other).total() / total if total else 0.0
