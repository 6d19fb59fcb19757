"""Finds recorded results that were replaced or dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.words import say

_JEST = re.compile(r"^exports\[`(?P<name>(?:[^`\\]|\\.)*)`\] = (?P<body>`(?:[^`\\]|\\.)*`);", re.MULTILINE | re.DOTALL)
_AMBER = re.compile(r"^# name: (?P<name>.*)\n(?P<body>.*?)^# ---$", re.MULTILINE | re.DOTALL)
_INSTA = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)


def entries(path: str, content: bytes) -> dict[str, tuple[int, str]]:
    """Each recorded result by name: the line it begins at, and what was recorded."""
    written = content.decode("utf-8", "replace")
    for pattern in (_JEST, _AMBER):
        found = {
            match["name"]: (written.count("\n", 0, match.start()) + 1, match["body"].strip())
            for match in pattern.finditer(written)
        }
        if found:
            return found
    name = PurePosixPath(path).name
    if path.endswith(".snap"):
        return {name: (1, _INSTA.sub("", written).strip())}
    return {name: (1, written if "\ufffd" not in written else content.hex())}


def compare(old_path: str, old: bytes, path: str, new: bytes | None, tested: Mapping[str, bool]) -> Iterator[Doubt]:
    """`tested` says for each test of the change, by name, whether it still exists."""
    before = entries(old_path, old)
    after = entries(path, new) if new is not None else {}
    came = [body for name, (_, body) in after.items() if name not in before]
    moved = next(iter(after.values())) if old_path != path and len(after) == len(before) == 1 else None
    for name, (line, body) in before.items():
        now = after.get(name) or moved
        if now is not None and now[1] != body:
            yield _doubt(path, now[0], name, say("doubt.snapshot.replaced"))
        elif now is None and body in came:
            came.remove(body)
        elif now is None and not _test_is_gone(name, path, tested):
            yield _doubt(path, line, name, say("doubt.snapshot.deleted"))


def _test_is_gone(name: str, path: str, tested: Mapping[str, bool]) -> bool:
    """Whether its test is gone; that is reported separately."""
    about = f"{path} {name}"
    return any(not there for test, there in tested.items() if test and test in about)


def _doubt(path: str, line: int, name: str, message: str) -> Doubt:
    return Doubt(DoubtKind.SNAPSHOT_REWRITTEN, path, line, name, message)
