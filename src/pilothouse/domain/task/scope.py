"""The limits of a task: reads them from a request, and finds the changed files outside of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.words import say

_SECTIONS = {"constraints": "constraints", "nongoals": "non_goals", "boundaries": "boundaries"}
# `Constraints:`, `**Constraints:**`, `## Constraints`, each perhaps as the head of a list item.
_HEAD = re.compile(
    r"(?P<indent>\s*)(?P<item>(?:[-*•+]|\d{1,3}[.)])\s+)?(?P<level>\#{1,6}\s+)?(?P<bold>\*\*|__)?"
    r"(?P<name>constraints|non[- ]?goals|boundaries)(?P<colon>:)?(?:\*\*|__)?(?P<after>:)?\s*(?:\#*\s*)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s+(?P<text>\S.*)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_QUOTED = re.compile(r"[`'\"“”]([^`'\"“”]+)[`'\"“”]")
# A word of a sentence that can only be meant as a path: with a slash, a wildcard, or an extension.
_PATH_WORD = re.compile(r"(?<![^\s(,;:`'\"“”])[\w.@*?\[\]-]*(?:/|\*|\.\w)[\w./@*?\[\]-]*")
# "Only src/api" names the place to work in, which is the opposite of a place to stay out of.
_ALLOWED_AREA = re.compile(r"\s*(?:only|just|stay (?:in|inside|within)|within|inside|nothing but)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scope:
    """Limits the person set; repeated in every prompt and never altered."""

    constraints: tuple[str, ...] = ()
    non_goals: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()

    @property
    def titled(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return ("Constraints", self.constraints), ("Non-goals", self.non_goals), ("Boundaries", self.boundaries)


def scope_from_text(text: str) -> tuple[str, Scope]:
    """Split `Constraints:`, `Non-goals:` and `Boundaries:` lists off a request; what is left is the request.

    A heading counts only when a list follows it, and never inside a code fence: a request must not lose a word.
    """
    found: dict[str, list[str]] = {name: [] for name in _SECTIONS.values()}
    kept: list[str] = []
    lines = text.split("\n")
    fence, at = "", 0
    while at < len(lines):
        fence = _fence_after(fence, lines[at])
        head = None if fence else _head(lines[at])
        items, after = _list_after(lines, at + 1, head) if head else ([], at + 1)
        if head and items:
            found[_section(head)] += items
        else:
            kept.append(lines[at])
        at = after if items else at + 1
    return "\n".join(kept).strip(), Scope(**{name: tuple(items) for name, items in found.items()})


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open behind this line, empty outside of code."""
    mark = _FENCE.match(line)
    if mark is None:
        return fence
    if not fence:
        return mark[1]
    return "" if mark[1].startswith(fence) and not mark[2].strip() else fence


def _head(line: str) -> re.Match[str] | None:
    head = _HEAD.fullmatch(line)
    return head if head and any(head[mark] for mark in ("level", "bold", "colon", "after")) else None


def _section(head: re.Match[str]) -> str:
    return _SECTIONS[re.sub(r"[- ]", "", head["name"].lower())]


def _list_after(lines: list[str], start: int, head: re.Match[str]) -> tuple[list[str], int]:
    """The items of the list that begins here, each as one line, and the number of the line after the list.

    The list below a list item's head is what is indented more than that item.
    """
    items: list[str] = []
    least = len(head["indent"]) + 1 if head["item"] else 0
    at = start
    while at < len(lines):
        line = lines[at]
        item = _ITEM.match(line)
        continues = items and line[:1].isspace() and lines[at - 1].strip()
        if line.strip() and (len(line) - len(line.lstrip()) < least or _head(line)):
            break
        if item:
            items.append(item["text"].strip())
        elif line.strip() and continues:
            items[-1] += " " + line.strip()
        elif line.strip():
            break
        at += 1
    return items, at


def merge_scope(*scopes: Scope) -> Scope:
    def joined(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item for items in lists for item in items))

    return Scope(
        joined(s.constraints for s in scopes),
        joined(s.non_goals for s in scopes),
        joined(s.boundaries for s in scopes),
    )


def outside(paths: Iterable[str], package: str | None, boundaries: Sequence[str] = ()) -> list[Doubt]:
    """Every changed file outside `package`, and every one that a boundary names; paths are relative to the root.

    A boundary is often prose. Only what it names as a path or a glob counts, as git's ignore rules read it: without a
    slash it is a name at any depth. Whether such a path exists need not be asked, for only one that holds a changed
    file is ever told.
    """
    inside = package.strip("/") + "/" if package and package.strip("/") not in ("", ".") else ""
    named = [(boundary, pattern) for boundary in boundaries for pattern in patterns(boundary)]
    doubts: list[Doubt] = []
    for path in sorted(set(paths)):
        if inside and not path.startswith(inside):
            message = say("doubt.outside_package", path=path, package=inside[:-1])
            doubts.append(Doubt(DoubtKind.OUTSIDE_PACKAGE, path, None, inside[:-1], message))
        boundary = next((boundary for boundary, pattern in named if expression(pattern).match(path)), None)
        if boundary is not None:
            message = say("doubt.outside_boundary", path=path, boundary=boundary)
            doubts.append(Doubt(DoubtKind.OUTSIDE_BOUNDARY, path, None, boundary, message))
    return doubts


def patterns(boundary: str) -> list[str]:
    """The paths and globs that a boundary names; none when it is prose, or when it names where to work."""
    text = boundary.strip()
    if _ALLOWED_AREA.match(text):
        return []
    if not re.search(r"\s", text.strip("`'\"“”")):
        return [found] if (found := _cleaned(text)) else []
    words = [*_QUOTED.findall(text), *_PATH_WORD.findall(text)]
    return list(dict.fromkeys(found for word in words if (found := _cleaned(word))))


def _cleaned(word: str) -> str:
    word = word.strip().strip("`'\"“”(),;:").removeprefix("./")
    word = word if word.endswith("**") else word.rstrip(".")
    return "" if word.strip("/*.?") == "" or " " in word else word


@cache
def expression(pattern: str) -> re.Pattern[str]:
    """A path or glob as git's ignore rules read it; it matches what is named, and what lies below it."""
    anchored = "/" in pattern.rstrip("/")
    body = re.sub(r"\*\*/|\*\*|\*|\?|\[[^\]]+\]|.", lambda part: _translated(part[0]), pattern.strip("/"))
    # What lies below a named folder is named with it.
    return re.compile(("" if anchored else "(?:.*/)?") + body + r"(?:/.*)?\Z", re.DOTALL)


def _translated(part: str) -> str:
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if part in wild:
        return wild[part]
    if len(part) > 2 and part[0] == "[":
        return _set(part[1:-1]) or re.escape(part)
    return re.escape(part)


def _set(inner: str) -> str:
    """The set of characters as a regular expression; empty if it is not a set (`[z-a]`)."""
    body = re.escape(inner.removeprefix("!")).replace(r"\-", "-")
    expression = f"[^{body}]" if inner.startswith("!") else f"[{body}]"
    try:
        re.compile(expression)
    except re.error:
        return ""
    return expression
