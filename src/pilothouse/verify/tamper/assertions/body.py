"""Reads the body of a test: what it asserts, whether that is reached, and what it is repeated for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.calls import assertions_of, looks_like_assertion
from pilothouse.verify.tamper.assertions.conditions import judge, made
from pilothouse.verify.tamper.assertions.macros import assertions_of_macro
from pilothouse.verify.tamper.assertions.marks import marker_of_call
from pilothouse.verify.tamper.assertions.vocabulary import SWALLOWED
from pilothouse.verify.tamper.grammar import Language
from pilothouse.verify.tamper.model import Assertion, Marker, Shape, Source, Strength
from pilothouse.verify.tamper.syntax import (
    CALLS,
    FALSES,
    FUNCTIONS,
    MEMBERS,
    STRINGS,
    TRUES,
    arguments,
    bare,
    call_name,
    children,
    find,
    line,
    part,
    receiver,
    text,
    tokens,
)
from pilothouse.words import say

BLOCKS = frozenset({"block", "statement_block", "statement_list", "class_body", "declaration_list"})
LEAVING = frozenset({"return_statement", "return_expression", "break_statement", "continue_statement"})
THROWING = frozenset({"raise_statement", "throw_statement"})
# Calls that end the whole run, and let it look like a success.
EXITS = frozenset({("os", "_exit"), ("sys", "exit"), ("process", "exit"), ("os", "Exit"), ("System", "exit")})
IFS = frozenset({"if_statement", "if_expression"})
LOOPS = frozenset(
    {
        "for_statement",
        "while_statement",
        "for_in_statement",
        "enhanced_for_statement",
        "for_expression",
        "while_expression",
        "loop_expression",
        "do_statement",
    }
)
TRIES = frozenset({"try_statement", "try_with_resources_statement"})
_HANDLERS = frozenset({"except_clause", "catch_clause", "except_group_clause"})
_DEPTH = 4


class Flow(IntEnum):
    ON = 0
    MAYBE = 1
    """The rest is reached only if a condition did not hold."""
    END = 2


@dataclass(frozen=True, slots=True)
class Reach:
    """Under which circumstances a statement is reached."""

    dead: str = ""
    conditions: tuple[str, ...] = ()
    looped: bool = False


class Walk:
    def __init__(self, source: Source, owner: str, apart: frozenset[int] = frozenset(), depth: int = 0) -> None:
        self.source = source
        self.owner = owner
        self.apart = apart
        self.depth = depth
        self.assertions: list[Assertion] = []
        self.markers: list[Marker] = []
        self.loops: list[Node] = []
        self._conditional = ""

    def visit(self, node: Node, reach: Reach) -> Flow:
        kind = node.type
        if node.start_byte in self.apart and kind in CALLS:
            return Flow.ON
        if kind in BLOCKS:
            return self._block(node, reach)
        if kind in IFS:
            return self._if(node, reach)
        if kind in LEAVING or kind in THROWING:
            return self._leaving(node, reach)
        if kind in LOOPS:
            self.loops.append(node)
            self._inside(node, replace(reach, looped=True))
            return Flow.ON
        if kind in TRIES:
            return self._try(node, reach)
        return self._expression(node, reach)

    def _expression(self, node: Node, reach: Reach) -> Flow:
        kind = node.type
        if kind == "with_statement":
            return self._with(node, reach)
        if kind == "assert_statement":
            self._add(judge(node.named_children[0]) if node.named_children else [], reach)
            return Flow.ON
        if kind in CALLS:
            return self._call(node, reach)
        if kind == "macro_invocation":
            self._add(assertions_of_macro(node) or [], reach)
            return Flow.ON
        if kind in MEMBERS and self.source.language.is_script:
            found = assertions_of(node, self.source.language)
            if found is not None:
                self._add(found, reach)
                return Flow.ON
        if kind == "expression_statement" and children(node):
            return self.visit(children(node)[0], reach)
        self._inside(node, reach)
        return Flow.ON

    def _inside(self, node: Node, reach: Reach) -> None:
        for child in node.named_children:
            if child.child_count and child.type not in STRINGS:
                self.visit(child, reach)

    def _add(self, found: list[Assertion], reach: Reach) -> None:
        if reach.conditions or reach.looped:
            found = [replace(one, conditions=reach.conditions, looped=reach.looped) for one in found]
        self.assertions += [one.killed(reach.dead) for one in found] if reach.dead else found

    def _block(self, node: Node, reach: Reach) -> Flow:
        outcome = Flow.ON
        for child in node.named_children:
            flow = self.visit(child, reach)
            if flow is Flow.END:
                outcome = Flow.END
                reach = replace(reach, dead=reach.dead or say("dead.unreached"))
            elif flow is Flow.MAYBE:
                outcome = max(outcome, Flow.MAYBE)
                reach = replace(reach, conditions=(*reach.conditions, self._conditional))
        return outcome

    def _if(self, node: Node, reach: Reach) -> Flow:
        condition = part(node, "condition")
        if condition is None:
            self._inside(node, reach)
            return Flow.ON
        written = text(bare(condition))
        then = part(node, "consequence")
        others = node.children_by_field_name("alternative")
        if then is not None and not others and self._fails(then):
            self._add(judge(condition, holds=False), reach)
            return Flow.ON
        under = replace(reach, conditions=(*reach.conditions, " ".join(tokens(condition))))
        if written in FALSES or written == "0":
            under = replace(reach, dead=reach.dead or say("dead.unreached"))
        elif written in TRUES or others:
            under = reach
        flow = self.visit(then, under) if then is not None else Flow.ON
        for other in others:
            self._inside(other, reach)
        if flow is Flow.END and written in TRUES:
            return Flow.END
        if flow is Flow.END and written not in FALSES and not others:
            self._conditional = " ".join(tokens(condition))
            return Flow.MAYBE
        return Flow.ON

    def _fails(self, block: Node) -> bool:
        """`if got != want { t.Errorf(…) }` asserts that they are equal."""
        statements = children(block) if block.type in BLOCKS else [block]
        if len(statements) == 1 and statements[0].type == "statement_list":
            statements = children(statements[0])
        for statement in statements:
            inner = bare(statement)
            if inner.type in THROWING or (inner.type == "macro_invocation" and text(inner).startswith("panic!")):
                return True
            if inner.type in CALLS:
                found = assertions_of(inner, self.source.language) or []
                if any(one.shape is Shape.FAIL for one in found):
                    return True
        return False

    def _leaving(self, node: Node, reach: Reach) -> Flow:
        before = len(self.assertions)
        self._inside(node, reach)
        if node.type in THROWING and len(self.assertions) == before:
            self._add([made(Shape.FAIL, [], node)], reach)
        return Flow.END

    def _try(self, node: Node, reach: Reach) -> Flow:
        handlers = [child for child in node.named_children if child.type in _HANDLERS]
        swallowed = any(self._swallows(handler) for handler in handlers)
        for child in node.named_children:
            hidden = swallowed and child.type in BLOCKS
            self.visit(child, replace(reach, dead=reach.dead or say("dead.swallowed")) if hidden else reach)
        return Flow.ON

    def _swallows(self, handler: Node) -> bool:
        """Whether it catches a failed assertion and hides it."""
        block = next((child for child in reversed(handler.named_children) if child.type in BLOCKS), None)
        caught = {token for child in children(handler) if child is not block for token in tokens(child)}
        bare_except = self.source.language is Language.PYTHON and not caught
        anything = self.source.language.is_script or bare_except or bool(caught & SWALLOWED)
        if not anything or block is None:
            return False
        inner = Walk(self.source, self.owner, depth=self.depth)
        inner.visit(block, Reach())
        return not inner.assertions and not inner.markers

    def _with(self, node: Node, reach: Reach) -> Flow:
        for clause in children(node):
            if clause.type != "with_clause":
                continue
            for call in find(clause, CALLS):
                names = {text(one).rpartition(".")[2] for one in arguments(call)}
                if call_name(call) == "suppress" and names & SWALLOWED:
                    reach = replace(reach, dead=reach.dead or say("dead.swallowed"))
                else:
                    self.visit(call, reach)
        block = part(node, "body")
        return self.visit(block, reach) if block is not None else Flow.ON

    def _call(self, node: Node, reach: Reach) -> Flow:
        if call_name(node) in ("forEach", "for_each"):
            self.loops.append(node)
        if (text(receiver(node)).rpartition("::")[2], call_name(node)) in EXITS:
            return Flow.END
        marker = marker_of_call(node, self.source.language, self.owner, reach.conditions)
        if marker is not None:
            self.markers.append(marker)
            return Flow.ON
        helper = self._helper(node, reach)
        if helper:
            return Flow.ON
        found = assertions_of(node, self.source.language)
        if found is not None:
            self._add(found, reach)
            for given in (one for one in _given(node) if one.type in FUNCTIONS):
                self._inside(given, reach)
            if any(one.shape is Shape.CUSTOM for one in found):
                self._arguments(node, reach)
            return Flow.ON
        if self._promising(node):
            self._add([made(Shape.CUSTOM, [node], node)], reach)
        self._inside(node, reach)
        return Flow.ON

    def _arguments(self, node: Node, reach: Reach) -> None:
        """`assertAll(() -> …)` contains assertions, but is none itself."""
        before = len(self.assertions)
        for given in arguments(node):
            if given.type in FUNCTIONS:
                self._inside(given, reach)
        if len(self.assertions) > before:
            here = line(node)
            self.assertions = [one for one in self.assertions if one.shape is not Shape.CUSTOM or one.line != here]

    def _promising(self, node: Node) -> bool:
        parent = node.parent
        while parent is not None and parent.type in ("await", "await_expression"):
            parent = parent.parent
        stands_alone = parent is not None and parent.type in ("expression_statement", "statement_list")
        return stands_alone and looks_like_assertion(call_name(node))

    def _helper(self, node: Node, reach: Reach) -> bool:
        """Assertions of a function that the test calls count as its own."""
        name = call_name(node)
        on = text(receiver(node))
        if self.depth >= _DEPTH or (on and on not in ("self", "this", "cls", "super", "super()", "Self")):
            return False
        function = self.source.functions.get(name)
        source: Source = self.source
        if function is None:
            lent = self.source.lent(name)
            if lent is None:
                return False
            source, function = lent
        found = assertions_in(source, function, self.depth + 1)
        if not found:
            return False
        said = tuple(arguments(node))
        self._add([replace(one, operands=one.operands + said, via=one.via or name) for one in found], reach)
        return True


def _given(node: Node) -> list[Node]:
    found = list(arguments(node))
    on = receiver(node)
    if on is not None and on.type in CALLS:
        found += arguments(on)
    return found


def assertions_in(source: Source, function: Node, depth: int) -> tuple[Assertion, ...]:
    """The assertions of a function that tests call. One that calls itself asserts nothing meanwhile."""
    reach = function.start_byte
    if reach not in source.known:
        source.known[reach] = ()
        walk = Walk(source, "", depth=depth)
        block = part(function, "body")
        if block is not None:
            walk.visit(block, Reach())
        source.known[reach] = tuple(one for one in walk.assertions if one.strength > Strength.DEAD)
    return source.known[reach]
