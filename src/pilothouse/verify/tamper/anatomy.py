"""Everything that is compared of one test, worked out when it is needed."""

from __future__ import annotations

from tree_sitter import Node

from pilothouse.verify.tamper.body import BLOCKS, LOOPS, Place, Walk
from pilothouse.verify.tamper.macros import array_of
from pilothouse.verify.tamper.model import Anatomy, Source, Unit
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
    mentions,
    part,
    receiver,
    text,
    tokens,
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
    walk = Walk(unit.source, unit.name, unit.apart)
    nodes: list[Node] = list(unit.tables)
    if unit.body is not None:
        walk.visit(unit.body, Place())
        nodes.append(unit.body)
    names, literals = mentions(nodes)
    rows = tuple(row for table in _tables(unit) for row in table)
    split = {piece.strip() for row in rows for piece in row.replace("'", "").replace('"', "").split(",")}
    return Anatomy(
        assertions=(*unit.extra, *walk.assertions),
        markers=unit.markers + tuple(walk.markers),
        rows=rows,
        names=names,
        literals=literals | split,
        empty=unit.body is None or (not unit.apart and idle(unit.body)),
    )


def idle(body: Node) -> bool:
    """Nothing in it does anything."""
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


def _tables(unit: Unit) -> list[list[str]]:
    tables = [_rows(table, unit) for table in unit.tables]
    if unit.body is None:
        return tables
    for loop in _loops(unit.body):
        over = _over(loop)
        if over is not None:
            tables.append(_rows(over, unit))
    return tables


def _loops(body: Node) -> list[Node]:
    found: list[Node] = []
    stack = [body]
    while stack:
        current = stack.pop()
        if current.type in LOOPS or (current.type in CALLS and call_name(current) in ("forEach", "for_each")):
            found.append(current)
        stack.extend(current.named_children)
    return found


def _over(loop: Node) -> Node | None:
    """What a loop goes over."""
    if loop.type in CALLS:
        return receiver(loop)
    ranged = next((child for child in loop.named_children if child.type == "range_clause"), None)
    return part(ranged, "right") if ranged is not None else part(loop, "right", "value")


def _rows(table: Node, unit: Unit) -> list[str]:
    array = _array(table, unit, 0)
    if array is None:
        return []
    if array.type == "template_string":
        return [row for row in content(array).strip().splitlines()[1:] if row.strip()]
    if array.type == "attribute_item":
        return [" ".join(tokens(array))]
    return [_row(row) for row in children(array)]


def _row(row: Node) -> str:
    if row.type in STRINGS:
        return content(row)
    return " ".join(tokens(row))


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
