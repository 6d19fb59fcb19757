"""JUnit 3 to 5 and TestNG."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.calls import raising
from pilothouse.verify.tamper.model import Mark, Marker, Source, Unit
from pilothouse.verify.tamper.syntax import CALLS, FALSES, arguments, children, content, find, line, part, text, tokens

_TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"})
_CLASSES = frozenset({"class_declaration", "record_declaration", "enum_declaration", "interface_declaration"})
_TABLES = frozenset({"CsvSource", "ValueSource", "EnumSource", "ArgumentsSource"})
_ARRAYS = frozenset({"element_value_array_initializer"})


def outline(source: Source) -> None:
    for node in source.root.named_children:
        if node.type in _CLASSES:
            _class(source, node, (), ())


def _annotations(node: Node) -> Iterator[tuple[str, Node]]:
    modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
    for child in modifiers.named_children if modifiers is not None else []:
        if child.type in ("annotation", "marker_annotation"):
            yield text(part(child, "name")).rpartition(".")[2], child


def _class(source: Source, node: Node, owners: tuple[str, ...], markers: tuple[Marker, ...]) -> None:
    name = text(part(node, "name"))
    markers = tuple(found for kind, one in _annotations(node) for found in _markers(kind, one, name)) + markers
    old = "TestCase" in text(part(node, "superclass"))
    body = part(node, "body")
    for child in body.named_children if body is not None else []:
        if child.type in _CLASSES:
            _class(source, child, (*owners, name), markers)
        elif child.type == "field_declaration":
            for declared in find(child, frozenset({"variable_declarator"})):
                value = part(declared, "value")
                if value is not None:
                    source.constants[text(part(declared, "name"))] = value
        elif child.type == "method_declaration":
            _method(source, child, (*owners, name), markers, old)


def _markers(kind: str, annotation: Node, owner: str) -> Iterator[Marker]:
    given = part(annotation, "arguments")
    if kind in ("Disabled", "Ignore", "Ignored"):
        yield Marker(Mark.SKIP, "", line(annotation), owner)
    elif kind.startswith(("DisabledIf", "DisabledOn", "EnabledIf", "EnabledOn", "DisabledFor", "EnabledFor")):
        words = " ".join(tokens(given)) if given is not None else ""
        yield Marker(Mark.SKIP, f"{kind} {words}", line(annotation), owner)
    elif kind == "Test" and text(_option(annotation, "enabled")) in FALSES:
        yield Marker(Mark.SKIP, "", line(annotation), owner)


def _option(annotation: Node, name: str) -> Node | None:
    given = part(annotation, "arguments")
    for pair in children(given) if given is not None else []:
        if pair.type == "element_value_pair" and text(part(pair, "key")) == name:
            return part(pair, "value")
    return None


def _method(source: Source, node: Node, owners: tuple[str, ...], markers: tuple[Marker, ...], old: bool) -> None:
    name = text(part(node, "name"))
    annotations = list(_annotations(node))
    if not any(kind in _TESTS for kind, _ in annotations) and not (old and name.startswith("test")):
        source.functions[name] = node
        return
    tests = [one for kind, one in annotations if kind == "Test"]
    errors = [_option(one, "expected") or _option(one, "expectedExceptions") for one in tests]
    tables = tuple(table for kind, one in annotations for table in _tables(source, kind, one))
    source.units.append(
        Unit(
            name=name,
            node=node,
            body=part(node, "body"),
            line=line(part(node, "name") or node),
            source=source,
            owners=owners,
            markers=tuple(found for kind, one in annotations for found in _markers(kind, one, name)) + markers,
            tables=tables,
            header=b"\0".join((table.text or b"") for table in tables),
            extra=tuple(raising([error], error) for error in errors if error is not None),
        )
    )


def _tables(source: Source, kind: str, annotation: Node) -> Iterator[Node]:
    if kind in _TABLES:
        yield from find(annotation, _ARRAYS)
    elif kind == "MethodSource":
        for given in children(part(annotation, "arguments") or annotation):
            method = next((n for n in _methods_named(source, content(given))), None)
            for call in find(method, CALLS) if method is not None else []:
                if text(call).startswith(("Stream.of", "List.of", "Arrays.asList")) and arguments(call):
                    yield part(call, "arguments") or call


def _methods_named(source: Source, name: str) -> Iterator[Node]:
    for method in find(source.root, frozenset({"method_declaration"})):
        if text(part(method, "name")) == name:
            yield method
