"""Rust's #[test], with rstest, test_case and the attributes of async runtimes."""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.calls import raising
from pilothouse.verify.tamper.model import Mark, Marker, Source, Strength, Unit
from pilothouse.verify.tamper.syntax import COMMENTS, line, member, part, text, tokens

_TESTS = frozenset({"test", "rstest", "test_case", "wasm_bindgen_test", "test_log", "quickcheck", "bench"})
_CASES = frozenset({"case", "test_case", "values"})
# The condition of a marker that is none where the panic is all that the test asserts.
PANIC = "should_panic"


def outline(source: Source) -> None:
    _items(source, source.root, (), ())


def _items(source: Source, node: Node, owners: tuple[str, ...], markers: tuple[Marker, ...]) -> None:
    attributes: list[Node] = []
    for child in node.named_children:
        if child.type == "attribute_item":
            attributes.append(child)
        elif child.type not in COMMENTS:
            _item(source, child, attributes, owners, markers)
            attributes = []


def _item(
    source: Source, node: Node, attributes: list[Node], owners: tuple[str, ...], markers: tuple[Marker, ...]
) -> None:
    name = text(part(node, "name"))
    if node.type in ("mod_item", "impl_item"):
        body = part(node, "body")
        own = tuple(found for one in attributes for found in _markers(one, name))
        if body is not None:
            _items(source, body, (*owners, name) if name else owners, own + markers)
    elif node.type in ("const_item", "static_item"):
        value = part(node, "value")
        if value is not None:
            source.constants[name] = value
    elif node.type == "function_item":
        if any(_attribute(one)[0] in _TESTS for one in attributes):
            _test(source, node, attributes, owners, markers)
        else:
            source.functions[name] = node


def _attribute(item: Node) -> tuple[str, Node]:
    """`test` of `#[tokio::test(…)]`, and the attribute itself."""
    attribute = next((child for child in item.named_children if child.type == "attribute"), item)
    path = attribute.named_children[0] if attribute.named_children else attribute
    return member(path)[0], attribute


def _markers(item: Node, owner: str) -> list[Marker]:
    name, attribute = _attribute(item)
    given = " ".join(tokens(part(attribute, "arguments") or attribute))
    if name == "ignore":
        return [Marker(Mark.SKIP, "", line(item), owner)]
    if name == "should_panic":
        return [Marker(Mark.XFAIL, PANIC, line(item), owner)]
    if name == "cfg" and given != "test":
        return [Marker(Mark.SKIP, f"not {given}", line(item), owner)]
    if name == "cfg_attr" and "ignore" in given:
        return [Marker(Mark.SKIP, given.partition("ignore")[0].strip(), line(item), owner)]
    return []


def _test(
    source: Source, node: Node, attributes: list[Node], owners: tuple[str, ...], markers: tuple[Marker, ...]
) -> None:
    name = text(part(node, "name"))
    own = tuple(found for one in attributes for found in _markers(one, name))
    extra = []
    for one in attributes:
        if _attribute(one)[0] == "should_panic":
            strength = Strength.DETAILED if "expected" in text(one) else Strength.PARTIAL
            extra.append(replace(raising([], one), strength=strength, key=PANIC))
    source.units.append(
        Unit(
            name=name,
            node=node,
            body=part(node, "body"),
            line=line(node),
            source=source,
            owners=owners,
            markers=own + markers,
            tables=tuple(one for one in attributes if _attribute(one)[0] in _CASES),
            extra=tuple(extra),
            header=b"\0".join((one.text or b"") for one in attributes),
        )
    )
