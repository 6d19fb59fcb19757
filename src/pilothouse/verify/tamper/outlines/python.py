"""pytest and unittest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from pilothouse.verify.tamper.model import Mark, Marker, Source, Unit
from pilothouse.verify.tamper.syntax import (
    CALLS,
    FALSES,
    arguments,
    bare,
    call_name,
    children,
    find,
    keyword,
    line,
    member,
    part,
    positional,
    receiver,
    text,
    tokens,
)

_MARKS = {
    "skip": Mark.SKIP,
    "skipif": Mark.SKIP,
    "skipIf": Mark.SKIP,
    "skipUnless": Mark.SKIP,
    "xfail": Mark.XFAIL,
    "expectedFailure": Mark.XFAIL,
}


@dataclass
class Group:
    """A class, with what its tests inherit from it."""

    name: str
    bases: list[str]
    methods: list[tuple[Node, Node, list[Node]]] = field(default_factory=list)
    markers: tuple[Marker, ...] = ()
    tables: tuple[Node, ...] = ()


def outline(source: Source) -> None:
    groups: dict[str, Group] = {}
    loose: list[tuple[Node, Node, list[Node]]] = []
    module: list[Marker] = []
    _constants(source)
    for node in source.root.named_children:
        outer, definition, decorators = _definition(node)
        if definition.type == "class_definition":
            group = _group(source, definition, decorators)
            groups[group.name] = group
        elif definition.type == "function_definition":
            loose.append((outer, definition, decorators))
        elif node.type == "expression_statement":
            module += _module_markers(source, node)
    for outer, definition, decorators in loose:
        _add(source, outer, definition, decorators, Group("", [], markers=tuple(module)))
    for group in groups.values():
        group.markers += tuple(module)
        if _collected(group, groups):
            for outer, definition, decorators in _methods(group, groups):
                _add(source, outer, definition, decorators, group)
        else:
            _lend(source, group)


def _definition(node: Node) -> tuple[Node, Node, list[Node]]:
    if node.type != "decorated_definition":
        return node, node, []
    definition = part(node, "definition") or node
    decorators = [bare(child.named_children[0]) for child in node.named_children if child.type == "decorator"]
    return node, definition, decorators


def _constants(source: Source) -> None:
    for node in source.root.named_children:
        inner = bare(node) if node.type == "expression_statement" else node
        right = part(inner, "right") if inner.type == "assignment" else None
        if right is not None:
            source.constants[text(part(inner, "left"))] = right


def _module_markers(source: Source, node: Node) -> Iterator[Marker]:
    inner = bare(node)
    if inner.type == "assignment" and text(part(inner, "left")) == "pytestmark":
        right = part(inner, "right")
        for one in children(right) if right is not None and right.type == "list" else [right]:
            if one is not None:
                yield from _markers(source, one, source.path)
    for call in [inner] if inner.type in CALLS else find(inner, CALLS):
        name = call_name(call)
        if text(receiver(call)) == "pytest" and name in ("skip", "importorskip"):
            condition = " ".join(tokens(arguments(call)[0])) if name == "importorskip" and arguments(call) else ""
            yield Marker(Mark.SKIP, condition, line(call), source.path)


def _markers(source: Source, node: Node, owner: str) -> Iterator[Marker]:
    if node.type == "identifier" and text(node) in source.constants:
        node = source.constants[text(node)]
    name = call_name(node) if node.type in CALLS else member(node)[0]
    mark = _MARKS.get(name)
    if mark is None:
        return
    condition = ""
    if node.type in CALLS and name not in ("skip", "expectedFailure"):
        given = positional(arguments(node)) or [one for one in [keyword(node, "condition")] if one is not None]
        condition = " ".join(tokens(given[0])) if given else ""
        condition = f"not {condition}" if name == "skipUnless" else condition
    yield Marker(mark, condition, line(node), owner)


def _group(source: Source, node: Node, decorators: list[Node]) -> Group:
    name = text(part(node, "name"))
    superclasses = part(node, "superclasses")
    group = Group(name, [text(one) for one in children(superclasses)] if superclasses is not None else [])
    markers = [found for one in decorators for found in _markers(source, one, name)]
    body = part(node, "body")
    for child in body.named_children if body is not None else []:
        outer, definition, own = _definition(child)
        if definition.type == "function_definition":
            group.methods.append((outer, definition, own))
        elif child.type == "expression_statement" and text(child).startswith(("pytestmark", "__test__")):
            right = part(bare(child), "right")
            if right is not None and text(right) in FALSES:
                markers.append(Marker(Mark.SKIP, "", line(child), name))
            elif right is not None:
                markers += [found for one in [right, *children(right)] for found in _markers(source, one, name)]
    group.markers = tuple(markers)
    group.tables = tuple(table for one in decorators for table in _tables(source, one))
    return group


def _collected(group: Group, groups: dict[str, Group]) -> bool:
    if group.name.startswith("Test"):
        return True
    for base in group.bases:
        local = groups.get(base)
        if "Test" in base or base.endswith("Case"):
            return True
        if local is not None and local is not group and _collected(local, groups):
            return True
    return False


def _methods(group: Group, groups: dict[str, Group]) -> Iterator[tuple[Node, Node, list[Node]]]:
    """Its own and those of its bases in this file."""
    seen: set[str] = set()
    waiting, visited = [group], {group.name}
    while waiting:
        current = waiting.pop(0)
        for outer, definition, decorators in current.methods:
            name = text(part(definition, "name"))
            if name not in seen:
                seen.add(name)
                yield outer, definition, decorators
        for base in current.bases:
            if base in groups and base not in visited:
                visited.add(base)
                waiting.append(groups[base])


def _lend(source: Source, group: Group) -> None:
    for _, definition, _ in group.methods:
        source.functions.setdefault(text(part(definition, "name")), definition)


def _tables(source: Source, decorator: Node) -> Iterator[Node]:
    if decorator.type not in CALLS:
        return
    given = positional(arguments(decorator))
    name = call_name(decorator)
    table = None
    if name == "parametrize":
        table = given[1] if len(given) > 1 else keyword(decorator, "argvalues")
    elif name == "expand" and given:
        table = given[0]
    if table is not None:
        yield source.constants.get(text(table), table)


def _row_markers(source: Source, tables: tuple[Node, ...], owner: str) -> Iterator[Marker]:
    """A row is skipped by itself: `pytest.param(…, marks=pytest.mark.skip)`."""
    for table in tables:
        for row in children(table):
            marks = keyword(row, "marks") if row.type in CALLS else None
            for one in [marks, *children(marks)] if marks is not None else []:
                for found in _markers(source, one, owner):
                    row_text = " ".join(tokens(row.named_children[-1]))
                    yield Marker(found.mark, found.condition or f"row {row_text}", found.line, owner)


def _add(source: Source, outer: Node, definition: Node, decorators: list[Node], group: Group) -> None:
    name = text(part(definition, "name"))
    if not name.startswith("test"):
        source.functions[name] = definition
        return
    tables = tuple(table for one in decorators for table in _tables(source, one)) + group.tables
    markers = tuple(found for one in decorators for found in _markers(source, one, name))
    source.units.append(
        Unit(
            name=name,
            node=outer,
            body=part(definition, "body"),
            line=line(definition),
            source=source,
            owners=(group.name,) if group.name else (),
            markers=markers + group.markers + tuple(_row_markers(source, tables, name)),
            tables=tables,
            header=b"\0".join(sorted((table.text or b"") for table in tables)),
        )
    )
