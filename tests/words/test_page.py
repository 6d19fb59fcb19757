"""The front end and its part of the catalogue agree: what a text needs is given, and no text is left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

from pilothouse.words import FOLDER, SOURCE, flat

SOURCES = Path(__file__).parents[2] / "web" / "src"
CATALOGUE = orjson.loads((FOLDER / f"{SOURCE}.json").read_bytes())
TEXTS = flat(CATALOGUE["page"] | CATALOGUE["shared"])
# `t.task.files`; a name in brackets stands for any.
_TEXT = re.compile(r"(?<![\w.])t(?P<path>(?:\.\w+|\[(?:[^\[\]]|\[[^\]]*\])+\])+)")
_SAID = re.compile(r"\bsay\(")
_OPENS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


class Use(NamedTuple):
    where: str
    path: str
    """Up to the first name that is only known when it runs."""
    params: frozenset[str]


def _uses() -> Iterator[Use]:
    for file in sorted(SOURCES.rglob("*.ts*")):
        if ".test." in file.name or file.name == "t.ts":
            continue
        text = file.read_text()
        given = dict(_given(text))
        for found in _TEXT.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            path = found["path"].partition("[")[0].removeprefix(".")
            names = next((names for place, names in given.items() if found.start() in place), frozenset[str]())
            yield Use(f"{file.relative_to(SOURCES)}:{line}", path, names)


def _given(text: str) -> Iterator[tuple[range, frozenset[str]]]:
    """Where `say` is told which text, and the names that it is given for it."""
    for said in _SAID.finditer(text):
        first = next(_parts(text, said.end()))
        params = _parts(text, text.index("{", first.stop) + 1)
        names = (re.match(r"\s*(\w+)", text[part.start : part.stop]) for part in params)
        yield first, frozenset(name[1] for name in names if name)


def _parts(text: str, at: int) -> Iterator[range]:
    """What stands between commas, up to the bracket that closes all."""
    depth, begin = 0, at
    while depth >= 0:
        depth += _OPENS.get(text[at], 0)
        if depth < 0 or (depth == 0 and text[at] == ","):
            yield range(begin, at)
            begin = at + 1
        at += 1


def _needs(text: str | dict[str, str]) -> set[str]:
    forms = [text] if isinstance(text, str) else list(text.values())
    named = {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}
    return named if isinstance(text, str) else named | {"count"}


def _meant(path: str) -> list[str]:
    return [code for code in TEXTS if code == path or code.startswith(f"{path}.")]


def test_every_text_is_given_what_it_needs() -> None:
    """PLT-11"""
    uses = list(_uses())
    assert len(uses) > 500
    for use in uses:
        for code in _meant(use.path) if use.params or use.path in TEXTS else []:
            assert _needs(TEXTS[code]) <= use.params, f"{use.where}: {code}"


def test_a_list_is_put_together_as_the_language_does_it() -> None:
    """BYD-11"""
    files = {str(file.relative_to(SOURCES)) for file in SOURCES.rglob("*.ts*") if 'join(", ")' in file.read_text()}
    # What a person types into one line, and an answer for an agent.
    assert files == {"features/settings/one-line.ts", "features/conversation/awaiting/form-answers.ts"}


def test_no_text_is_left_over() -> None:
    """PLT-11"""
    used = {code for use in _uses() for code in _meant(use.path)}
    assert sorted(TEXTS.keys() - used) == []
