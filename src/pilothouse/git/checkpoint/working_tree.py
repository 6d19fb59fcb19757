"""A working tree with those nested in it: reads their present state, saves it, and goes back to another."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from pilothouse.errors import CheckpointFailed, NotFound
from pilothouse.git import diffs, trees
from pilothouse.git.checkpoint import permissions
from pilothouse.git.checkpoint.nested import NestedTree
from pilothouse.git.checkpoint.pin import Pin
from pilothouse.git.checkpoint.refs import PrivateRefs, checkpoint_not_found
from pilothouse.git.checkpoint.restore import Restorer
from pilothouse.git.checkpoint.rewind import Comparison, FileRewind, check_branch_is_free
from pilothouse.git.checkpoint.scan import Scanner
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoint.snapshot import Meta, Snapshot, Snapshots
from pilothouse.git.model import ChangeStatus, Checkpoint, FileChange
from pilothouse.git.names import spelled
from pilothouse.git.repository import Repository, short_name

Contents = dict[str, bytes | None]
"""What files hold, by path; None: there is no such file."""
WHO = "Pilothouse <pilothouse@localhost>"


@dataclass(frozen=True, slots=True)
class Present:
    """A snapshot and those of the working trees nested in it, by path."""

    snapshot: Snapshot
    nested: dict[str, Present] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rewind:
    """What a restore has to do."""

    target: Snapshot
    saved: Present
    """The undo checkpoint: the present with all that the restore takes away."""
    files: FileRewind
    nested: dict[str, Rewind]
    """Nested working trees that exist now and at the target."""
    aside: tuple[str, ...]
    """Nested working trees that do not exist at the target."""
    plain: tuple[str, ...]
    """Nested working trees that are plain directories at the target."""


class Losses(Protocol):
    """What a change of the tree takes away and no scan finds, because git ignores it."""

    def save_first(self) -> frozenset[bytes]:
        """Ignored files."""

    def ignored_and_absent(self) -> list[bytes]:
        """Ignored paths where there is nothing, and a file will be written."""

    def ignored_empty_directories(self) -> set[bytes]: ...


class WorkingTree:
    def __init__(self, root: Path, state_dir: Path, patience: float) -> None:
        state_dir.mkdir(parents=True, exist_ok=True)
        self._state_dir = state_dir
        self._patience = patience
        self.repository = Repository.open(root)
        self.shadow = Shadow(self.repository, state_dir)
        self.refs = PrivateRefs(self.shadow.path)
        self._scanner = Scanner(self.shadow)
        self.pin = Pin(self.repository, state_dir, self._scanner.pool)
        self.snapshots = Snapshots(self.shadow, self._scanner)
        self._children: dict[str, WorkingTree] = {}
        self._pin_seen: str | None = None
        self._last: Snapshot | None = None
        self._last_commit = ""

    def present(self) -> Present:
        self._forget_unless_pinned()
        files = self._scanner.files()
        nested = {os.fsdecode(path): self.child(os.fsdecode(path)).present() for path in files.nested}
        about = {path: self._about(path, child.snapshot.top) for path, child in nested.items()}
        return Present(self.snapshots.take(about, files), nested)

    def save(self, present: Present, ref: str) -> str:
        """Saves a state under `ref`, nested trees first, each in its own repository. Returns the commit."""
        for path, child in present.nested.items():
            self.child(path).save(child, ref)
            self._nested(path).save()
        pool, snapshot = self._scanner.pool, present.snapshot
        directories = pool.submit(self.refs.make_directories, ref)
        # The same state twice in a row is the same commit.
        same = self._last is not None and self._last.top == snapshot.top
        known = same and self.shadow.commits.holds(self._last_commit)
        commit = None if known else pool.submit(self._commit, snapshot)
        self._keep(snapshot)
        self._last_commit = commit.result() if commit else self._last_commit
        self._last = snapshot
        # If the ref is wrong, the write says so.
        wait([directories])
        self.refs.write(ref, self._last_commit)
        return self._last_commit

    def adopt(self, made: Present, ref: str) -> str:
        """Saves a state that was read elsewhere, with its objects in this repository. Returns the commit."""
        for path, child in made.nested.items():
            self.child(path).adopt(child, ref)
        self._keep(made.snapshot)
        commit = self._commit(made.snapshot)
        self.refs.write(ref, commit)
        return commit

    def _keep(self, snapshot: Snapshot) -> None:
        self.pin.add([snapshot.top], snapshot.commits)
        self._pin_seen = self.pin.commit

    def _commit(self, snapshot: Snapshot) -> str:
        about = {"head": snapshot.meta.head, "branch": snapshot.meta.branch, "files": snapshot.files}
        stamp = f"{WHO} {int(time.time())} +0000"
        text = f"tree {snapshot.top}\nauthor {stamp}\ncommitter {stamp}\n\n{json.dumps(about)}\n"
        return self.shadow.commits.write("commit", text.encode())

    def checkpoint(self, commit: str, ref: str) -> Checkpoint:
        _, about = self._read(commit)
        return Checkpoint(commit, ref, about["head"], short_name(about["branch"]), about["files"] or "")

    def load(self, commit: str) -> Snapshot:
        return self.snapshots.load(self._read(commit)[0])

    def forget(self, ref_prefix: str) -> int:
        gone = self.refs.list(ref_prefix)
        nested = self._nested_in(gone.values())
        for ref in gone:
            self.refs.delete(ref)
        kept = self.refs.list()
        for commit in set(gone.values()) - set(kept.values()):
            self.shadow.commits.remove(commit)
        if gone:
            self._pin_only(kept)
        for path in nested:
            if self._nested(path).exists():
                self.child(path).forget(ref_prefix)
        return len(gone)

    def _nested_in(self, commits: Iterable[str]) -> set[str]:
        """The working trees nested at these checkpoints; skips checkpoints that cannot be read."""
        found = set(self._last.meta.nested) if self._last else set()
        for commit in set(commits):
            with contextlib.suppress(CheckpointFailed, NotFound):
                found |= self.load(commit).meta.nested.keys()
        return found

    def rewind(self, target: Snapshot) -> Rewind:
        """Finds out how to restore. Writes the objects of the undo checkpoint, and changes nothing else."""
        check_branch_is_free(self.shadow, target)
        present = self.present()
        self._open_up(present.snapshot)
        comparison = Comparison(self.shadow, self.snapshots, present.snapshot, target)
        then = target.meta.nested
        standing = {path for path in then if self._nested(path).exists() and self._same_kind(path, then[path])}
        children = {path: self.child(path).rewind_to(then[path]["top"]) for path in sorted(standing)}
        hidden = {os.fsdecode(path) for path in comparison.ignored_repositories()} - standing - present.nested.keys()
        nested = {**present.nested, **{path: self.child(path).present() for path in hidden}}
        nested |= {path: child.saved for path, child in children.items()}
        plain_now = tuple(sorted(path for path in then.keys() - nested.keys() if self._nested(path).place.is_dir()))
        saved = Present(self.with_losses(present.snapshot, comparison, nested, plain_now), nested)
        new = sorted(nested.keys() - standing)
        away = [path for path in new if not comparison.ignored_then(os.fsencode(path))]
        files = {path: trees.names(self.shadow.git, target.files, path) for path in away}
        plain = tuple(path for path in away if files[path] or path in target.meta.plain)
        aside = tuple(path for path in away if path not in plain)
        return Rewind(target, saved, comparison.rewind(saved.snapshot), children, aside, plain)

    def _open_up(self, present: Snapshot) -> None:
        """Lets us into the directories that are closed to their owner. The undo checkpoint has noted their modes."""
        for path, bits in sorted((present.meta.directories or {}).items()):
            if bits & 0o700 != 0o700:
                permissions.open_up(os.fsencode(self.repository.root), os.fsencode(path))

    def rewind_to(self, top: str) -> Rewind:
        return self.rewind(self.snapshots.load(top))

    def apply(self, rewind: Rewind, on_change: Callable[[], None], prefix: bytes = b"") -> set[bytes]:
        """Returns the paths that could not be restored."""
        target, saved = rewind.target, rewind.saved.snapshot
        restorer = Restorer(self.shadow, self.snapshots, self._patience, on_change)
        restorer.refs(target)
        for path in rewind.aside:
            self._nested(path).set_aside(saved.meta.nested[path]["top"])
            self._children.pop(path, None)
            on_change()
            restorer.prune(path.rpartition("/")[0])
        for path in rewind.plain:
            self._make_plain(path, rewind, restorer)
        restorer.index_and_state(target, saved)
        restorer.files(rewind.files, target, saved)
        failed = {prefix + path for path in restorer.failed}
        for path, about in target.meta.nested.items():
            self._nested(path).revive(about["top"], about.get("gitfile"))
            on_change()
            child = self.child(path)
            # A tree that had to be revived was not there to be compared.
            to_do = rewind.nested.get(path) or child.rewind_to(about["top"])
            failed |= child.apply(to_do, on_change, prefix + os.fsencode(path) + b"/")
        return failed

    def _make_plain(self, path: str, rewind: Rewind, restorer: Restorer) -> None:
        """Takes the repository out of a directory that stays, and the files it did not have at the target.

        The nested tree's own undo checkpoint has them. Its ignored files belong to the directory again.
        """
        child, saved = self.child(path), rewind.saved
        files = trees.names(child.shadow.git, saved.nested[path].snapshot.files)
        below = os.fsencode(path) + b"/"
        kept = {name.removeprefix(below) for name in trees.names(self.shadow.git, rewind.target.files, path)}
        self._nested(path).set_git_aside(saved.snapshot.meta.nested[path]["top"])
        self._children.pop(path, None)
        for name in sorted(files - kept, reverse=True):
            restorer.remove(below + name)

    def same(self, then: Snapshot, now: Present) -> bool:
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
        if not self.snapshots.same_index(then, now.snapshot):
            return False
        for path, child in now.nested.items():
            tree = self.child(path)
            if not tree.same(tree.snapshots.load(old.nested[path]["top"]), child):
                return False
        return True

    def patch(self, then: Snapshot, now: Snapshot, prefix: str = "") -> Generator[bytes, None, None]:
        yield from diffs.patch(self.shadow.git, then.scanned, now.scanned, prefix=prefix)
        for path, child, old, new in self._pairs(then, now):
            yield from child.patch(old, new, f"{prefix}{path}/")

    def file_patch(self, then: Snapshot, now: Snapshot, path: str, prefix: str = "") -> Generator[bytes, None, None]:
        for name, child, old, new in self._pairs(then, now):
            if path.startswith(name + "/"):
                return child.file_patch(old, new, path.removeprefix(name + "/"), f"{prefix}{name}/")
        return diffs.patch(self.shadow.git, then.scanned, now.scanned, path, prefix)

    def changes(self, then: Snapshot, now: Snapshot, prefix: str = "") -> list[FileChange]:
        found = list(diffs.stat(self.shadow.git, then.scanned, now.scanned, prefix).files)
        for path, child, old, new in self._pairs(then, now):
            found += child.changes(old, new, f"{prefix}{path}/")
        for path in then.meta.nested.keys() ^ now.meta.nested.keys():
            status: ChangeStatus = "added" if path in now.meta.nested else "deleted"
            found.append(FileChange(spelled(f"{prefix}{path}/"), status, None, None, None, True))
        return found

    def contents(
        self, then: Snapshot, now: Snapshot, paths: frozenset[bytes], limit: int, prefix: str = ""
    ) -> tuple[Contents, Contents]:
        """The content, then and now, of those of `paths` that differ, without files over `limit`."""
        every = diffs.entries(self.shadow.git, then.scanned, now.scanned)
        differ = [entry for entry in every if os.fsencode(prefix) + entry.path in paths]
        olds = {entry.path: entry.old for entry in differ if trees.is_file(entry.old_mode)}
        news = {entry.path: entry.new for entry in differ if trees.is_file(entry.new_mode)}
        blobs = trees.contents(self.shadow.git, self.shadow.blobs, {*olds.values(), *news.values()}, limit)

        def contents(names: Mapping[bytes, str]) -> Contents:
            fits = [e.path for e in differ if e.path not in names or names[e.path] in blobs]
            return {spelled(os.fsencode(prefix) + path): blobs.get(names.get(path, "")) for path in fits}

        before, after = contents(olds), contents(news)
        for path, child, old, new in self._pairs(then, now):
            below = child.contents(old, new, paths, limit, f"{prefix}{path}/")
            before, after = before | below[0], after | below[1]
        return before, after

    def child(self, path: str) -> WorkingTree:
        if path not in self._children:
            nested = self._nested(path)
            self._children[path] = WorkingTree(nested.place, nested.own_state, self._patience)
        return self._children[path]

    def _pairs(self, then: Snapshot, now: Snapshot) -> Iterator[tuple[str, WorkingTree, Snapshot, Snapshot]]:
        """Nested working trees that are in both snapshots and still exist."""
        for path in sorted(then.meta.nested.keys() & now.meta.nested.keys()):
            if self._nested(path).exists():
                child = self.child(path)
                old, new = (child.snapshots.load(s.meta.nested[path]["top"]) for s in (then, now))
                yield path, child, old, new

    def with_losses(
        self, snapshot: Snapshot, losses: Losses, nested: Mapping[str, Present], plain: tuple[str, ...]
    ) -> Snapshot:
        """The snapshot with the losses added."""
        save, absent = losses.save_first(), tuple(os.fsdecode(path) for path in losses.ignored_and_absent())
        tops = {path: self._about(path, child.snapshot.top) for path, child in nested.items()}
        empty = {os.fsdecode(path) for path in losses.ignored_empty_directories()}
        if not (save or absent or empty or plain) and tops == snapshot.meta.nested:
            return snapshot
        files = self._scanner.add(save) if save else snapshot.files
        modes = {os.fsdecode(path): bits for path, bits in self._scanner.modes().items()}
        added = {os.fsdecode(entry.path) for entry in diffs.entries(self.shadow.git, snapshot.scanned, files)}
        extras = added | (tops.keys() - snapshot.meta.nested.keys()) | empty
        meta = replace(
            snapshot.meta,
            nested=tops,
            modes=modes,
            empty_directories=tuple(sorted({*snapshot.meta.empty_directories, *empty})),
            extras=tuple(sorted(extras)),
            plain=plain,
            absent=absent,
        )
        stored = self.snapshots.store(files, snapshot.scanned, meta, snapshot.index, snapshot.keep)
        return replace(stored, commits=snapshot.commits)

    def _read(self, commit: str) -> tuple[str, dict[str, str | None]]:
        """The top tree that a checkpoint's commit names, and what its message says."""
        whole = len(commit) == self.repository.id_length * 2 and commit.isalnum()
        found = self.shadow.commits.read(commit) if whole else None
        if found is None:
            raise checkpoint_not_found(commit)
        header, _, message = found[1].decode().partition("\n\n")
        return header.split("\n")[0].removeprefix("tree "), json.loads(message)

    def _forget_unless_pinned(self) -> None:
        """Forgets the caches if the pin was changed or removed: objects that they name may be gone."""
        pin = self.pin.commit
        if pin is None or (self._pin_seen is not None and pin != self._pin_seen):
            self.snapshots.forget()
        self._pin_seen = pin

    def _pin_only(self, kept: Mapping[str, str]) -> None:
        """Pins what the remaining refs need, and the newest snapshot, because our caches depend on it."""
        tops = {self._read(commit)[0] for commit in kept.values()}
        commits: set[str] = set()
        for top in list(tops):
            commits |= self.snapshots.needed(self.snapshots.load(top))
        if self._last:
            tops.add(self._last.top)
            commits |= self._last.commits
        self.pin.replace(tops, commits)
        self._pin_seen = self.pin.commit

    def _about(self, path: str, top: str) -> dict[str, str]:
        gitfile = self._nested(path).gitfile()
        return {"top": top} if gitfile is None else {"top": top, "gitfile": gitfile}

    def _same_kind(self, path: str, about: Mapping[str, str]) -> bool:
        return (self._nested(path).gitfile() is None) == ("gitfile" not in about)

    def _nested(self, path: str) -> NestedTree:
        return NestedTree.at(self.repository.root, path, self._state_dir)


def _same_directories(old: Meta, new: Meta) -> bool:
    """An older checkpoint knows nothing of directories, and an undo checkpoint of ignored ones too."""
    if old.directories is None or new.directories is None:
        return True
    then = {path: bits for path, bits in old.directories.items() if path not in old.extras}
    return (old.usual_directory, then) == (new.usual_directory, new.directories)
