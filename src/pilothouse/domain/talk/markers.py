"""Text markers: what an agent without our tools says in a form that can be read.

    [DECISION_NEEDED priority="1" category="scope"]
    Which database?
    - Option A: SQLite (recommended)
    - Option B: PostgreSQL
    [/DECISION_NEEDED]

A marker stands on a line of its own, in capitals, and never inside a code fence. Agents forget the closing line and
garble attributes, so nothing here is refused: what was wrong is noted, and the reader decides. Time and memory are
linear in the text, however it is cut into pieces, and no text raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

LINE_LIMIT = 20_000
"""Characters of one line that are looked at; a marker is never that long."""
BODY_LIMIT = 200_000
"""Characters of one marker's body that are kept."""


class MarkerName(StrEnum):
    DECISION_NEEDED = "DECISION_NEEDED"
    PLAN_STEP = "PLAN_STEP"
    STEP_COMPLETE = "STEP_COMPLETE"
    IMPLEMENTATION_COMPLETE = "IMPLEMENTATION_COMPLETE"
    IMPLEMENTATION_STATUS = "IMPLEMENTATION_STATUS"
    PLAN_MODE_ENTERED = "PLAN_MODE_ENTERED"
    PLAN_MODE_EXITED = "PLAN_MODE_EXITED"
    PLAN_FILE = "PLAN_FILE"
    PLAN_APPROVED = "PLAN_APPROVED"
    PR_CREATED = "PR_CREATED"
    PR_APPROVED = "PR_APPROVED"
    REVIEW_CHECKPOINT = "REVIEW_CHECKPOINT"
    CI_STATUS = "CI_STATUS"


_N = MarkerName
ALONE = frozenset({_N.PLAN_MODE_ENTERED, _N.PLAN_MODE_EXITED, _N.PLAN_FILE, _N.PLAN_APPROVED})
"""Those without a body."""
HOLDS_OTHERS = frozenset({_N.REVIEW_CHECKPOINT})
_NAMES: dict[str, MarkerName] = {name.value: name for name in MarkerName}
_QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "”": "”"}


@dataclass(frozen=True, slots=True)
class Marker:
    name: MarkerName
    attributes: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    line: int = 1
    """Where it begins in the text, from 1."""
    closed: bool = True
    """Whether its closing line came; one without a body always counts as closed."""
    damaged: bool = False
    """Whether its first line could only be read in part, or its body was too long to keep."""
    within: MarkerName | None = None
    """The marker it stands in."""

    @property
    def sound(self) -> bool:
        return self.closed and not self.damaged

    @property
    def raw(self) -> str:
        """It, as it would have been written."""
        given = "".join(f' {key}="{value}"' for key, value in self.attributes.items())
        return f"[{self.name}{given}]\n{self.body}".rstrip()


class _Open:
    __slots__ = ("attributes", "body", "damaged", "line", "name", "size", "within")

    def __init__(self, tag: _Tag, line: int, within: MarkerName | None) -> None:
        self.name, self.attributes, self.damaged = tag.name, tag.attributes, tag.damaged
        self.line, self.within = line, within
        self.body: list[str] = []
        self.size = 0

    def add(self, line: str) -> None:
        if self.size + len(line) > BODY_LIMIT:
            line, self.damaged = line[: max(0, BODY_LIMIT - self.size)], True
        self.size += len(line) + 1
        if self.size <= BODY_LIMIT + 1:
            self.body.append(line)

    def marker(self, closed: bool) -> Marker:
        body = "\n".join(self.body).strip("\n")
        return Marker(self.name, self.attributes, body, self.line, closed, self.damaged, self.within)


class MarkerParser:
    """Takes text in pieces of any size and gives back each marker as soon as it is complete."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._number = 0
        self._fence = ""
        self._outer: _Open | None = None
        self._open: _Open | None = None

    def feed(self, text: str) -> list[Marker]:
        found: list[Marker] = []
        start = 0
        while (end := text.find("\n", start)) >= 0:
            self._keep(text[start:end])
            self._line(found)
            start = end + 1
        self._keep(text[start:])
        return found

    def close(self) -> list[Marker]:
        """Ends the text, and with it every marker that is still open."""
        found: list[Marker] = []
        if self._length:
            self._line(found)
        self._end(found, closed=False)
        self._end_outer(found, closed=False)
        return found

    def _keep(self, piece: str) -> None:
        room = LINE_LIMIT - self._length
        if piece and room > 0:
            self._pieces.append(piece[:room])
            self._length += min(len(piece), room)

    def _line(self, found: list[Marker]) -> None:
        line = "".join(self._pieces).removesuffix("\r")
        self._pieces.clear()
        self._length = 0
        self._number += 1
        tag = None if self._in_code(line) else tag_of(line)
        if tag is None:
            target = self._open or self._outer
            if target:
                target.add(line)
        elif tag.closes:
            self._closing(tag.name, found)
        else:
            self._opening(tag, found)

    def _in_code(self, line: str) -> bool:
        """Whether the line is inside a fence, or opens or closes one."""
        mark = fence_mark(line)
        if self._fence:
            rest = line.strip()
            if mark and mark.startswith(self._fence) and rest == mark:
                self._fence = ""
            return True
        self._fence = mark
        return bool(mark)

    def _opening(self, tag: _Tag, found: list[Marker]) -> None:
        within = self._outer.name if self._outer else None
        if tag.name in ALONE:
            inside = self._open.name if self._open else within
            found.append(Marker(tag.name, tag.attributes, line=self._number, damaged=tag.damaged, within=inside))
            return
        self._end(found, closed=False)
        if tag.name in HOLDS_OTHERS:
            self._end_outer(found, closed=False)
            self._outer = _Open(tag, self._number, None)
        else:
            self._open = _Open(tag, self._number, within)

    def _closing(self, name: MarkerName, found: list[Marker]) -> None:
        """Ends the open marker also at another marker's closing line: it was meant for it, or came after it."""
        if name in ALONE:
            return
        self._end(found, closed=bool(self._open and self._open.name is name))
        if name in HOLDS_OTHERS:
            self._end_outer(found, closed=True)

    def _end(self, found: list[Marker], *, closed: bool) -> None:
        if self._open:
            found.append(self._open.marker(closed))
            self._open = None

    def _end_outer(self, found: list[Marker], *, closed: bool) -> None:
        if self._outer:
            found.append(self._outer.marker(closed))
            self._outer = None


def parse(text: str) -> list[Marker]:
    """Every marker of a text, in the order they end."""
    parser = MarkerParser()
    return [*parser.feed(text), *parser.close()]


@dataclass(frozen=True, slots=True)
class _Tag:
    name: MarkerName
    closes: bool
    attributes: dict[str, str]
    damaged: bool


def tag_of(line: str) -> _Tag | None:
    """The marker whose first or last line this is; None if the line says anything else."""
    line = line.strip()
    if not line.startswith("["):
        return None
    closes = line.startswith("[/")
    start = end = 2 if closes else 1
    while end < len(line) and (line[end] == "_" or "A" <= line[end] <= "Z"):
        end += 1
    name = _NAMES.get(line[start:end])
    if name is None or (end < len(line) and line[end] != "]" and not line[end].isspace()):
        return None
    attributes, at, damaged = _attributes(line, end)
    if at >= len(line):
        # The bracket was never closed. A closing line may lack it; words behind a name are prose.
        return _Tag(name, closes, attributes, True) if attributes or end == len(line) else None
    return _Tag(name, closes, attributes, damaged) if at == len(line) - 1 else None


def _attributes(line: str, at: int) -> tuple[dict[str, str], int, bool]:
    """Attributes from `at` on, where the bracket closes (or the line ends), and whether some could not be read."""
    found: dict[str, str] = {}
    damaged = False
    while at < len(line) and line[at] != "]":
        if line[at].isspace() or line[at] == ",":
            at += 1
            continue
        name_end = at
        while name_end < len(line) and (line[name_end].isalnum() or line[name_end] in "_-"):
            name_end += 1
        if name_end == at or name_end >= len(line) or line[name_end] != "=":
            damaged = True
            at = max(name_end, at + 1)
            continue
        value, after, whole = _value(line, name_end + 1)
        found.setdefault(line[at:name_end], value)
        damaged = damaged or not whole
        at = after
    return found, at, damaged


def _value(line: str, at: int) -> tuple[str, int, bool]:
    """The value at `at`, where it ends, and whether it was written correctly."""
    quote = _QUOTES.get(line[at : at + 1])
    if quote is None:
        end = at
        while end < len(line) and line[end] != "]" and not line[end].isspace():
            end += 1
        return line[at:end], end, end > at
    end = line.find(quote, at + 1)
    while end > 0 and line[end - 1] == "\\":
        end = line.find(quote, end + 1)
    if end < 0:
        # Without its second quotation mark a value ends where the marker does.
        end = len(line) - 1 if line.endswith("]") else len(line)
        return line[at + 1 : max(end, at + 1)], max(end, at + 1), False
    return line[at + 1 : end].replace(f"\\{quote}", quote), end + 1, True


def fence_mark(line: str) -> str:
    """The mark of a line that may open or close a code fence: its backticks or tildes."""
    line = line.strip()
    if not line.startswith(("```", "~~~")):
        return ""
    rest = line.lstrip(line[0])
    # Backticks behind the mark make it code within a line.
    if line[0] == "`" and "`" in rest:
        return ""
    return line[: len(line) - len(rest)]
