"""What is known of tests and assertions, in the same terms for all languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cached_property

from tree_sitter import Node

from pilothouse.verify.tamper.grammar import Language
from pilothouse.verify.tamper.syntax import mentions, tokens


class Strength(IntEnum):
    """How much an assertion rules out."""

    DEAD = 0
    """Nothing: it is always true, never reached, or its failure is swallowed."""
    PRESENT = 1
    """There is something, whatever it is; or it is not this one value."""
    TRUTH = 2
    """True or false."""
    PARTIAL = 3
    """Something about the value: a part of it, its type, its order."""
    EXACT = 4
    DETAILED = 5
    """Not only which error, but also what it says."""


class Shape(StrEnum):
    EQUAL = "equal"
    NOT_EQUAL = "not equal"
    NOTHING = "nothing"
    SOMETHING = "something"
    TRUE = "true"
    FALSE = "false"
    PART = "part"
    COMPARE = "compare"
    APPROX = "approx"
    RAISES = "raises"
    FAIL = "fail"
    SNAPSHOT = "snapshot"
    CUSTOM = "custom"
    ALWAYS = "always true"


@dataclass(frozen=True)
class Assertion:
    shape: Shape
    strength: Strength
    key: str
    """The same for assertions that say the same in another library's words."""
    line: int
    operands: tuple[Node, ...] = field(default=(), repr=False)
    tolerance: float = 0.0
    bound: tuple[str, float] | None = None
    """`(">=", 0.9)`"""
    kinds: frozenset[str] = frozenset()
    """The errors that are accepted."""
    recorded: str | None = None
    """The snapshot written into the test."""
    empty: bool = False
    """Compares with an empty or zero value, which `not x` says as well."""
    conditions: tuple[str, ...] = ()
    """It is reached only under these."""
    looped: bool = False
    via: str = ""
    """The function that the test calls, and that makes the assertion."""
    why_dead: str = ""

    @cached_property
    def _mentioned(self) -> tuple[frozenset[str], frozenset[str]]:
        return mentions(self.operands)

    @property
    def names(self) -> frozenset[str]:
        return self._mentioned[0]

    @property
    def literals(self) -> frozenset[str]:
        return self._mentioned[1]

    @property
    def alive(self) -> bool:
        return self.strength > Strength.DEAD

    def killed(self, why: str) -> Assertion:
        return self if not self.alive else replace(self, strength=Strength.DEAD, why_dead=why)


class Mark(StrEnum):
    SKIP = "skip"
    XFAIL = "xfail"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Marker:
    mark: Mark
    condition: str
    """Empty: always."""
    line: int
    owner: str
    """The test, class or file it was put on."""


@dataclass(frozen=True)
class Anatomy:
    """What the body of a test or function holds."""

    assertions: tuple[Assertion, ...]
    markers: tuple[Marker, ...]
    tables: tuple[Node, ...]
    """What the test is run for."""
    nodes: tuple[Node, ...]
    """Its whole text."""
    rows: int
    empty: bool

    @cached_property
    def _mentioned(self) -> tuple[frozenset[str], frozenset[str]]:
        return mentions((*self.nodes, *self.tables))

    @property
    def names(self) -> frozenset[str]:
        return self._mentioned[0]

    @cached_property
    def literals(self) -> frozenset[str]:
        """A row may be one string: `"1, I"` has both."""
        found = self._mentioned[1]
        return (
            found | {piece.strip() for one in found if "," in one for piece in one.split(",")} if self.rows else found
        )


@dataclass(eq=False)
class Unit:
    """One test, or one named part of it that is reported separately."""

    name: str
    node: Node
    """With decorators, attributes and annotations where the grammar holds them together."""
    body: Node | None
    line: int
    source: Source
    owners: tuple[str, ...] = ()
    """Class, module or `describe` around it."""
    markers: tuple[Marker, ...] = ()
    tables: tuple[Node, ...] = ()
    """What parametrises it from outside its body."""
    extra: tuple[Assertion, ...] = ()
    """Asserted from outside its body: `@Test(expected = …)`, `#[should_panic]`."""
    header: bytes = b""
    apart: frozenset[int] = frozenset()
    """Where parts begin that are units of their own."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Of its body; a body is walked once, however often it is compared."""
        return tuple(tokens(self.body)) if self.body is not None else ()

    @property
    def written(self) -> bytes:
        return self.header + (self.node.text or b"")


@dataclass(eq=False)
class Source:
    """One version of one test file."""

    path: str
    language: Language
    root: Node
    units: list[Unit] = field(default_factory=list)
    functions: dict[str, Node] = field(default_factory=dict)
    """What tests may call, by name."""
    constants: dict[str, Node] = field(default_factory=dict)
    lent: Callable[[str], tuple[Source, Node] | None] = lambda _: None
    """Finds a function in another file of the change."""
    known: dict[int, tuple[Assertion, ...]] = field(default_factory=dict)
    """Assertions of the functions read so far, by where they begin."""
