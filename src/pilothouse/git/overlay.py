"""Writes a proposal over a workspace: exactly its bytes, or a merge where the workspace changed since its base."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pilothouse.git import diffs, trees
from pilothouse.git.checkpoint.restore import Restorer
from pilothouse.git.checkpoint.rules import ignored
from pilothouse.git.checkpoint.snapshot import Meta, Present, Snapshot
from pilothouse.git.checkpoint.working_tree import WorkingTree
from pilothouse.git.diffs import Entry
from pilothouse.git.merge import Clash, Side, three_way
from pilothouse.git.model import FileChange, FileClash
from pilothouse.git.names import spelled
from pilothouse.git.trees import EXECUTABLE, FILE, LINK, ancestors
from pilothouse.words import say


@dataclass(slots=True)
class Overlay:
    """What writing a proposal does to one working tree as it is now."""

    tree: WorkingTree
    prefix: str
    present: Present
    meta: Meta
    """Has the permission bits of the files to write."""
    write: list[Entry] = field(default_factory=list)
    remove: list[bytes] = field(default_factory=list)
    modes: dict[bytes, int] = field(default_factory=dict)
    emptied: set[str] = field(default_factory=set)
    """Directories of files that are already gone. A kill may have come before the empty directory was removed."""
    hidden: set[bytes] = field(default_factory=set)
    """Ignored files, which no scan finds, to write or remove."""
    merged: bool = False
    clashes: list[FileClash] = field(default_factory=list)
    nested: dict[str, Overlay] = field(default_factory=dict)

    def every(self) -> Iterator[Overlay]:
        yield self
        for child in self.nested.values():
            yield from child.every()

    def saved(self) -> Present:
        """The undo checkpoint: the present with every byte that is about to go."""
        nested = {**self.present.nested, **{path: child.saved() for path, child in self.nested.items()}}
        return Present(self.tree.with_losses(self.present.snapshot, self, nested, ()), nested)

    def apply(self, patience: float, on_change: Callable[[], None]) -> None:
        for part in self.every():
            restorer = Restorer(part.tree.shadow, part.tree.snapshots, patience, on_change)
            restorer.put(part.write, part.remove, part.meta, part.modes)
            for directory in sorted(part.emptied, reverse=True):
                restorer.prune(directory)

    def name(self) -> str:
        """A digest of what would be written: a person confirms this and nothing else."""
        digest = hashlib.sha256()
        for part in self.every():
            rows = [(entry.path, f"{entry.new_mode:o} {entry.new}") for entry in part.write]
            rows += [(path, "removed") for path in part.remove]
            rows += [(path, f"{bits:o}") for path, bits in part.modes.items()]
            for path, what in sorted(rows):
                digest.update(os.fsencode(part.prefix) + path + b"\0" + what.encode() + b"\0")
        return digest.hexdigest()

    def target(self) -> str:
        """Writes the tree that the files would have."""
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
        return sorted(ignored(self.tree.shadow.git, [path for path in free if not self.is_below_link(path)]))

    def ignored_empty_directories(self) -> set[bytes]:
        above = {os.path.dirname(entry.path) for entry in self.write} - {b""}
        empty = {path for path in above if os.path.isdir(self.at(path)) and not os.listdir(self.at(path))}
        return empty - {os.fsencode(name) for name in self.present.snapshot.meta.empty_directories}

    def is_below_link(self, path: bytes) -> bool:
        return any(os.path.islink(self.at(above)) for above in ancestors(path))

    def at(self, path: bytes) -> bytes:
        return os.fsencode(self.tree.repository.root) + b"/" + path


class _Comparison:
    """Compares a proposal with one working tree as it is now, path by path."""

    def __init__(self, tree: WorkingTree, present: Present, base: Snapshot, proposed: Snapshot, prefix: str) -> None:
        self._shadow = tree.shadow
        self._base, self._proposed = base.meta, proposed.meta
        self._entries = diffs.entries(tree.shadow.git, base.scanned, proposed.scanned)
        touched = [entry.path for entry in self._entries]
        self._now = trees.entries(tree.shadow.git, present.snapshot.scanned, touched)
        self._overlay = Overlay(tree, prefix, present, replace(proposed.meta, modes={}))

    def overlay(self) -> Overlay:
        overlay = self._overlay
        for entry in self._entries:
            try:
                self._compare(entry)
            except Clash as clash:
                self._clash(entry.path, clash.reason)
        overlay.remove.sort(reverse=True)
        self._check_room()
        self._compare_modes()
        return overlay

    def _compare(self, entry: Entry) -> None:
        base = Side(entry.old_mode, entry.old) if entry.old_mode else None
        proposed = Side(entry.new_mode, entry.new) if entry.new_mode else None
        now = self._present(entry.path)
        if now == proposed:
            self._note_done(entry, now)
            return
        result = three_way(self._shadow, base, now, proposed)
        if result == now:
            # A merge that was written and not recorded has made this change already.
            return
        self._overlay.merged |= now != base
        if entry.path not in self._now and now is not None:
            self._overlay.hidden.add(entry.path)
        if result is None:
            self._overlay.remove.append(entry.path)
            return
        self._overlay.write.append(Entry(entry.path, now.mode if now else 0, result.mode, "", result.name))
        self._overlay.meta.modes[os.fsdecode(entry.path)] = self._bits(entry, result.mode)

    def _present(self, path: bytes) -> Side | None:
        """The file as it is now, also if git ignores it and no scan finds it."""
        known = self._now.get(path)
        if known:
            return Side(known.new_mode, known.new)
        place = self._overlay.at(path)
        if self._overlay.is_below_link(path):
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
        """The proposal's bits if it changed them, else those the file has now."""
        wanted = self._proposed.bits(entry.path, entry.new_mode == EXECUTABLE)
        now = self._bits_now(entry.path)
        if now is None or not entry.old_mode or wanted != self._base.bits(entry.path, entry.old_mode == EXECUTABLE):
            executable = mode == EXECUTABLE
            return wanted if executable == (entry.new_mode == EXECUTABLE) else self._proposed.usual[executable]
        return now

    def _bits_now(self, path: bytes) -> int | None:
        try:
            found = os.lstat(self._overlay.at(path)).st_mode
        except OSError:
            return None
        return stat.S_IMODE(found) if stat.S_ISREG(found) else None

    def _note_done(self, entry: Entry, now: Side | None) -> None:
        """The file is as proposed; its permissions or its directory may not be."""
        if now is None:
            above = os.path.dirname(entry.path)
            if above and os.path.realpath(self._overlay.at(above)) == self._overlay.at(above):
                self._overlay.emptied.add(os.fsdecode(above))
            return
        if now.mode == LINK:
            return
        wanted = self._bits(entry, now.mode)
        if self._bits_now(entry.path) != wanted:
            self._overlay.modes[entry.path] = wanted

    def _compare_modes(self) -> None:
        """Compares the permission bits of files that did not change."""
        touched = {os.fsdecode(entry.path) for entry in self._entries}
        for name in sorted((self._base.modes.keys() | self._proposed.modes.keys()) - touched):
            path = os.fsencode(name)
            known = self._proposed.modes.get(name) or self._base.modes.get(name) or 0
            then, wanted = (meta.bits(path, bool(known & 0o100)) for meta in (self._base, self._proposed))
            now = self._bits_now(path)
            if wanted in (then, now):
                continue
            if now != then:
                self._clash(path, say("clash.permissions"))
            else:
                self._overlay.modes[path] = wanted

    def _check_room(self) -> None:
        """A file to write needs directories above it and none in its place."""
        gone = set(self._overlay.remove)
        for entry in self._overlay.write:
            for above in ancestors(entry.path):
                at = self._overlay.at(above)
                if os.path.lexists(at) and (os.path.islink(at) or not os.path.isdir(at)) and above not in gone:
                    self._clash(entry.path, say("clash.no_directory", path=spelled(above)))
            if self._is_full(entry.path, gone):
                self._clash(entry.path, say("clash.directory"))

    def _is_full(self, path: bytes, gone: set[bytes]) -> bool:
        """Whether there is a directory that has more in it than the proposal removes."""
        place, root = self._overlay.at(path), self._overlay.at(b"")
        if os.path.islink(place):
            return False
        for where, directories, files in os.walk(place):
            links = [name for name in directories if os.path.islink(os.path.join(where, name))]
            inside = {os.path.join(where, name).removeprefix(root) for name in files + links}
            if b".git" in directories or inside - gone:
                return True
        return False

    def _clash(self, path: bytes, reason: str) -> None:
        self._overlay.clashes.append(FileClash(spelled(os.fsencode(self._overlay.prefix) + path), reason))


def compare(tree: WorkingTree, present: Present, base: Snapshot, proposed: Snapshot, prefix: str = "") -> Overlay:
    """Finds out what writing the proposal would do now. Writes the objects of merged files and nothing else."""
    overlay = _Comparison(tree, present, base, proposed, prefix).overlay()
    for path in sorted(base.meta.nested.keys() & proposed.meta.nested.keys()):
        then, new = (meta.nested[path]["top"] for meta in (base.meta, proposed.meta))
        if then == new:
            continue
        if path not in present.nested:
            overlay.clashes.append(FileClash(prefix + path, say("clash.repository_gone")))
            continue
        child = tree.child(path)
        old, now = child.snapshots.load(then), child.snapshots.load(new)
        overlay.nested[path] = compare(child, present.nested[path], old, now, f"{prefix}{path}/")
    return overlay
