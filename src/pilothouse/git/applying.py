"""Writing a proposal over a workspace: exactly its bytes where the workspace is what it started from, else merged."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pilothouse.git import diffs, trees
from pilothouse.git.diffs import Entry
from pilothouse.git.ignores import ignored
from pilothouse.git.merging import Clash, Side, three_way
from pilothouse.git.model import FileChange, FileClash
from pilothouse.git.plan import EXECUTABLE, LINK
from pilothouse.git.restore import Restorer
from pilothouse.git.snapshot import Meta, Snapshot
from pilothouse.git.workspace import Present, WorkingTree
from pilothouse.words import say

FILE = 0o100644


@dataclass(slots=True)
class Change:
    """What a proposal does to one working tree as it is now; nested ones have their own."""

    tree: WorkingTree
    prefix: str
    present: Present
    meta: Meta
    """The permission bits of the files that are written."""
    write: list[Entry] = field(default_factory=list)
    remove: list[bytes] = field(default_factory=list)
    modes: dict[bytes, int] = field(default_factory=dict)
    emptied: set[str] = field(default_factory=set)
    """Directories of files that are gone already: a kill may have come before they were removed with their last."""
    hidden: set[bytes] = field(default_factory=set)
    """Files that no scan tells of, because they are ignored, and that are written or removed."""
    merged: bool = False
    clashes: list[FileClash] = field(default_factory=list)
    nested: dict[str, Change] = field(default_factory=dict)

    def every(self) -> Iterator[Change]:
        yield self
        for child in self.nested.values():
            yield from child.every()

    def saved(self) -> Present:
        """The present with every byte that is about to go, to be kept as the undo checkpoint."""
        nested = {**self.present.nested, **{path: child.saved() for path, child in self.nested.items()}}
        return Present(self.tree.with_losses(self.present.snapshot, self, nested, ()), nested)

    def apply(self, patience: float, on_change: Callable[[], None]) -> None:
        for change in self.every():
            restorer = Restorer(change.tree.shadow, change.tree.snapshots, patience, on_change)
            restorer.put(change.write, change.remove, change.meta, change.modes)
            for directory in sorted(change.emptied, reverse=True):
                restorer.prune(directory)

    def name(self) -> str:
        """Names what would be written, so that a person confirms this and nothing else."""
        digest = hashlib.sha256()
        for change in self.every():
            rows = [(entry.path, f"{entry.new_mode:o} {entry.new}") for entry in change.write]
            rows += [(path, "removed") for path in change.remove]
            rows += [(path, f"{bits:o}") for path, bits in change.modes.items()]
            for path, what in sorted(rows):
                digest.update(os.fsencode(change.prefix) + path + b"\0" + what.encode() + b"\0")
        return digest.hexdigest()

    def target(self) -> str:
        """The tree of the files as it would be."""
        git = self.tree.shadow.git
        index = self.tree.shadow.scratch("index-merge")
        index.unlink(missing_ok=True)
        env = {"GIT_INDEX_FILE": str(index)}
        git.run("read-tree", self.present.snapshot.scanned, env=env)
        zeros = "0" * self.tree.repository.id_length * 2
        rows = [f"0 {zeros}\t".encode() + path for path in self.remove]
        rows += [f"{entry.new_mode:o} {entry.new}\t".encode() + entry.path for entry in self.write]
        git.run("update-index", "--replace", "-z", "--index-info", stdin=b"".join(row + b"\0" for row in rows), env=env)
        return git.text("write-tree", env=env)

    def changes(self) -> list[FileChange]:
        then = self.present.snapshot.scanned
        found = list(diffs.stat(self.tree.shadow.git, then, self.target(), self.prefix).files)
        return found + [change for child in self.nested.values() for change in child.changes()]

    def patch(self) -> Generator[bytes, None, None]:
        then = self.present.snapshot.scanned
        yield from diffs.patch(self.tree.shadow.git, then, self.target(), prefix=self.prefix)
        for child in self.nested.values():
            yield from child.patch()

    def save_first(self) -> frozenset[bytes]:
        return frozenset(self.hidden)

    def ignored_and_absent(self) -> list[bytes]:
        free = sorted(entry.path for entry in self.write if not os.path.lexists(self.at(entry.path)))
        real = [path for path in free if not any(os.path.islink(self.at(above)) for above in _ancestors(path))]
        return sorted(ignored(self.tree.shadow.git, real))

    def ignored_empty_directories(self) -> set[bytes]:
        above = {os.path.dirname(entry.path) for entry in self.write} - {b""}
        empty = {path for path in above if os.path.isdir(self.at(path)) and not os.listdir(self.at(path))}
        return empty - {os.fsencode(name) for name in self.present.snapshot.meta.empty_directories}

    def at(self, path: bytes) -> bytes:
        return os.fsencode(self.tree.repository.root) + b"/" + path


class _Weighing:
    """Compares a proposal with one working tree as it is now, path by path."""

    def __init__(self, tree: WorkingTree, present: Present, base: Snapshot, proposed: Snapshot, prefix: str) -> None:
        self._shadow = tree.shadow
        self._base, self._proposed = base.meta, proposed.meta
        self._entries = diffs.entries(tree.shadow.git, base.scanned, proposed.scanned)
        touched = [entry.path for entry in self._entries]
        self._now = trees.entries(tree.shadow.git, present.snapshot.scanned, touched)
        self._change = Change(tree, prefix, present, replace(proposed.meta, modes={}))

    def weigh(self) -> Change:
        change = self._change
        for entry in self._entries:
            try:
                self._weigh(entry)
            except Clash as clash:
                self._clash(entry.path, clash.reason)
        change.remove.sort(reverse=True)
        self._look_for_room()
        self._weigh_modes()
        return change

    def _weigh(self, entry: Entry) -> None:
        base = Side(entry.old_mode, entry.old) if entry.old_mode else None
        proposed = Side(entry.new_mode, entry.new) if entry.new_mode else None
        now = self._standing(entry.path)
        if now == proposed:
            self._note_done(entry, now)
            return
        result = three_way(self._shadow, base, now, proposed)
        if result == now:
            # It has the proposal's change already, from a merge that was written and not told: nothing to confirm.
            return
        self._change.merged |= now != base
        if entry.path not in self._now and now is not None:
            self._change.hidden.add(entry.path)
        if result is None:
            self._change.remove.append(entry.path)
            return
        self._change.write.append(Entry(entry.path, now.mode if now else 0, result.mode, "", result.name))
        self._change.meta.modes[os.fsdecode(entry.path)] = self._bits(entry, result.mode)

    def _standing(self, path: bytes) -> Side | None:
        """What stands there now, also where git ignores it and no scan tells of it."""
        known = self._now.get(path)
        if known:
            return Side(known.new_mode, known.new)
        place = self._change.at(path)
        if any(os.path.islink(self._change.at(above)) for above in _ancestors(path)):
            return None
        try:
            found = os.lstat(place)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISLNK(found.st_mode):
            return Side(LINK, self._shadow.blobs.write("blob", os.readlink(place)))
        if not stat.S_ISREG(found.st_mode):
            return None
        name = self._shadow.blobs.write("blob", Path(os.fsdecode(place)).read_bytes())
        return Side(EXECUTABLE if found.st_mode & 0o100 else FILE, name)

    def _bits(self, entry: Entry, mode: int) -> int:
        """The proposal's bits where it changed them, else those that stand there."""
        wanted = _bits_of(self._proposed, entry.path, entry.new_mode)
        there = self._bits_there(entry.path)
        if there is None or not entry.old_mode or wanted != _bits_of(self._base, entry.path, entry.old_mode):
            executable = mode == EXECUTABLE
            return wanted if executable == (entry.new_mode == EXECUTABLE) else self._proposed.usual[executable]
        return there

    def _bits_there(self, path: bytes) -> int | None:
        try:
            found = os.lstat(self._change.at(path)).st_mode
        except OSError:
            return None
        return stat.S_IMODE(found) if stat.S_ISREG(found) else None

    def _note_done(self, entry: Entry, now: Side | None) -> None:
        """The file is what it shall be; its permissions or its directory may not be."""
        if now is None:
            above = os.path.dirname(entry.path)
            if above and os.path.realpath(self._change.at(above)) == self._change.at(above):
                self._change.emptied.add(os.fsdecode(above))
            return
        if now.mode == LINK:
            return
        wanted = self._bits(entry, now.mode)
        if self._bits_there(entry.path) != wanted:
            self._change.modes[entry.path] = wanted

    def _weigh_modes(self) -> None:
        """Permission bits that changed where the file did not."""
        touched = {os.fsdecode(entry.path) for entry in self._entries}
        for name in sorted((self._base.modes.keys() | self._proposed.modes.keys()) - touched):
            path = os.fsencode(name)
            known = self._proposed.modes.get(name) or self._base.modes.get(name) or 0
            mode = EXECUTABLE if known & 0o100 else FILE
            then, wanted = (_bits_of(meta, path, mode) for meta in (self._base, self._proposed))
            there = self._bits_there(path)
            if wanted in (then, there):
                continue
            if there != then:
                self._clash(path, say("clash.permissions"))
            else:
                self._change.modes[path] = wanted

    def _look_for_room(self) -> None:
        """A path that is written needs directories above it and none in its place."""
        gone = set(self._change.remove)
        for entry in self._change.write:
            for above in _ancestors(entry.path):
                at = self._change.at(above)
                if os.path.lexists(at) and (os.path.islink(at) or not os.path.isdir(at)) and above not in gone:
                    self._clash(entry.path, say("clash.no_directory", path=os.fsdecode(above)))
            if self._is_full(entry.path, gone):
                self._clash(entry.path, say("clash.directory"))

    def _is_full(self, path: bytes, gone: set[bytes]) -> bool:
        """Whether a directory stands there with more in it than the proposal takes away."""
        place, root = self._change.at(path), self._change.at(b"")
        if os.path.islink(place):
            return False
        for where, directories, files in os.walk(place):
            links = [name for name in directories if os.path.islink(os.path.join(where, name))]
            inside = {os.path.join(where, name).removeprefix(root) for name in files + links}
            if b".git" in directories or inside - gone:
                return True
        return False

    def _clash(self, path: bytes, reason: str) -> None:
        self._change.clashes.append(FileClash(self._change.prefix + os.fsdecode(path), reason))


def weigh(tree: WorkingTree, present: Present, base: Snapshot, proposed: Snapshot, prefix: str = "") -> Change:
    """What writing the proposal would do now. Changes nothing; objects of merged files are written."""
    change = _Weighing(tree, present, base, proposed, prefix).weigh()
    for path in sorted(base.meta.nested.keys() & proposed.meta.nested.keys()):
        then, new = (meta.nested[path]["top"] for meta in (base.meta, proposed.meta))
        if then == new:
            continue
        if path not in present.nested:
            change.clashes.append(FileClash(prefix + path, say("clash.repository_gone")))
            continue
        child = tree.child(path)
        old, now = child.snapshots.load(then), child.snapshots.load(new)
        change.nested[path] = weigh(child, present.nested[path], old, now, f"{prefix}{path}/")
    return change


def _bits_of(meta: Meta, path: bytes, mode: int) -> int:
    return meta.modes.get(os.fsdecode(path), meta.usual[mode == EXECUTABLE])


def _ancestors(path: bytes) -> list[bytes]:
    parts = path.split(b"/")
    return [b"/".join(parts[:n]) for n in range(1, len(parts))]
