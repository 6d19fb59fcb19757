"""Looking paths up in the tree of a checkpoint, and the directories they lie in."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.commands import Git, split_zero
from pilothouse.git.diffs import Entry

FILE, PROGRAM, LINK = 0o100644, 0o100755, 0o120000
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


def is_file(mode: int) -> bool:
    return mode in (FILE, PROGRAM)


def contents(shadow: Shadow, names: Iterable[str], limit: int) -> dict[str, bytes]:
    """The blobs of these names, without those that are larger than `limit`."""
    found = {}
    rest = []
    for name in set(names):
        # What was written a moment ago is loose still, and reading that takes no git process.
        loose = shadow.blobs.read(name, limit)
        if loose is None:
            rest.append(name)
        elif len(loose[1]) <= limit:
            found[name] = loose[1]
    return found | _asked(shadow.git, sorted(rest), limit)


def _asked(git: Git, asked: list[str], limit: int) -> dict[str, bytes]:
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


def directories(paths: Iterable[bytes]) -> set[bytes]:
    """Every directory on the way to these paths, the root apart."""
    found: set[bytes] = set()
    for path in paths:
        above = path.rpartition(b"/")[0]
        while above and above not in found:
            found.add(above)
            above = above.rpartition(b"/")[0]
    return found
