"""Reads what all grammars call by nearly the same names: calls, strings, literals, operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
CALLS = frozenset({"call", "call_expression", "method_invocation"})
MEMBERS = frozenset({"attribute", "member_expression", "selector_expression", "field_expression", "field_access"})
SCOPED = frozenset({"scoped_identifier", "generic_function", "generic_type", "scoped_type_identifier"})
STRINGS = frozenset(
    {
        "string",
        "template_string",
        "interpreted_string_literal",
        "raw_string_literal",
        "string_literal",
        "char_literal",
        "rune_literal",
        "character_literal",
    }
)
NUMBERS = frozenset(
    {
        "integer",
        "float",
        "number",
        "int_literal",
        "float_literal",
        "integer_literal",
        "decimal_integer_literal",
        "hex_integer_literal",
        "decimal_floating_point_literal",
    }
)
TRUES = frozenset({"true", "True"})
FALSES = frozenset({"false", "False"})
NOTHINGS = frozenset({"None", "null", "nil", "undefined"})
FUNCTIONS = frozenset(
    {
        "function_definition",
        "function_declaration",
        "function_expression",
        "generator_function_declaration",
        "arrow_function",
        "method_definition",
        "method_declaration",
        "func_literal",
        "function_item",
        "closure_expression",
        "lambda",
        "lambda_expression",
    }
)
_WRAPPERS = frozenset(
    {
        "parenthesized_expression",
        "await_expression",
        "await",
        "expression_statement",
        "non_null_expression",
        "as_expression",
        "reference_expression",
        "try_expression",
        "named_expression",
        "expression_list",
        "literal_element",
    }
)
_PUNCTUATION = frozenset({",", ";", "(", ")", "await", "async"})


def text(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def line(node: Node) -> int:
    return node.start_point[0] + 1


def children(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in COMMENTS]


def part(node: Node, *fields: str) -> Node | None:
    """The first of these fields that the node has."""
    for name in fields:
        found = node.child_by_field_name(name)
        if found is not None:
            return found
    return None


def bare(node: Node) -> Node:
    """Without the parentheses, `await` and the like around it."""
    while node.type in _WRAPPERS:
        inside = children(node)
        if not inside:
            break
        node = inside[0]
    return node


def member(node: Node) -> tuple[str, Node | None]:
    """The last name of `a.b.c` or `a::b::c`, and what stands before it."""
    if node.type in MEMBERS:
        name = part(node, "attribute", "property", "field")
        return text(name), part(node, "object", "operand", "value", "argument")
    if node.type in SCOPED:
        function = part(node, "function")
        if function is not None:
            return member(function)
        return text(part(node, "name") or node), part(node, "path")
    return text(node), None


def call_name(node: Node) -> str:
    function = part(node, "function")
    if function is None:
        return text(part(node, "name"))
    return member(bare(function))[0]


def receiver(node: Node) -> Node | None:
    """What a call is made on: `a.b` of `a.b.c()`."""
    function = part(node, "function")
    if function is None:
        return part(node, "object")
    function = bare(function)
    return function if function.type in CALLS else member(function)[1]


def arguments(node: Node) -> list[Node]:
    found = part(node, "arguments")
    if found is None:
        return []
    if found.type == "generator_expression":
        return [found]
    return children(found)


def keyword(node: Node, name: str) -> Node | None:
    """The value of a keyword argument of a Python call, or of an option of a JavaScript object."""
    for given in arguments(node) if node.type in CALLS else children(node):
        if given.type == "keyword_argument" and text(part(given, "name")) == name:
            return part(given, "value")
        if given.type == "pair" and content(part(given, "key")) == name:
            return part(given, "value")
    return None


def positional(nodes: list[Node]) -> list[Node]:
    return [node for node in nodes if node.type != "keyword_argument"]


def content(node: Node | None) -> str:
    """A string without its quotes; anything else as it is."""
    written = text(node)
    if node is None or node.type not in STRINGS:
        return written
    inside = written.lstrip("rbfuRBFU#").rstrip("#")
    for quote in ('"""', "'''"):
        if inside.startswith(quote) and len(inside) >= 6:
            return inside[3:-3]
    return inside[1:-1] if len(inside) >= 2 else inside


def tokens(node: Node) -> Iterator[str]:
    """The words, without comments, layout, quotes and the commas that formatters move. A mark before a string tells
    it from a name."""
    stack = [node]
    while stack:
        current = stack.pop()
        kind = current.type
        if kind in COMMENTS:
            continue
        if kind in STRINGS:
            yield "'" + content(current)
        elif current.child_count == 0:
            written = text(current)
            if written not in _PUNCTUATION:
                yield written
        else:
            stack.extend(reversed(current.children))


def is_literal(token: str) -> bool:
    return token[:1] in "'0123456789" or token in TRUES or token in FALSES


def literal(token: str) -> str:
    """Written the same way in all languages, a string like the number in it."""
    if token in TRUES or token in FALSES:
        return token.lower()
    return token.removeprefix("'").strip()


def is_name(token: str) -> bool:
    return token[:1].isalpha() or token[:1] == "_"


def number(node: Node | None) -> float | None:
    if node is None:
        return None
    try:
        return float(text(node).replace("_", "").replace(" ", "").rstrip("fFdDlL"))
    except ValueError:
        return None


def find(node: Node, kinds: frozenset[str]) -> Iterator[Node]:
    """All nodes of these kinds, outermost first, not looking inside one that was found."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in kinds and current != node:
            yield current
        else:
            stack.extend(reversed(current.named_children))


_INDEXED = frozenset({"subscript", "subscript_expression", "index_expression", "array_access", "element_access"})


def mentions(nodes: Sequence[Node]) -> tuple[frozenset[str], frozenset[str]]:
    """The names and the literals in them. An index says where a value stands, not which one is expected."""
    names: set[str] = set()
    literals: set[str] = set()
    stack = list(nodes)
    while stack:
        current = stack.pop()
        if current.type in _INDEXED and current.named_children:
            stack.append(current.named_children[0])
        elif current.type in STRINGS or current.child_count == 0:
            for token in tokens(current):
                if is_literal(token):
                    literals.add(literal(token))
                elif is_name(token):
                    names.add(token)
        else:
            stack.extend(current.children)
    return frozenset(names), frozenset(literals)
