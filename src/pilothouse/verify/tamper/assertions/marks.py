"""Finds what keeps a test from running, or turns its failure into a success."""

from __future__ import annotations

from tree_sitter import Node

from pilothouse.verify.tamper.grammar import Language
from pilothouse.verify.tamper.model import Mark, Marker
from pilothouse.verify.tamper.syntax import (
    FALSES,
    FUNCTIONS,
    STRINGS,
    TRUES,
    arguments,
    call_name,
    line,
    positional,
    receiver,
    text,
    tokens,
)

# By what the call is made on, and its name.
_CALLS = {
    Language.PYTHON: {
        ("pytest", "skip"): Mark.SKIP,
        ("self", "skipTest"): Mark.SKIP,
        ("pytest", "xfail"): Mark.XFAIL,
        ("pytest", "importorskip"): Mark.SKIP,
    },
    Language.GO: {(on, name): Mark.SKIP for on in ("t", "tb", "b") for name in ("Skip", "Skipf", "SkipNow")},
    Language.JAVA: {
        (on, name): Mark.SKIP
        for on in ("", "Assumptions", "Assume")
        for name in ("assumeTrue", "assumeFalse", "assumeThat", "assumingThat", "abort")
    },
}
_SCRIPT = {
    ("this", "skip"): Mark.SKIP,
    ("t", "skip"): Mark.SKIP,
    ("t", "todo"): Mark.SKIP,
    ("ctx", "skip"): Mark.SKIP,
    ("", "pending"): Mark.SKIP,
} | {
    (on, name): mark
    for on in ("test", "it")
    for name, mark in (("skip", Mark.SKIP), ("fixme", Mark.SKIP), ("fail", Mark.XFAIL))
}


def condition_of(nodes: list[Node]) -> str:
    """The condition among the arguments of a skip, not its reason and not what it skips."""
    for node in nodes:
        written = text(node)
        if node.type in STRINGS or node.type in FUNCTIONS or written in TRUES:
            continue
        return "" if written in FALSES else " ".join(tokens(node))
    return ""


def marker_of_call(node: Node, language: Language, owner: str, conditions: tuple[str, ...]) -> Marker | None:
    """`t.Skip()`, `pytest.xfail()`, `test.skip()` in the body of a test."""
    table = _SCRIPT if language.is_script else _CALLS.get(language, {})
    mark = table.get((text(receiver(node)), call_name(node)))
    if mark is None:
        return None
    given = positional(arguments(node))
    if any(one.type in FUNCTIONS for one in given) and language.is_script and given[0].type in STRINGS:
        return None
    own = "" if language is Language.PYTHON else condition_of(given)
    return Marker(mark, " and ".join([*conditions, own] if own else conditions), line(node), owner)
