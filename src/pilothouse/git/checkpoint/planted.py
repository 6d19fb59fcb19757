"""The programs that git would run at one checkpoint and not, or not so, at an earlier one."""

from __future__ import annotations

from collections.abc import Iterator

from pilothouse.git import programs
from pilothouse.git.checkpoint.belongings import CONFIGURATION, Belongings
from pilothouse.git.checkpoint.snapshot import Snapshot
from pilothouse.git.checkpoint.working_tree import WorkingTree
from pilothouse.git.commands import Git
from pilothouse.git.programs import Program


def between(tree: WorkingTree, old: Snapshot, new: Snapshot, prefix: str = "") -> tuple[Program, ...]:
    """Those of the working tree's own repository and of the nested ones that still exist."""
    found: list[Program] = []
    # A checkpoint of an earlier version does not know what there was.
    if old.git and new.git and old.git != new.git:
        then, now = (tuple(_held(tree, snapshot, prefix)) for snapshot in (old, new))
        found += programs.planted(then, now)
    for path, child, before, after in tree.pairs(old, new):
        found += between(child, before, after, f"{prefix}{path}/")
    for path in sorted(new.meta.nested.keys() - old.meta.nested.keys()):
        child = tree.child(path)
        found += _held(child, child.snapshots.load(new.meta.nested[path]["top"]), f"{prefix}{path}/")
    return tuple(found)


def _held(tree: WorkingTree, snapshot: Snapshot, prefix: str) -> Iterator[Program]:
    belongings = tree.snapshots.belongings(snapshot)
    before = f"{prefix.removesuffix('/')}: " if prefix else ""
    executable = {name: text for name, (bits, text) in belongings.hooks.items() if bits & 0o111}
    yield from programs.hooks({before + name: text.encode("latin-1") for name, text in executable.items()})
    yield from programs.settings(_rows(tree.shadow.git, belongings), before)


def _rows(git: Git, belongings: Belongings) -> Iterator[tuple[str, str]]:
    for name in CONFIGURATION:
        if text := belongings.files.get(name):
            yield from programs.read(git, text.encode("latin-1"))
