"""Looks up files in a git tree, and the directories above a path."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pilothouse.git.commands import Git, split_zero
from pilothouse.git.diffs import Entry
from pilothouse.git.objects import ObjectStore

FILE, EXECUTABLE, LINK = 0o100644, 0o100755, 0o120000
MOST_PATHS = 400
"""More paths than this may not fit into the arguments of a command."""


def entries(git: Git, tree: str, paths: Collection[bytes]) -> dict[bytes, Entry]:
    """Those of `paths` that are files in the tree, as entries to be written."""
    wanted = set(paths)
    named: tuple[str | bytes, ...] = ("--", *wanted) if len(wanted) <= MOST_PATHS else ()
    found = {}
    for row in split_zero(git.run("ls-tree", "-rz", "--full-tree", tree, *named)) if wanted else []:
        about, path = row.split(b"\t", 1)
        if path in wanted:
            mode, kind, name = about.decode().split(" ")
            if kind == "blob":
                found[path] = Entry(path, 0, int(mode, 8), "", name)
    return found


def names(git: Git, tree: str, below: str | None = None) -> set[bytes]:
    """The paths of all files in the tree, or of those below a directory."""
    where = () if below is None else ("--", below + "/")
    return set(split_zero(git.run("ls-tree", "-rz", "--name-only", tree, *where)))


def is_file(mode: int) -> bool:
    return mode in (FILE, EXECUTABLE)


def contents(git: Git, blobs: ObjectStore, ids: Iterable[str], limit: int) -> dict[str, bytes]:
    """The content of these blobs, without blobs larger than `limit`."""
    found = {}
    packed = []
    for name in set(ids):
        # A blob written a moment ago is still loose, and reading that takes no git process.
        loose = blobs.read(name, limit)
        if loose is None:
            packed.append(name)
        elif len(loose[1]) <= limit:
            found[name] = loose[1]
    return found | _packed_contents(git, packed, limit)


def _packed_contents(git: Git, ids: list[str], limit: int) -> dict[str, bytes]:
    small = {name: size for name, (_, size) in git.objects(ids).items() if size <= limit}
    answer = git.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in small).encode()) if small else b""
    found, at = {}, 0
    for name, size in small.items():
        start = answer.index(b"\n", at) + 1
        found[name] = answer[start : start + size]
        at = start + size + 1
    return found


def directories(paths: Iterable[bytes]) -> set[bytes]:
    """Every directory above these paths, without the root."""
    found: set[bytes] = set()
    for path in paths:
        above = path.rpartition(b"/")[0]
        while above and above not in found:
            found.add(above)
            above = above.rpartition(b"/")[0]
    return found


def ancestors(path: bytes) -> list[bytes]:
    """The directories above a path, outermost first, without the root."""
    parts = path.split(b"/")
    return [b"/".join(parts[:n]) for n in range(1, len(parts))]
