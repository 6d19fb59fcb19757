"""Looks at a whole change and finds what it took away from the tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from pilothouse.domain.task.doubts import Doubt
from pilothouse.verify.tamper import snapshots
from pilothouse.verify.tamper.configuration import changes, reader_of
from pilothouse.verify.tamper.definitions import removed
from pilothouse.verify.tamper.doubts import Verdicts
from pilothouse.verify.tamper.grammar import Language, language_of
from pilothouse.verify.tamper.model import Source, Unit
from pilothouse.verify.tamper.outlines import read
from pilothouse.verify.tamper.pairs import match, same_words
from pilothouse.verify.tamper.paths import is_code, is_named_as_test, is_snapshot, is_test, is_test_data

Files = Mapping[str, bytes | None]
# Nobody writes a test larger than this.
_LARGEST = 8_000_000


def concerns(path: str) -> bool:
    """Whether the content of the file matters here."""
    told = is_snapshot(path) or is_test(path) or is_test_data(path) or is_code(path)
    return bool(path) and (told or reader_of(path) is not None)


def inspect(before: Files, after: Files, renames: Mapping[str, str] | None = None) -> list[Doubt]:
    """What a change did to the tests and to what they are run with.

    `before` and `after` have every changed file by path, None where there is none; `renames` has the old path of a new
    one. A test may go without a word when the same change removed what it tested. Doubts are ordered by path and
    line.
    """
    moves = dict(renames or {})
    found: list[Doubt] = []
    tests = _Tests(before, after, moves)
    found += tests.doubts()
    for path, old_path in _pairs(before, after, moves):
        old, new = before.get(old_path), after.get(path)
        if old == new:
            continue
        if is_snapshot(old_path):
            if old is not None:
                found += snapshots.compare(old_path, old, path, new, tests.present)
        else:
            found += changes(path, old_path, old, new)
    return sorted(set(found), key=lambda one: (one.path, one.line or 0, one.kind, one.name))


@dataclass(frozen=True, slots=True)
class Added:
    """The tests a change brought."""

    tests: tuple[tuple[str, str, int], ...] = ()
    """Path, name and line of each."""
    alone: bool = True
    """Whether all other tests of the changed files are unchanged."""


def added(before: Files, after: Files, renames: Mapping[str, str] | None = None) -> Added:
    tests = _Tests(before, after, dict(renames or {}))
    alone = not tests.gone and all(same_words(old, new) for old, new in tests.pairs)
    return Added(tuple((unit.source.path, unit.name, unit.line) for unit in tests.come), alone)


def _pairs(before: Files, after: Files, moves: Mapping[str, str]) -> list[tuple[str, str]]:
    """New and old path of every changed file."""
    old_paths = set(moves.values())
    paths = {path for path in (*before, *after) if path not in old_paths or after.get(path) is not None}
    return sorted((path, moves.get(path, path)) for path in paths)


@dataclass
class _Side:
    sources: list[Source] = field(default_factory=list)

    @property
    def units(self) -> list[Unit]:
        return [unit for source in self.sources for unit in source.units]

    def lend(self) -> None:
        """Lets the tests of one file call the functions of another."""
        lent: dict[str, tuple[Source, Node]] = {}
        for source in self.sources:
            for name, function in source.functions.items():
                lent.setdefault(name, (source, function))
        for source in self.sources:
            source.lent = lent.get


class _Tests:
    def __init__(self, before: Files, after: Files, moves: Mapping[str, str]) -> None:
        self.moves = moves
        self.old, self.new = _Side(), _Side()
        for path, old_path in _pairs(before, after, moves):
            old, new = before.get(old_path), after.get(path)
            if old == new and path == old_path:
                continue
            collected = is_named_as_test(path) or path == old_path
            self._read(self.old, old_path, old, True)
            self._read(self.new, path, new, collected)
        self.old.lend()
        self.new.lend()
        self.removed = removed(_code(before), _code(after)) if self.old.sources else frozenset()
        self.pairs, self.gone, self.come = match(self.old.units, self.new.units, dict(moves))
        gone = {id(unit) for unit in self.gone}
        self.present = {unit.name: id(unit) not in gone for unit in self.old.units}
        self.present |= {old.name: False for old, new in self.pairs if old.name != new.name}

    def _read(self, side: _Side, path: str, content: bytes | None, collected: bool) -> None:
        language = language_of(path)
        if content is None or language is None or len(content) > _LARGEST:
            return
        if not is_test(path) and not (language is Language.RUST and b"test" in content):
            return
        source = read(path, language, content)
        if not collected:
            source.units.clear()
        side.sources.append(source)

    def doubts(self) -> list[Doubt]:
        verdicts = Verdicts(self.removed, _restated(self.old.sources, self.new.sources))
        for old, new in self.pairs:
            verdicts.compare(old, new)
        for unit in self.come:
            verdicts.welcome(unit)
        for unit in self.gone:
            verdicts.miss(unit)
        verdicts.only(self.old.units, self.new.units)
        return verdicts.doubts()


def _code(files: Files) -> Iterable[tuple[Language, bytes]]:
    for path, content in files.items():
        language = language_of(path)
        outside = not is_test(path) or language is Language.RUST
        if language is not None and content is not None and outside and len(content) <= _LARGEST:
            yield language, content


def _restated(old: list[Source], new: list[Source]) -> frozenset[bytes]:
    """Functions and constants that tests may use, and that read differently now."""
    was, now = _written(old), _written(new)
    return frozenset(name for name, content in was.items() if now.get(name) != content)


def _written(sources: list[Source]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for source in sources:
        for name, node in (*source.functions.items(), *source.constants.items()):
            if name:
                found[name.encode()] = node.text or b""
    return found
