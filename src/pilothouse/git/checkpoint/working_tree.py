"""A working tree with those nested in it: reads their present state, saves it, and goes back to another."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path

from pilothouse.errors import CheckpointFailed, GitFailed, NotFound
from pilothouse.git import diffs, trees
from pilothouse.git.checkpoint import belongings, former, moves, permissions, standing
from pilothouse.git.checkpoint.belongings import Belongings
from pilothouse.git.checkpoint.gitdir import OF_OTHERS, UNSAVED, GitDirectory
from pilothouse.git.checkpoint.nested import NestedTree
from pilothouse.git.checkpoint.refs import PrivateRefs, checkpoint_not_found
from pilothouse.git.checkpoint.restore import Restorer
from pilothouse.git.checkpoint.rewind import Comparison, Losses, Rewind, check_branch_is_free
from pilothouse.git.checkpoint.scan import Scanner
from pilothouse.git.checkpoint.shadow import Shadow
from pilothouse.git.checkpoint.snapshot import Present, Snapshot, Snapshots
from pilothouse.git.model import BranchMove, Checkpoint, Loss
from pilothouse.git.repository import short_name
from pilothouse.words import say

WHO = "Pilothouse <pilothouse@localhost>"
UNTIDY = "untidy"
"""Exists in the private git directory once a checkpoint was forgotten."""


class WorkingTree:
    """`repository` is the present one; `refresh` notices when that has become another."""

    def __init__(self, root: Path, state_dir: Path, patience: float) -> None:
        state_dir.mkdir(parents=True, exist_ok=True)
        self._root = Path(os.path.realpath(root))
        self._state_dir = state_dir
        self._patience = patience
        self._watch = standing.Watch(self._root)
        self._children: dict[str, WorkingTree] = {}
        self._watch.changed()
        self._open()

    def _open(self) -> None:
        shutil.rmtree(self._root / standing.UNFINISHED, ignore_errors=True)
        found = standing.find(self._root, self._state_dir, self._watch.index_is_whole)
        self.repository, self.problem = found.repository, found.problem
        self.shadow = Shadow(self.repository, self._state_dir)
        self.refs = PrivateRefs(self.shadow.path)
        self._scanner = Scanner(self.shadow)
        self.snapshots = Snapshots(self.shadow, self._scanner)
        self._last: Snapshot | None = None
        self._last_commit = ""
        for held in former.kept(self.repository, self._state_dir):
            self.shadow.secure(self._scanner.pool, held.objects)
            held.let_go()

    def refresh(self) -> None:
        if self._watch.changed():
            self._scanner.close()
            self._open()

    def secure(self) -> None:
        """Makes what the repository has independent of it, also if it is broken."""
        self.shadow.secure(self._scanner.pool, self._objects)

    @property
    def _objects(self) -> Path:
        """The repository's own, whether it is whole or not; they may not exist."""
        common = standing.directories(self._root)[1] if self.problem else self.repository.common_dir
        return (common or self._root / ".git") / "objects"

    def present(self) -> Present:
        self.refresh()
        # First, so that whatever the index and the refs name by then is ours.
        self.secure()
        files = self._scanner.files()
        nested = {os.fsdecode(path): self.child(os.fsdecode(path)).present() for path in files.nested}
        about = {path: self._about(path, child.snapshot.top) for path, child in nested.items()}
        return Present(self.snapshots.take(about, files, self._belongings()), nested)

    def _belongings(self) -> Belongings:
        return Belongings(standing=self.problem) if self.problem else belongings.read(self.repository)

    def save(self, present: Present, ref: str) -> str:
        """Saves a state under `ref`, nested trees first. Returns the commit."""
        for path, child in present.nested.items():
            self.child(path).save(child, ref)
        pool, snapshot = self._scanner.pool, present.snapshot
        directories = pool.submit(self.refs.make_directories, ref)
        # The same state twice in a row is the same commit.
        same = self._last is not None and self._last.top == snapshot.top
        known = same and self.shadow.blobs.holds(self._last_commit)
        self._last_commit = self._last_commit if known else self._commit(snapshot)
        self._last = snapshot
        # If the ref is wrong, the write says so.
        wait([directories])
        self.refs.write(ref, self._last_commit)
        return self._last_commit

    def adopt(self, made: Present, ref: str) -> str:
        """Saves a state that was read elsewhere, with its objects among ours. Returns the commit."""
        for path, child in made.nested.items():
            self.child(path).adopt(child, ref)
        commit = self._commit(made.snapshot)
        self.refs.write(ref, commit)
        return commit

    def _commit(self, snapshot: Snapshot) -> str:
        about = {"head": snapshot.meta.head, "branch": snapshot.meta.branch, "files": snapshot.files}
        stamp = f"{WHO} {int(time.time())} +0000"
        text = f"tree {snapshot.top}\nauthor {stamp}\ncommitter {stamp}\n\n{json.dumps(about)}\n"
        return self.shadow.blobs.write("commit", text.encode())

    def checkpoint(self, commit: str, ref: str) -> Checkpoint:
        _, about = self._read(commit)
        return Checkpoint(commit, ref, about["head"], short_name(about["branch"]), about["files"] or "")

    def load(self, commit: str) -> Snapshot:
        return self.snapshots.load(self._read(commit)[0])

    def forget(self, ref_prefix: str) -> int:
        """Only `tidy` frees what they kept."""
        gone = self.refs.list(ref_prefix)
        nested = self._nested_in(gone.values())
        for ref in gone:
            self.refs.delete(ref)
        for commit in set(gone.values()) - set(self.refs.list().values()):
            self.shadow.blobs.remove(commit)
        for path in nested:
            if self._nested(path).place.is_dir():
                self.child(path).forget(ref_prefix)
        if gone:
            (self.shadow.path / UNTIDY).touch()
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
        there = {path for path in then if self._nested(path).exists() and self._same_kind(path, then[path])}
        # Git takes their files for those of the tree around them.
        broken = {path for path in there - present.nested.keys() if self.child(path).problem}
        standing = there - broken
        children = {path: self.child(path).rewind_to(then[path]["top"]) for path in sorted(standing)}
        hidden = {os.fsdecode(path) for path in comparison.ignored_repositories()} - standing - present.nested.keys()
        nested = {**present.nested, **{path: self.child(path).present() for path in hidden | broken}}
        nested |= {path: child.saved for path, child in children.items()}
        plain_now = tuple(sorted(path for path in then.keys() - nested.keys() if self._nested(path).place.is_dir()))
        saved = Present(self.with_losses(present.snapshot, comparison, nested, plain_now), nested)
        new = sorted(nested.keys() - there)
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

    def losses(self, target: Snapshot, path: str = "", objects: bool = True) -> list[Loss]:
        """What became of the repository, and of those nested in it, since the target."""
        self.refresh()
        then = self.snapshots.belongings(target)
        found = []
        if not then.standing:
            if self.problem:
                found.append(Loss(path, self.problem))
            elif self._is_another(target):
                found.append(Loss(path, "replaced"))
            elif objects and self._lacking(target):
                found.append(Loss(path, "objects"))
        for name, about in sorted(target.meta.nested.items()):
            if self._nested(name).exists() and self._same_kind(name, about):
                child = self.child(name)
                found += child.losses(child.snapshots.load(about["top"]), f"{path}{name}/", objects)
        return found

    def moves(self, then: Snapshot, now: Snapshot) -> tuple[BranchMove, ...]:
        then_and_now = ((snapshot.meta, self.snapshots.belongings(snapshot)) for snapshot in (then, now))
        return moves.between(*then_and_now)

    def bring_back(self, snapshot: Snapshot, move: BranchMove) -> None:
        if self.problem:
            raise CheckpointFailed(say("checkpoint.no_repository", root=str(self._root)))
        if move not in self.moves(snapshot, self.present().snapshot):
            raise NotFound(say("checkpoint.not_moved", name=move.branch))
        self.shadow.vault.give_back(self.repository, self._lacking(snapshot))
        moves.bring_back(self.repository, move)

    def _is_another(self, target: Snapshot) -> bool:
        """Whether the repository has none of the commits that the target's HEAD and branches were at."""
        commits = {*target.meta.branches.values(), *([target.meta.head] if target.meta.head else [])}
        return bool(commits) and not self.repository.git.objects(commits)

    def _lacking(self, target: Snapshot) -> set[str]:
        """The target's objects that the repository does not have. It is asked about all only if it may lack some."""
        vault = self.shadow.vault
        tips = self.snapshots.needed(target) | self.snapshots.staged(target)
        there = self.repository.git.objects(tips).keys()
        if there >= tips and not vault.has_copies and not vault.misses(self._objects):
            return set()
        return vault.lacking(self.repository, tips | ({target.keep} if target.keep else set()))

    def _exchange(self, target: Snapshot, undo: Snapshot, on_change: Callable[[], None]) -> bool:
        """Puts the target's git directory in place, if the present one cannot be moved to the target's state."""
        self.refresh()
        then, place = self.snapshots.belongings(target), GitDirectory(self.shadow, self._state_dir, on_change)
        if then.standing == "gone":
            other = os.path.lexists(self._root / ".git")
        elif then.standing:
            other = self.problem != then.standing
        else:
            other = bool(self.problem) or self._is_another(target)
        other = other or place.has(target.top)
        if other:
            place.exchange(target, then, undo.top)
            self._watch.changed()
            self._scanner.close()
            self._open()
        # Also when a kill came in between.
        place.lodge(undo.top, OF_OTHERS)
        if "broken" in (then.standing, self.snapshots.belongings(undo).standing):
            place.lodge(undo.top, UNSAVED)
        return other

    def apply(
        self, rewind: Rewind, on_change: Callable[[], None], undo: Snapshot | None = None, prefix: bytes = b""
    ) -> set[bytes]:
        """Returns the paths that could not be restored.

        `undo`: the snapshot that undoes it, if that is not the one that `rewind` has.
        """
        target, saved = rewind.target, rewind.saved.snapshot
        undo = undo or saved
        exchanged = self._exchange(target, undo, on_change)
        if not self.problem and (lacking := self._lacking(target)):
            self.shadow.vault.give_back(self.repository, lacking)
            on_change()
        restorer = Restorer(self.shadow, self.snapshots, self._patience, on_change)
        restorer.refs(target)
        for path in rewind.aside:
            self._nested(path).set_aside(saved.meta.nested[path]["top"])
            self._children.pop(path, None)
            on_change()
            restorer.prune(path.rpartition("/")[0])
        for path in rewind.plain:
            self._make_plain(path, rewind, restorer)
        restorer.index_and_state(target, None if exchanged else saved)
        restorer.files(rewind.files, target, saved)
        failed = {prefix + path for path in restorer.failed}
        for path, about in target.meta.nested.items():
            self._nested(path).revive(about["top"], about.get("gitfile"))
            on_change()
            child = self.child(path)
            first = undo.meta.nested.get(path)
            # A tree that had to be revived was not there to be compared.
            again = rewind.nested.get(path) or child.rewind_to(about["top"])
            undone = child.snapshots.load(first["top"]) if first else None
            failed |= child.apply(again, on_change, undone, prefix + os.fsencode(path) + b"/")
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

    def child(self, path: str) -> WorkingTree:
        if path not in self._children:
            nested = self._nested(path)
            self._children[path] = WorkingTree(nested.place, nested.own_state, self._patience)
        self._children[path].refresh()
        return self._children[path]

    def pairs(self, then: Snapshot, now: Snapshot) -> Iterator[tuple[str, WorkingTree, Snapshot, Snapshot]]:
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
        return self.snapshots.store(replace(snapshot, files=files, meta=meta))

    def _read(self, commit: str) -> tuple[str, dict[str, str | None]]:
        """The top tree that a checkpoint's commit names, and what its message says."""
        whole = len(commit) == self.repository.id_length * 2 and commit.isalnum()
        try:
            found = self.snapshots.object("commit", commit) if whole else b""
        except GitFailed:
            found = b""
        if not found:
            raise checkpoint_not_found(commit)
        header, _, message = found.decode().partition("\n\n")
        return header.split("\n")[0].removeprefix("tree "), json.loads(message)

    def tidy(self) -> None:
        """Frees what no checkpoint needs any more. Takes long, so it is done now and then."""
        self.refresh()
        for path in self._nested_in(self.refs.list().values()):
            if self._nested(path).exists():
                self.child(path).tidy()
        untidy = self.shadow.path / UNTIDY
        if not untidy.exists() and (self.problem or not self.shadow.vault.misses(self._objects)):
            return
        tips: set[str] = set()
        for commit in set(self.refs.list().values()):
            with contextlib.suppress(CheckpointFailed, NotFound):
                tips |= self.snapshots.needed(self.load(commit))
        self.shadow.keep(tips)
        self.shadow.vault.tidy(None if self.problem else self.repository)
        self.snapshots.forget_index()
        untidy.unlink(missing_ok=True)

    def size(self) -> int:
        return self.shadow.vault.size(self._objects)

    def _about(self, path: str, top: str) -> dict[str, str]:
        gitfile = self._nested(path).gitfile()
        return {"top": top} if gitfile is None else {"top": top, "gitfile": gitfile}

    def _same_kind(self, path: str, about: Mapping[str, str]) -> bool:
        return (self._nested(path).gitfile() is None) == ("gitfile" not in about)

    def _nested(self, path: str) -> NestedTree:
        return NestedTree.at(self.repository.root, path, self._state_dir)
