"""The limits a person writes into a request: told apart from it, and put together."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pilothouse.domain.task.task import Scope

_SECTIONS = {"constraints": "constraints", "non-goals": "non_goals", "boundaries": "boundaries"}
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s+(?P<text>\S.*)")
_FENCE = re.compile(r"\s*(```|~~~)")


def scope_from_text(text: str) -> tuple[str, Scope]:
    """Split `Constraints:`, `Non-goals:` and `Boundaries:` lists off a request; what is left is the request.

    A heading counts only when a list follows it, and never inside a code fence: a request must not lose a word.
    """
    found: dict[str, list[str]] = {name: [] for name in _SECTIONS.values()}
    kept: list[str] = []
    lines = text.split("\n")
    fenced, at = False, 0
    while at < len(lines):
        fenced ^= bool(_FENCE.match(lines[at]))
        name = _SECTIONS.get(lines[at].strip().rstrip(":").lower()) if lines[at].strip().endswith(":") else None
        items, after = _list_after(lines, at + 1) if name and not fenced else ([], at + 1)
        if name and items:
            found[name] += items
        else:
            kept.append(lines[at])
        at = after if items else at + 1
    return "\n".join(kept).strip(), Scope(**{name: tuple(items) for name, items in found.items()})


def _list_after(lines: list[str], start: int) -> tuple[list[str], int]:
    """The items of the list that begins here, with their continuation lines, and the line behind it."""
    items: list[str] = []
    at = start
    while at < len(lines):
        line = lines[at]
        item = _ITEM.match(line)
        continues = items and line[:1].isspace() and lines[at - 1].strip()
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
