"""jest, vitest, mocha, node:test and Playwright, in JavaScript and TypeScript."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.calls import Link, chain
from pilothouse.verify.tamper.assertions.marks import condition_of
from pilothouse.verify.tamper.model import Mark, Marker, Source, Unit
from pilothouse.verify.tamper.syntax import (
    CALLS,
    FALSES,
    FUNCTIONS,
    arguments,
    bare,
    call_name,
    content,
    keyword,
    line,
    part,
    receiver,
    text,
    tokens,
)

_TESTS = frozenset({"it", "test", "specify", "xit", "xtest", "xspecify", "fit", "ftest"})
_GROUPS = frozenset({"describe", "context", "suite", "xdescribe", "xcontext", "fdescribe", "fcontext"})
_MARKS = {
    **dict.fromkeys(
        ("skip", "todo", "fixme", "xit", "xtest", "xspecify", "xdescribe", "xcontext", "skipIf", "runIf"), Mark.SKIP
    ),
    **dict.fromkeys(("only", "fit", "ftest", "fdescribe", "fcontext"), Mark.ONLY),
    **dict.fromkeys(("fails", "failing", "fail"), Mark.XFAIL),
}


@dataclass(frozen=True, slots=True)
class Scope:
    owners: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    tables: tuple[Node, ...] = ()


def outline(source: Source) -> None:
    _walk(source, source.root, Scope())


def _walk(source: Source, node: Node, scope: Scope) -> None:
    for child in node.named_children:
        kind = child.type
        if kind in CALLS:
            scope = _call(source, child, scope)
        elif kind == "function_declaration":
            source.functions[text(part(child, "name"))] = child
        elif kind == "variable_declarator":
            _declared(source, child, scope)
        elif kind == "for_in_statement":
            table = part(child, "right")
            looped = Scope(scope.owners, scope.markers, (*scope.tables, *_resolved(source, table)))
            _walk(source, child, looped)
        elif kind not in FUNCTIONS:
            _walk(source, child, scope)


def _declared(source: Source, node: Node, scope: Scope) -> None:
    value = part(node, "value")
    if value is None:
        return
    value = bare(value)
    if value.type in FUNCTIONS:
        source.functions[text(part(node, "name"))] = value
    else:
        source.constants[text(part(node, "name"))] = value
        _walk(source, node, scope)


def _resolved(source: Source, node: Node | None) -> tuple[Node, ...]:
    if node is None:
        return ()
    node = bare(node)
    return (source.constants.get(text(node), node),)


def _call(source: Source, node: Node, scope: Scope) -> Scope:
    """Gives the scope of what follows: `test.skip()` without a test skips the rest of its group."""
    links = chain(node)
    names = [link.name for link in links]
    root = names[-1]
    if root not in _TESTS and root not in _GROUPS:
        return _other(source, node, scope)
    grouping = root in _GROUPS or "describe" in names
    given = arguments(node)
    function = next((one for one in reversed(given) if one.type in FUNCTIONS), None)
    title = content(given[0]) if given else ""
    if function is None and not ("todo" in names and title):
        markers = tuple(_markers(source, links, given, source.path))
        return Scope(scope.owners, scope.markers + markers, scope.tables)
    markers = tuple(_markers(source, links, given, title))
    repeated = [one for link in links if link.name == "each" for one in link.given or []]
    tables = scope.tables + tuple(found for one in repeated for found in _resolved(source, one))
    if grouping:
        body = part(function, "body") if function is not None else None
        if body is not None:
            _walk(source, body, Scope((*scope.owners, title), markers + scope.markers, tables))
        return scope
    source.units.append(
        Unit(
            name=title,
            node=node,
            body=part(function, "body") if function is not None else None,
            line=line(node),
            source=source,
            owners=scope.owners,
            markers=markers + scope.markers,
            tables=tables,
            header=b"\0".join((table.text or b"") for table in tables),
        )
    )
    return scope


def _other(source: Source, node: Node, scope: Scope) -> Scope:
    """`cases.forEach((one) => it(…))`, and calls that hold no tests."""
    on = receiver(node)
    if call_name(node) in ("forEach", "map") and on is not None:
        looped = Scope(scope.owners, scope.markers, (*scope.tables, *_resolved(source, on)))
        for one in arguments(node):
            body = part(one, "body") if one.type in FUNCTIONS else None
            if body is not None:
                _walk(source, body, looped)
    return scope


def _markers(source: Source, links: list[Link], given: list[Node], owner: str) -> list[Marker]:
    found = []
    for link in links:
        mark = _MARKS.get(link.name)
        if mark is None:
            continue
        condition = ""
        if link.name in ("skipIf", "runIf") or owner == source.path:
            condition = condition_of(link.given or [])
        found.append(Marker(mark, condition, line(link.node), owner))
    options = next((one for one in given if one.type == "object"), None)
    if options is not None:
        for name in ("skip", "todo", "only"):
            value = keyword(options, name)
            if value is not None and text(value) not in FALSES:
                condition = " ".join(tokens(value)) if value.type not in ("true", "string") else ""
                found.append(Marker(_MARKS[name], condition, line(value), owner))
    return found
