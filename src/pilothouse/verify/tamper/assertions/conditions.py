"""Reads what a condition asserts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.vocabulary import PARTIAL_MATCHERS, PREDICATES, WILDCARDS, plain
from pilothouse.verify.tamper.model import Assertion, Shape, Strength
from pilothouse.verify.tamper.syntax import (
    CALLS,
    FALSES,
    NOTHINGS,
    NUMBERS,
    STRINGS,
    TRUES,
    arguments,
    bare,
    call_name,
    children,
    keyword,
    line,
    number,
    part,
    text,
    tokens,
)
from pilothouse.words import say

STRENGTHS = {
    Shape.EQUAL: Strength.EXACT,
    Shape.NOT_EQUAL: Strength.PRESENT,
    Shape.NOTHING: Strength.EXACT,
    Shape.SOMETHING: Strength.PRESENT,
    Shape.TRUE: Strength.TRUTH,
    Shape.FALSE: Strength.TRUTH,
    Shape.PART: Strength.PARTIAL,
    Shape.COMPARE: Strength.PARTIAL,
    Shape.APPROX: Strength.EXACT,
    Shape.RAISES: Strength.EXACT,
    Shape.FAIL: Strength.EXACT,
    Shape.SNAPSHOT: Strength.EXACT,
    Shape.CUSTOM: Strength.EXACT,
    Shape.ALWAYS: Strength.DEAD,
}
OPPOSITES = {
    Shape.EQUAL: Shape.NOT_EQUAL,
    Shape.NOT_EQUAL: Shape.EQUAL,
    Shape.NOTHING: Shape.SOMETHING,
    Shape.SOMETHING: Shape.NOTHING,
    Shape.TRUE: Shape.FALSE,
    Shape.FALSE: Shape.TRUE,
    Shape.APPROX: Shape.NOT_EQUAL,
    Shape.RAISES: Shape.NOTHING,
}
OPERATORS = {"==": Shape.EQUAL, "===": Shape.EQUAL, "is": Shape.EQUAL, "!=": Shape.NOT_EQUAL, "!==": Shape.NOT_EQUAL}
OPERATORS |= {"is not": Shape.NOT_EQUAL, "in": Shape.PART, "not in": Shape.PART, "instanceof": Shape.PART}
OPERATORS |= dict.fromkeys(("<", "<=", ">", ">="), Shape.COMPARE)
_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_LITERALS = NUMBERS | STRINGS | {"true", "false", "boolean_literal", "none", "null", "nil", "null_literal"}
_EMPTY = frozenset({"[]", "{}", "()", '""', "''", "0", "``", "0.0", "set()", "dict()", "list()", "vec![]"})
# `pytest.approx` and `toBeCloseTo` without a tolerance.
APPROX_DEFAULT = 1e-6


@dataclass(frozen=True, slots=True)
class Comparison:
    left: Node
    operator: str
    right: Node


def made(shape: Shape, operands: list[Node], at: Node, **more: object) -> Assertion:
    """Takes operands in any order: libraries disagree on whether the expected value comes first."""
    words = sorted(" ".join(tokens(bare(operand))) for operand in operands)
    found = Assertion(shape, STRENGTHS[shape], f"{shape}: {' | '.join(words)}", line(at), tuple(operands))
    return replace(found, **more) if more else found  # type: ignore[arg-type]


def always(at: Node) -> Assertion:
    return made(Shape.ALWAYS, [at], at, why_dead=say("dead.always_true"))


def judge(node: Node, holds: bool = True) -> list[Assertion]:
    """What it asserts that this is true, or false if `holds` is false."""
    node = bare(node)
    written = text(node)
    if written in TRUES or written in FALSES:
        return [always(node)] if (written in TRUES) == holds else [made(Shape.FAIL, [node], node)]
    denied = _denied(node)
    if denied is not None:
        return judge(denied, not holds)
    joined = _joined(node)
    if joined is not None:
        return _judge_joined(node, *joined, holds)
    compared = comparisons(node)
    if len(compared) == 1:
        return _judge_comparison(node, compared[0], holds)
    if compared:
        return [found for one in compared for found in _judge_comparison(node, one, holds)]
    if node.type in CALLS or node.type == "macro_invocation":
        return [_judge_call(node, holds)]
    if node.type in _LITERALS or (node.type == "tuple" and children(node)):
        return [always(node)]
    return [made(Shape.TRUE if holds else Shape.FALSE, [node], node)]


def _denied(node: Node) -> Node | None:
    if node.type == "not_operator":
        return part(node, "argument")
    if node.type == "unary_expression" and node.children and node.children[0].type == "!":
        return children(node)[0] if children(node) else None
    return None


def _joined(node: Node) -> tuple[Node, str, Node] | None:
    if node.type not in ("boolean_operator", "binary_expression"):
        return None
    left, operator, right = part(node, "left"), text(part(node, "operator")), part(node, "right")
    if left is None or right is None or operator not in ("and", "or", "&&", "||"):
        return None
    return left, operator, right


def _judge_joined(node: Node, left: Node, operator: str, right: Node, holds: bool) -> list[Assertion]:
    sides = judge(left, holds) + judge(right, holds)
    both = (operator in ("and", "&&")) == holds
    if both:
        return sides
    if any(not side.alive for side in sides):
        return [always(node)]
    return [made(Shape.PART, [node], node)]


def comparisons(node: Node) -> list[Comparison]:
    """Of `a < b <= c` there are two."""
    if node.type == "comparison_operator":
        operands: list[Node] = []
        operators: list[Node] = []
        for child in node.children:
            (operands if child.is_named else operators).append(child)
        words = " ".join(text(operator) for operator in operators)
        named = re.findall(r"is not|not in|\S+", words)
        return [Comparison(a, op, b) for a, op, b in zip(operands, named, operands[1:], strict=False)]
    if node.type in ("binary_expression", "instanceof_expression"):
        left, operator, right = part(node, "left"), text(part(node, "operator")), part(node, "right")
        operator = operator or "instanceof"
        if left is not None and right is not None and operator in OPERATORS:
            return [Comparison(left, operator, right)]
    return []


def _judge_comparison(node: Node, found: Comparison, holds: bool) -> list[Assertion]:
    left, right = bare(found.left), bare(found.right)
    shape = OPERATORS[found.operator]
    if not holds:
        shape = OPPOSITES.get(shape, shape)
    if text(left) == text(right) or (left.type in _LITERALS and right.type in _LITERALS):
        return [always(node)]
    if shape is Shape.COMPARE:
        return [compared(left, found.operator if holds else _TURNED[found.operator], right, node)]
    if shape is Shape.PART:
        return [made(shape, [node], node)]
    return [equality(shape, left, right, node)]


def compared(left: Node, operator: str, right: Node, at: Node) -> Assertion:
    bound = number(right)
    if bound is None:
        bound, operator = number(left), _MIRRORED[operator]
    return made(Shape.COMPARE, [left, right], at, bound=None if bound is None else (operator, bound))


def equality(shape: Shape, left: Node, right: Node, at: Node) -> Assertion:
    """Equal or not equal, unless one side says something simpler."""
    for one, other in ((left, right), (right, left)):
        written = text(one)
        if written in NOTHINGS:
            return made(Shape.NOTHING if shape is Shape.EQUAL else Shape.SOMETHING, [other], at)
        if written in TRUES or written in FALSES:
            wanted = (written in TRUES) == (shape is Shape.EQUAL)
            return made(Shape.TRUE if wanted else Shape.FALSE, [other], at)
        if one.type in CALLS and plain(call_name(one)) in ("approx", "closeto") and shape is Shape.EQUAL:
            return made(Shape.APPROX, [*arguments(one)[:1], other], at, tolerance=tolerance(one))
    more: dict[str, object] = {}
    if shape is Shape.EQUAL:
        more["strength"] = wild(right, wild(left, Strength.EXACT))
        more["empty"] = any(text(side).replace(" ", "") in _EMPTY for side in (left, right))
        more["recorded"] = next((_inline(side) for side in (left, right) if _inline(side)), None)
    return made(shape, [left, right], at, **more)


def wild(node: Node, otherwise: Strength) -> Strength:
    """`expect.any(String)` accepts every string."""
    node = bare(node)
    if node.type == "unary_expression" and text(node).startswith("typeof"):
        return Strength.PARTIAL
    name = call_name(node) if node.type in CALLS else text(node).rpartition(".")[2]
    if name in WILDCARDS or name in PARTIAL_MATCHERS:
        return Strength.PARTIAL
    return otherwise


def _inline(node: Node) -> str | None:
    """What `inline-snapshot` keeps in the test: `snapshot("…")`."""
    if node.type in CALLS and call_name(node) == "snapshot" and arguments(node):
        return " ".join(tokens(arguments(node)[0]))
    return None


def tolerance(call: Node) -> float:
    given = [number(keyword(call, name)) for name in ("abs", "rel", "delta", "rtol", "atol", "rel_tol", "abs_tol")]
    return max((value for value in given if value is not None), default=APPROX_DEFAULT)


def _judge_call(node: Node, holds: bool) -> Assertion:
    name = text(part(node, "macro")) if node.type == "macro_invocation" else call_name(node)
    word = name.replace("_", "").lower()
    shape = PREDICATES.get(word, Shape.TRUE)
    if node.type == "macro_invocation" and word == "matches":
        shape = Shape.SOMETHING if text(node).replace(" ", "").endswith("(_))") else Shape.EQUAL
    if not holds:
        shape = OPPOSITES.get(shape, shape)
    if shape is Shape.APPROX:
        return made(shape, [node], node, tolerance=tolerance(node))
    return made(shape, [node], node)
