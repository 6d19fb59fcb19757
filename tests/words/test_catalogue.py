"""Python and the catalogue agree: every code that is used is there with exactly these parameters, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import orjson

from pilothouse import errors
from pilothouse.words import FOLDER, SOURCE, flat

NOT_YET = ("engine/", "workflows/")
SOURCES = Path(errors.__file__).parent
ENTRIES = flat(orjson.loads((FOLDER / f"{SOURCE}.json").read_bytes())["said"])
ERRORS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.PilothouseError | errors.ClientError)
} - {"BadAgentYaml"}


class Use(NamedTuple):
    where: str
    code: str
    """Ends with a dot where only the beginning is written down."""
    params: frozenset[str]


@cache
def _calls() -> list[tuple[str, ast.Call]]:
    found = []
    for file in sorted(SOURCES.rglob("*.py")):
        text = file.read_text()
        if "pilothouse.words" in text or "pilothouse.errors" in text or file.parent == FOLDER:
            calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
            found += [(f"{file.relative_to(SOURCES)}:{call.lineno}", call) for call in calls]
    return found


def _name(call: ast.Call) -> str:
    return (
        call.func.id
        if isinstance(call.func, ast.Name)
        else call.func.attr
        if isinstance(call.func, ast.Attribute)
        else ""
    )


def _codes(written: ast.expr) -> Iterator[str]:
    if isinstance(written, ast.IfExp):
        yield from _codes(written.body)
        yield from _codes(written.orelse)
    elif isinstance(written, ast.JoinedStr) and isinstance(written.values[0], ast.Constant):
        yield str(written.values[0].value)
    elif isinstance(written, ast.Constant):
        yield str(written.value)
    else:
        yield ""


def _uses() -> Iterator[Use]:
    for where, call in _calls():
        if isinstance(call.func, ast.Name) and call.func.id == "say":
            for code in _codes(call.args[0]):
                yield Use(where, code, frozenset(str(keyword.arg) for keyword in call.keywords))


def _params(entry: str | dict[str, str]) -> set[str]:
    forms = [entry] if isinstance(entry, str) else list(entry.values())
    named = {name for text in forms for name in re.findall(r"\{(\w+)\}", text)}
    return named if isinstance(entry, str) else named | {"count"}


def test_every_code_stands_in_the_catalogue_with_the_parameters_it_is_given() -> None:
    """PLT-11"""
    for use in _uses():
        meant = [code for code in ENTRIES if code == use.code or (use.code.endswith(".") and code.startswith(use.code))]
        assert meant, f"{use.where}: {use.code!r} is no code, nor the beginning of some"
        for code in meant:
            # Of a family, not every one has need of all.
            left_out = set() if code == use.code else use.params - _params(ENTRIES[code])
            assert _params(ENTRIES[code]) == use.params - left_out, f"{use.where}: {code}"


def test_no_entry_of_the_catalogue_is_left_over() -> None:
    """PLT-11"""
    used = {use.code for use in _uses()}
    families = tuple(code for code in used if code.endswith("."))
    assert [code for code in ENTRIES if code not in used and not code.startswith(families)] == []


def test_every_plural_has_a_text_for_the_numbers_no_other_form_is_for() -> None:
    """PLT-11"""
    assert all("other" in entry for entry in ENTRIES.values() if not isinstance(entry, str))


def test_no_error_is_raised_with_a_sentence_instead_of_a_code() -> None:
    """PLT-11"""
    for where, call in _calls():
        if _name(call) in ERRORS and call.args and not where.startswith(NOT_YET):
            message = call.args[2] if _name(call) == "Refused" else call.args[0]
            assert not isinstance(message, ast.Constant | ast.JoinedStr), where
