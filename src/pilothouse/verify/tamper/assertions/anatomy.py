"""Works out what is compared of one test, when it is needed."""

from __future__ import annotations

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.body import BLOCKS, Reach, Walk
from pilothouse.verify.tamper.assertions.macros import array_of
from pilothouse.verify.tamper.model import Anatomy, Assertion, Shape, Source, Strength, Unit
from pilothouse.verify.tamper.syntax import (
    CALLS,
    COMMENTS,
    STRINGS,
    arguments,
    bare,
    call_name,
    children,
    content,
    find,
    part,
    receiver,
    text,
)

_ARRAYS = frozenset(
    {
        "list",
        "tuple",
        "set",
        "array",
        "array_expression",
        "tuple_expression",
        "element_value_array_initializer",
        "array_initializer",
        "literal_value",
        "dictionary",
        "argument_list",
        "object",
    }
)
_DECLARED = frozenset(
    {
        "assignment",
        "variable_declarator",
        "short_var_declaration",
        "var_spec",
        "let_declaration",
        "assignment_expression",
    }
)
# Statements that do nothing for the test.
_IDLE = frozenset({"pass_statement", "empty_statement", "ellipsis", "unit_expression"}) | STRINGS
_IDLE_CALLS = frozenset({"Parallel", "Helper", "Ok"})


def dissect(unit: Unit) -> Anatomy:
    try:
        return _dissected(unit)
    except RecursionError:
        # Nested deeper than anybody writes: counts as one assertion about everything in it.
        nodes = (unit.body,) if unit.body is not None else ()
        whole = Assertion(Shape.CUSTOM, Strength.EXACT, text(unit.body), unit.line, nodes)
        return Anatomy((whole,), unit.markers, (), nodes, 0, empty=False)


def _dissected(unit: Unit) -> Anatomy:
    walk = Walk(unit.source, unit.name, unit.apart)
    if unit.body is not None:
        walk.visit(unit.body, Reach())
    over = [_over(loop) for loop in walk.loops]
    tables = [_array(table, unit, 0) for table in (*unit.tables, *over) if table is not None]
    found = tuple(table for table in tables if table is not None)
    return Anatomy(
        assertions=(*unit.extra, *walk.assertions),
        markers=unit.markers + tuple(walk.markers),
        tables=found,
        nodes=(unit.body,) if unit.body is not None else (),
        rows=sum(_rows(table) for table in found),
        empty=unit.body is None or (not unit.apart and idle(unit.body)),
    )


def idle(body: Node) -> bool:
    """Whether nothing in it does anything."""
    if body.type not in BLOCKS:
        return body.type in _IDLE
    for statement in body.named_children:
        if statement.type in COMMENTS:
            continue
        if statement.type in BLOCKS:
            if not idle(statement):
                return False
            continue
        inner = bare(statement)
        called = inner.type in CALLS and call_name(inner) in _IDLE_CALLS and len(text(inner)) < 20
        bare_return = inner.type == "return_statement" and not children(inner)
        if not (called or bare_return or inner.type in _IDLE):
            return False
    return True


def _over(loop: Node) -> Node | None:
    """What a loop goes over."""
    if loop.type in CALLS:
        return receiver(loop)
    ranged = next((child for child in loop.named_children if child.type == "range_clause"), None)
    return part(ranged, "right") if ranged is not None else part(loop, "right", "value")


def _rows(table: Node) -> int:
    if table.type == "template_string":
        return sum(bool(row.strip()) for row in content(table).strip().splitlines()[1:])
    return 1 if table.type == "attribute_item" else len(children(table))


def _array(node: Node, unit: Unit, depth: int) -> Node | None:
    node = bare(node)
    if node.type in _ARRAYS or node.type in ("template_string", "attribute_item"):
        return node
    inner = part(node, "body") if node.type == "composite_literal" else None
    if node.type in ("array_creation_expression", "as_expression", "satisfies_expression"):
        inner = part(node, "value") or children(node)[0]
    if node.type == "macro_invocation":
        inner = array_of(node)
    if node.type in CALLS and text(receiver(node)) in ("List", "Arrays", "Set", "Stream"):
        inner = part(node, "arguments")
    elif node.type in CALLS:
        inner = receiver(node) if not arguments(node) else None
    if node.type == "identifier":
        inner = _value(text(node), unit.body, unit.source)
    return _array(inner, unit, depth + 1) if inner is not None and depth < 5 else None


def _value(name: str, body: Node | None, source: Source) -> Node | None:
    for declared in find(body, _DECLARED) if body is not None else []:
        if text(part(declared, "left", "name", "pattern")) == name:
            return part(declared, "right", "value")
    return source.constants.get(name)
