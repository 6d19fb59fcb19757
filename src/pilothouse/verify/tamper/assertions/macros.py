"""Reads assertion macros of Rust. The grammar sees only tokens inside a macro; here they become a call's arguments."""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.calls import called
from pilothouse.verify.tamper.assertions.conditions import made
from pilothouse.verify.tamper.assertions.vocabulary import plain, shape_of
from pilothouse.verify.tamper.grammar import Language, parse
from pilothouse.verify.tamper.model import Assertion, Shape
from pilothouse.verify.tamper.syntax import arguments, find, line, member, part, tokens

_CALL = frozenset({"call_expression"})
_FAILURES = frozenset({"panic", "unreachable", "todo", "unimplemented"})


def macro_name(node: Node) -> str:
    macro = part(node, "macro")
    return member(macro)[0] if macro is not None else ""


def inside(node: Node) -> bytes:
    """What stands between the brackets of a macro call."""
    tree = next((child for child in node.named_children if child.type == "token_tree"), None)
    return (tree.text or b"")[1:-1] if tree is not None else b""


def given(node: Node) -> list[Node]:
    content = inside(node).replace(b'@"', b'"').replace(b"@r", b"r")
    call = next(find(parse(Language.RUST, b"fn f() { g(" + content + b"); }"), _CALL), None)
    return arguments(call) if call is not None else []


def assertions_of_macro(node: Node) -> list[Assertion] | None:
    name = macro_name(node)
    if name in _FAILURES:
        return [made(Shape.FAIL, [], node)]
    word = plain(name)
    if "assert" not in name:
        return None
    operands = given(node)
    shape = Shape.TRUE if word == "assert" else shape_of(name) or Shape.CUSTOM
    if shape is Shape.SNAPSHOT:
        recorded = " ".join(tokens(operands[-1])) if operands and b"@" in inside(node) else None
        found = [made(shape, operands[:-1] if recorded is not None else operands, node, recorded=recorded)]
    elif word == "matches":
        found = [made(Shape.EQUAL, operands, node)]
    else:
        found = called(shape, word, operands or [node], node)
    return [_at(one, node) for one in found]


def _at(found: Assertion, node: Node) -> Assertion:
    """Corrects the line, since what was parsed again begins at line 1."""
    return replace(found, line=line(node))


def array_of(node: Node) -> Node | None:
    """The elements of `vec![…]`, as an array."""
    if macro_name(node) != "vec":
        return None
    root = parse(Language.RUST, b"fn f() { let a = [" + inside(node) + b"]; }")
    return next(find(root, frozenset({"array_expression"})), None)
