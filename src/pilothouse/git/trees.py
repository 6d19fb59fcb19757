"""Looking paths up in the tree of a checkpoint."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from pilothouse.git.commands import Git, split_zero
from pilothouse.git.diffs import Entry

LINK = 0o120000
NONE = ""


MOST_PATHS = 400
"""More than these are not named one by one: there may be more than arguments fit."""


def entries(git: Git, tree: str, paths: Collection[bytes]) -> dict[bytes, Entry]:
    """The files among `paths`, as entries to be written."""
    wanted = set(paths)
    named: tuple[str | bytes, ...] = ("--", *wanted) if len(wanted) <= MOST_PATHS else ()
    found = {}
    for row in split_zero(git.run("ls-tree", "-rz", "--full-tree", tree, *named)) if wanted else []:
        about, path = row.split(b"\t", 1)
        if path in wanted:
            mode, kind, name = about.decode().split(" ")
            if kind == "blob":
                found[path] = Entry(path, 0, int(mode, 8), NONE, name)
    return found


def contents(git: Git, names: Iterable[str], limit: int) -> dict[str, bytes]:
    """The blobs of these names, without those that are larger than `limit`."""
    asked = sorted(set(names))
    if not asked:
        return {}
    check = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin="\n".join(asked).encode() + b"\n")
    sizes = dict(row.split(" ") for row in check.decode().splitlines())
    small = [name for name in asked if sizes[name].isdigit() and int(sizes[name]) <= limit]
    answer = git.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in small).encode())
    found, at = {}, 0
    for name in small:
        start = answer.index(b"\n", at) + 1
        found[name] = answer[start : start + int(sizes[name])]
        at = start + int(sizes[name]) + 1
    return found


def split(paths: Iterable[bytes], nested: Iterable[str]) -> tuple[set[bytes], dict[str, set[bytes]]]:
    """The paths of a working tree itself, and those of each working tree nested in it, relative to that."""
    own: set[bytes] = set()
    below: dict[str, set[bytes]] = {}
    tops = {os.fsencode(path) + b"/": path for path in nested}
    for path in paths:
        top = next((top for top in tops if path.startswith(top)), None)
        if top is None:
            own.add(path)
        else:
            below.setdefault(tops[top], set()).add(path.removeprefix(top))
    return own, below
