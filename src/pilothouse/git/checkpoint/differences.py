"""What differs between two snapshots, or a snapshot and the present, in a working tree and those nested in it."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping

from pilothouse.git import diffs, trees
from pilothouse.git.checkpoint.snapshot import Meta, Present, Snapshot
from pilothouse.git.checkpoint.working_tree import WorkingTree
from pilothouse.git.model import ChangeStatus, FileChange
from pilothouse.git.names import spelled

Contents = dict[str, bytes | None]
"""What files hold, by path; None: there is no such file."""


def same(tree: WorkingTree, then: Snapshot, now: Present) -> bool:
    old, new = then.meta, now.snapshot.meta
    fields = ("head", "branch", "private_refs", "state", "usual")
    if then.scanned != now.snapshot.scanned or any(getattr(old, name) != getattr(new, name) for name in fields):
        return False
    if {path: bits for path, bits in old.modes.items() if path not in old.extras} != new.modes:
        return False
    if set(old.empty_directories).difference(old.extras) != set(new.empty_directories):
        return False
    if old.links != new.links or not _same_directories(old, new):
        return False
    if old.nested.keys() - set(old.extras) != new.nested.keys():
        return False
    if tree.snapshots.belongings(then).standing != tree.problem:
        return False
    if not tree.snapshots.same_index(then, now.snapshot):
        return False
    for path, child in now.nested.items():
        part = tree.child(path)
        if not same(part, part.snapshots.load(old.nested[path]["top"]), child):
            return False
    return True


def patch(
    tree: WorkingTree, then: Snapshot, now: Snapshot, path: str | None = None, prefix: str = ""
) -> Generator[bytes, None, None]:
    """Of all files, or of one."""
    if path is None:
        yield from diffs.patch(tree.shadow.git, then.scanned, now.scanned, prefix=prefix)
    for name, child, old, new in tree.pairs(then, now):
        if path is None:
            yield from patch(child, old, new, None, f"{prefix}{name}/")
        elif path.startswith(name + "/"):
            yield from patch(child, old, new, path.removeprefix(name + "/"), f"{prefix}{name}/")
            return
    if path is not None:
        yield from diffs.patch(tree.shadow.git, then.scanned, now.scanned, path, prefix)


def changes(tree: WorkingTree, then: Snapshot, now: Snapshot, prefix: str = "") -> list[FileChange]:
    found = list(diffs.stat(tree.shadow.git, then.scanned, now.scanned, prefix).files)
    for path, child, old, new in tree.pairs(then, now):
        found += changes(child, old, new, f"{prefix}{path}/")
    for path in then.meta.nested.keys() ^ now.meta.nested.keys():
        status: ChangeStatus = "added" if path in now.meta.nested else "deleted"
        found.append(FileChange(spelled(f"{prefix}{path}/"), status, None, None, None, True))
    return found


def contents(
    tree: WorkingTree, then: Snapshot, now: Snapshot, paths: frozenset[bytes], limit: int, prefix: str = ""
) -> tuple[Contents, Contents]:
    """The content, then and now, of those of `paths` that differ, without files over `limit`."""
    every = diffs.entries(tree.shadow.git, then.scanned, now.scanned)
    differ = [entry for entry in every if os.fsencode(prefix) + entry.path in paths]
    olds = {entry.path: entry.old for entry in differ if trees.is_file(entry.old_mode)}
    news = {entry.path: entry.new for entry in differ if trees.is_file(entry.new_mode)}
    blobs = trees.contents(tree.shadow.git, tree.shadow.blobs, {*olds.values(), *news.values()}, limit)

    def named(names: Mapping[bytes, str]) -> Contents:
        fits = [e.path for e in differ if e.path not in names or names[e.path] in blobs]
        return {spelled(os.fsencode(prefix) + path): blobs.get(names.get(path, "")) for path in fits}

    before, after = named(olds), named(news)
    for path, child, old, new in tree.pairs(then, now):
        below = contents(child, old, new, paths, limit, f"{prefix}{path}/")
        before, after = before | below[0], after | below[1]
    return before, after


def _same_directories(old: Meta, new: Meta) -> bool:
    """An older checkpoint knows nothing of directories, and an undo checkpoint of ignored ones too."""
    if old.directories is None or new.directories is None:
        return True
    then = {path: bits for path, bits in old.directories.items() if path not in old.extras}
    return (old.usual_directory, then) == (new.usual_directory, new.directories)
