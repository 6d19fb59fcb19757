"""Reads assertions that are calls: `self.assertEqual(a, b)`, `expect(a).toBe(b)`, `assertThat(a).isEqualTo(b)`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tree_sitter import Node

from pilothouse.verify.tamper.assertions.conditions import OPPOSITES, always, compared, equality, judge, made, wild
from pilothouse.verify.tamper.assertions.vocabulary import BROAD, plain, shape_of
from pilothouse.verify.tamper.grammar import Language
from pilothouse.verify.tamper.model import Assertion, Shape, Strength
from pilothouse.verify.tamper.syntax import (
    CALLS,
    MEMBERS,
    STRINGS,
    arguments,
    bare,
    call_name,
    children,
    keyword,
    member,
    number,
    positional,
    receiver,
    text,
    tokens,
)
from pilothouse.words import say

ROOTS = frozenset({"expect", "assertThat", "verify", "assertThatThrownBy", "assertThatExceptionOfType", "should"})
_ERROR_ROOTS = frozenset({"assertThatThrownBy", "assertThatExceptionOfType", "assertThatCode"})
_GO_PACKAGES = frozenset({"assert", "require", "is", "must", "suite", "s", "c", "qt"})
_GO_FAILURES = frozenset({"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"})
_OPERATORS = {
    "greater": ">",
    "above": ">",
    "greaterequal": ">=",
    "least": ">=",
    "less": "<",
    "below": "<",
    "most": "<=",
}
_ARITY = {Shape.EQUAL: 2, Shape.NOT_EQUAL: 2, Shape.NOTHING: 1, Shape.SOMETHING: 1, Shape.COMPARE: 2, Shape.PART: 2}
_CHECKING = ("assert", "check", "expect", "verify", "should", "must", "ensure", "require")


@dataclass(frozen=True, slots=True)
class Link:
    """One name of a chain such as `expect(a).not.toBe(b)`, with what it is called with."""

    name: str
    given: list[Node] | None
    node: Node


def chain(node: Node) -> list[Link]:
    """From the outermost to the innermost."""
    links = []
    current: Node | None = node
    while current is not None:
        current = bare(current)
        if current.type in CALLS:
            links.append(Link(call_name(current), arguments(current), current))
            current = receiver(current)
        elif current.type in MEMBERS:
            name, before = member(current)
            links.append(Link(name, None, current))
            current = before
        else:
            links.append(Link(text(current), None, current))
            break
    return links


def assertions_of(node: Node, language: Language) -> list[Assertion] | None:
    """None: this call or member asserts nothing."""
    links = chain(node)
    root = next((place for place in range(len(links) - 1, -1, -1) if links[place].name in ROOTS), None)
    if root is not None and (language.is_script or language is Language.JAVA):
        return _of_chain(node, links[:root], links[root])
    if node.type not in CALLS:
        return None
    if language is Language.GO:
        return _of_go(node)
    return _of_call(node, language)


def _of_go(node: Node) -> list[Assertion] | None:
    name, on = call_name(node), text(receiver(node))
    given = arguments(node)
    if on in ("t", "b", "tb", "tt") and name in _GO_FAILURES:
        return [made(Shape.FAIL, [], node)]
    if on in _GO_PACKAGES or on.startswith(("assert", "require")):
        shape = shape_of(name)
        given = [one for one in given if text(one) not in ("t", "tb")]
        if shape is not None and shape is not Shape.FAIL:
            return called(shape, plain(name), given, node)
    if given and text(given[0]) in ("t", "tb") and not on.startswith(("context", "log")):
        return [made(Shape.CUSTOM, [node], node)]
    return None


def _of_call(node: Node, language: Language) -> list[Assertion] | None:
    name, on = call_name(node), text(receiver(node))
    word = plain(name)
    given = positional(arguments(node))
    if word in ("raises", "warns", "fail") and on in ("pytest", ""):
        return called(Shape.FAIL if word == "fail" else Shape.RAISES, word, given, node)
    if language.is_script and (name == "assert" or on in ("assert", "t", "t.assert", "assert.strict", "chai.assert")):
        shape = Shape.TRUE if name == "assert" else shape_of(name)
        return None if shape is None and on == "t" else called(shape or Shape.CUSTOM, word, given, node)
    if name.lower().startswith("assert"):
        shape = shape_of(name) or Shape.CUSTOM
        if language is Language.PYTHON and on and on not in ("self", "cls") and word in ("called", "calledonce"):
            shape = Shape.PART
        return called(shape, word, given or [node], node)
    if language is Language.JAVA and name == "fail":
        return [made(Shape.FAIL, [], node)]
    return None


def looks_like_assertion(name: str) -> bool:
    """A function that is not known here, but whose name promises a check."""
    word = name.lstrip("_").lower()
    return word.startswith(_CHECKING) and word != "assertions"


def called(shape: Shape, word: str, given: list[Node], at: Node) -> list[Assertion]:
    given = _without_message(shape, given)
    if shape in (Shape.TRUE, Shape.FALSE):
        return judge(given[0], shape is Shape.TRUE) if given else []
    if shape is Shape.RAISES:
        return [raising(given, at)]
    if shape is Shape.APPROX:
        return [made(shape, given[:2], at, tolerance=_width(word, given, at))]
    if shape is Shape.FAIL:
        return [made(shape, [], at)]
    if shape in (Shape.EQUAL, Shape.NOT_EQUAL) and len(given) == 3 and number(given[2]) is not None:
        return [made(Shape.APPROX, given[:2], at, tolerance=number(given[2]))]
    if shape in (Shape.EQUAL, Shape.NOT_EQUAL) and len(given) == 2:
        if text(given[0]) == text(given[1]):
            return [always(at)]
        return [equality(shape, given[0], given[1], at)]
    if shape is Shape.COMPARE and len(given) == 2:
        return [compared(given[0], _operator(word), given[1], at)]
    return [made(shape, given, at)]


def _without_message(shape: Shape, given: list[Node]) -> list[Node]:
    """Without the message, which JUnit 4 puts first and everybody else last."""
    arity = _ARITY.get(shape, 1 if shape in (Shape.TRUE, Shape.FALSE) else None)
    if arity is None or len(given) <= arity:
        return given
    if given[0].type in STRINGS and given[-1].type not in STRINGS and number(given[-1]) is None:
        return given[1:]
    if len(given) == arity + 1 and number(given[-1]) is not None:
        return given
    return given[:arity]


def _operator(word: str) -> str:
    for prefix in ("tobe", "is", "at"):
        word = word.removeprefix(prefix)
    return _OPERATORS.get(word.replace("than", "").replace("orequal", "equal").removesuffix("to"), ">")


def _width(word: str, given: list[Node], at: Node) -> float:
    """How far off a value may be."""
    places = number(keyword(at, "places"))
    if places is None and word == "tobecloseto":
        places = number(given[1]) if len(given) > 1 else 2.0
        if len(given) > 2:
            places = number(given[2])
    if places is not None:
        return float(0.5 * 10.0**-places)
    named = [number(keyword(at, name)) for name in ("delta", "abs", "rel", "atol", "rtol")]
    delta = next((width for width in named if width is not None), None)
    if delta is None and len(given) > 2:
        delta = number(given[2]) or next((number(one) for one in children(given[2]) if number(one)), None)
        if delta is not None and word == "almostequal":
            return float(0.5 * 10.0**-delta)
    return 0.5e-7 if delta is None else delta


def raising(given: list[Node], at: Node, detail: bool = False) -> Assertion:
    """Which error is expected, and whether it matters what it says."""
    kinds = _error_kinds(given[0]) if given else frozenset()
    message = detail or keyword(at, "match") is not None or "regex" in plain(call_name(at) if at.type in CALLS else "")
    message = message or any(one.type in STRINGS | {"regex"} for one in given)
    strength = Strength.EXACT
    if message:
        strength = Strength.DETAILED
    elif not kinds or kinds & BROAD or len(kinds) > 1:
        strength = Strength.PARTIAL
    operands = [*given, *(node for node in [keyword(at, "match")] if node is not None)]
    return made(Shape.RAISES, operands, at, strength=strength, kinds=kinds)


def _error_kinds(node: Node) -> frozenset[str]:
    if node.type == "tuple":
        return frozenset().union(*(_error_kinds(one) for one in children(node)))
    word = text(node).removesuffix(".class").removesuffix("::class").rpartition(".")[2]
    return frozenset({word}) if word[:1].isupper() else frozenset()


def _of_chain(node: Node, links: list[Link], root: Link) -> list[Assertion] | None:
    if root.name == "verify":
        return _of_mock(node, links, root)
    if root.given is not None and receiver(root.node) is not None:
        # `request(app).get("/").expect(200)`
        return [made(Shape.CUSTOM, [node], node)]
    # `expect.soft(a)`, `expect.poll(…)`; `a.should.equal(b)`.
    inner = next((link for link in reversed(links) if link.name in ("soft", "poll")), None)
    subject = root.given or (inner.given if inner is not None else None)
    if not subject:
        if root.name != "should":
            return None
        subject = [root.node]
    return _of_subject(node, [link for link in links if link is not inner], root, subject)


def _of_subject(node: Node, links: list[Link], root: Link, subject: list[Node]) -> list[Assertion]:
    if root.name in _ERROR_ROOTS:
        return [_thrown(node, links, subject)]
    if root.name == "assertThat" and len(subject) >= 2 and not links:
        return _hamcrest(subject[-2], subject[-1], node)
    denied = any(link.name in ("not", "never") for link in links)
    found = []
    for link in reversed(links):
        shape = shape_of(link.name)
        if shape is not None and (link.given is not None or shape not in (Shape.PART, Shape.EQUAL, Shape.RAISES)):
            found += _matched(shape, link, subject, denied, node)
    if found and links[0].name == "catch":
        return [one.killed(say("dead.swallowed")) for one in found]
    if found:
        return found
    if any(link.given is not None for link in links):
        return [made(Shape.CUSTOM, [node], node)]
    return [replace(always(node), why_dead=say("dead.asks_nothing"))]


def _matched(shape: Shape, link: Link, subject: list[Node], denied: bool, at: Node) -> list[Assertion]:
    given, word = link.given or [], plain(link.name)
    if shape is Shape.SNAPSHOT:
        recorded = " ".join(tokens(given[-1])) if given and "inline" in word else None
        return [made(shape, subject, at, recorded=recorded)]
    if shape is Shape.RAISES and not denied:
        kinds = _error_kinds(given[0]) if given else frozenset()
        return [raising(given, at)] if kinds else [raising(given, at, detail=bool(given))]
    if shape in (Shape.TRUE, Shape.FALSE):
        return judge(subject[0], (shape is Shape.TRUE) != denied)
    found = called(shape, word, [*subject, *given], at)
    if not denied:
        return found
    return [_denied(one) for one in found]


def _denied(found: Assertion) -> Assertion:
    shape = OPPOSITES.get(found.shape, found.shape)
    strength = found.strength
    if shape is not found.shape:
        strength = {Shape.NOT_EQUAL: Strength.PRESENT, Shape.SOMETHING: Strength.PRESENT}.get(shape, Strength.EXACT)
    if shape in (Shape.TRUE, Shape.FALSE):
        strength = Strength.TRUTH
    return replace(found, shape=shape, strength=strength, key=f"not {found.key}")


def _thrown(node: Node, links: list[Link], subject: list[Node]) -> Assertion:
    kinds = frozenset().union(*(_error_kinds(one) for link in links for one in link.given or []))
    kinds |= frozenset().union(*(_error_kinds(one) for one in subject))
    detail = any("message" in link.name.lower() for link in links)
    strength = Strength.PARTIAL if not kinds or kinds & BROAD else Strength.EXACT
    return made(Shape.RAISES, [node], node, kinds=kinds, strength=Strength.DETAILED if detail else strength)


def _hamcrest(subject: Node, matcher: Node, at: Node) -> list[Assertion]:
    if matcher.type not in CALLS:
        return judge(matcher)
    given = arguments(matcher)
    shape = shape_of(call_name(matcher)) or Shape.PART
    if call_name(matcher) == "not":
        return [made(Shape.NOT_EQUAL, [subject, *given], at)]
    if given and given[0].type in CALLS:
        return _hamcrest(subject, given[0], at)
    return called(shape, plain(call_name(matcher)), [subject, *given], at)


def _of_mock(node: Node, links: list[Link], root: Link) -> list[Assertion] | None:
    """Mockito: `verify(listener, times(1)).received("a")`."""
    if not links or root.given is None:
        return None
    often = any(one.type in CALLS and call_name(one).startswith("atLeast") for one in root.given[1:])
    given = [one for link in links for one in link.given or []]
    loose = often or any(wild(one, Strength.EXACT) < Strength.EXACT for one in given)
    return [made(Shape.CUSTOM, [node], node, strength=Strength.PARTIAL if loose else Strength.EXACT)]
