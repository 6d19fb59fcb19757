"""Which changed files a task should have left alone: outside its package, or where a boundary says to stay out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from pilothouse.domain.task.doubts import Finding, FindingKind
from pilothouse.words import say

_QUOTED = re.compile(r"[`'\"“”]([^`'\"“”]+)[`'\"“”]")
# A word of a sentence that can only be meant as a path: with a slash, a wildcard, or an extension.
_PATH_WORD = re.compile(r"(?<![^\s(,;:`'\"“”])[\w.@*?\[\]-]*(?:/|\*|\.\w)[\w./@*?\[\]-]*")
# "Only src/api" names the place to work in, which is the opposite of a place to stay out of.
_ALLOWED_AREA = re.compile(r"\s*(?:only|just|stay (?:in|inside|within)|within|inside|nothing but)\s", re.IGNORECASE)


def outside(paths: Iterable[str], package: str | None, boundaries: Sequence[str] = ()) -> list[Finding]:
    """Every changed file outside `package`, and every one that a boundary names; paths are relative to the root.

    A boundary is often prose. Only what it names as a path or a glob counts, as git's ignore rules read it: without a
    slash it is a name at any depth. Whether such a path exists need not be asked, for only one that holds a changed
    file is ever told.
    """
    inside = package.strip("/") + "/" if package and package.strip("/") not in ("", ".") else ""
    named = [(boundary, pattern) for boundary in boundaries for pattern in patterns(boundary)]
    findings: list[Finding] = []
    for path in sorted(set(paths)):
        if inside and not path.startswith(inside):
            message = say("doubt.outside_package", path=path, package=inside[:-1])
            findings.append(Finding(FindingKind.OUTSIDE_PACKAGE, path, None, inside[:-1], message))
        boundary = next((boundary for boundary, pattern in named if _expression(pattern).match(path)), None)
        if boundary is not None:
            message = say("doubt.outside_boundary", path=path, boundary=boundary)
            findings.append(Finding(FindingKind.OUTSIDE_BOUNDARY, path, None, boundary, message))
    return findings


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
def _expression(pattern: str) -> re.Pattern[str]:
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
    """A set of characters, or nothing where it is none (`[z-a]`)."""
    body = re.escape(inner.removeprefix("!")).replace(r"\-", "-")
    expression = f"[^{body}]" if inner.startswith("!") else f"[{body}]"
    try:
        re.compile(expression)
    except re.error:
        return ""
    return expression
