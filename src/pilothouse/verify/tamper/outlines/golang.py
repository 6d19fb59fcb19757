"""Go's testing, testify's suites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from pilothouse.verify.tamper.model import Mark, Marker, Source, Unit
from pilothouse.verify.tamper.syntax import (
    CALLS,
    FUNCTIONS,
    STRINGS,
    arguments,
    bare,
    call_name,
    children,
    content,
    line,
    part,
    text,
)

_TEST = re.compile(r"(Test|Fuzz|Example|Benchmark)(?![a-z])")


def outline(source: Source) -> None:
    file = tuple(_constraints(source))
    for node in source.root.named_children:
        if node.type in ("function_declaration", "method_declaration"):
            name = text(part(node, "name"))
            if _TEST.match(name):
                source.units.extend(_units(source, node, name, part(node, "body"), file))
            else:
                source.functions[name] = node
        elif node.type == "var_declaration":
            for spec in children(node):
                value = part(spec, "value")
                if value is not None:
                    source.constants[text(part(spec, "name"))] = bare(value)


def _constraints(source: Source) -> Iterator[Marker]:
    for node in source.root.named_children:
        if node.type != "comment":
            break
        written = text(node)
        if written.startswith(("//go:build ", "// +build ")):
            yield Marker(Mark.SKIP, written.split(None, 1)[1], line(node), source.path)


def _units(source: Source, node: Node, name: str, body: Node | None, markers: tuple[Marker, ...]) -> Iterator[Unit]:
    """A subtest with a name of its own is a test of its own."""
    parts = list(_subtests(body)) if body is not None else []
    apart = frozenset(call.start_byte for call, _, _ in parts)
    yield Unit(name, node, body, line(node), source, markers=markers, apart=apart)
    for call, title, inner in parts:
        yield from _units(source, call, f"{name}/{title}", inner, markers)


def _subtests(body: Node) -> Iterator[tuple[Node, str, Node]]:
    block = next((child for child in children(body) if child.type == "statement_list"), body)
    for statement in children(block):
        call = bare(statement)
        if call.type not in CALLS or call_name(call) != "Run":
            continue
        given = arguments(call)
        if len(given) == 2 and given[0].type in STRINGS and given[1].type in FUNCTIONS:
            inner = part(given[1], "body")
            if inner is not None:
                yield call, content(given[0]), inner
