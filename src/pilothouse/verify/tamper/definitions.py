"""Finds the names that code defines, so that a test may go together with what it tested."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from pilothouse.verify.tamper.grammar import Language, parse
from pilothouse.verify.tamper.syntax import FUNCTIONS, part, text

_NAMED = (FUNCTIONS - {"arrow_function", "lambda", "lambda_expression", "func_literal", "closure_expression"}) | {
    "class_definition",
    "class_declaration",
    "abstract_class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "type_alias_declaration",
    "type_spec",
    "struct_item",
    "enum_item",
    "trait_item",
    "function_signature_item",
    "macro_definition",
}
_BOUND = frozenset({"variable_declarator", "public_field_definition"})


def definitions(language: Language, content: bytes) -> set[str]:
    """Functions, methods and types, wherever they stand but inside functions."""
    return names_in(parse(language, content))


def names_in(root: Node) -> set[str]:
    found: set[str] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        kind = node.type
        if kind in _NAMED:
            found.add(text(part(node, "name")))
        elif kind in _BOUND:
            value = part(node, "value")
            if value is not None and value.type in FUNCTIONS | {"call_expression"}:
                found.add(text(part(node, "name")))
        if kind not in FUNCTIONS:
            stack.extend(node.named_children)
    return found - {""}


def removed(before: Iterable[tuple[Language, bytes]], after: Iterable[tuple[Language, bytes]]) -> frozenset[str]:
    """Names that the changed code defined and does not define any more."""
    old: set[str] = set()
    for language, content in before:
        old |= definitions(language, content)
    if old:
        for language, content in after:
            old -= definitions(language, content)
    return frozenset(old)
