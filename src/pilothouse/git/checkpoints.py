"""Exact checkpoints of a workspace, and the way back to them."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import itertools
import json
import os
import threading
from collections.abc import Callable, Collection, Generator, Iterator
from pathlib import Path

from pilothouse.errors import CheckpointFailed, GitFailed, MergeNeeded, ProposalRefused
from pilothouse.git import diffs, durable, locks, names
from pilothouse.git.checkpoint import differences, indexfile, planted
from pilothouse.git.checkpoint.differences import Contents
from pilothouse.git.checkpoint.refs import PREFIX
from pilothouse.git.checkpoint.restore import incomplete
from pilothouse.git.checkpoint.snapshot import Present, Snapshot
from pilothouse.git.checkpoint.working_tree import WorkingTree
from pilothouse.git.model import Applied, BranchMove, Checkpoint, DiffStat, Fit, Loss, Patch, Preview, Restored
from pilothouse.git.overlay import Overlay, compare
from pilothouse.git.programs import Program
from pilothouse.git.repository import short_name
from pilothouse.words import say, sentences

DIFF_LIMIT = 1_000_000
CONTENT_LIMIT = 2_000_000


def _nothing() -> None:
    """The default of `on_change`."""


class Checkpoints:
    """The checkpoints of one workspace. Calls from several threads or processes wait for each other.

    `state_dir` has the private git directory, with all that checkpoints need, and what was moved aside. A repository
    that is gone, broken or replaced is made again by a restore; until then, all but `free` goes on without it.
    `patience`: seconds to wait for a git of the user that holds the index lock.
    """

    def __init__(self, workspace: Path, state_dir: Path, patience: float = 5.0) -> None:
        self._state_dir = state_dir
        self._patience = patience
        self._mutex = threading.RLock()
        self._tree = WorkingTree(workspace, state_dir, patience)

    def take(self, ref: str) -> Checkpoint:
        """Saves the present under `ref`, a full name below refs/pilothouse/; replaces a checkpoint of that name."""
        with self._exclusive("taken"):
            indexfile.wait_until_unlocked(self._tree.repository, self._patience)
            return self._tree.checkpoint(self._tree.save(self._tree.present(), ref), ref)

    def free(self, since: float) -> list[Path]:
        """Moves aside the locks that a killed git made after `since` (epoch seconds). Returns where they are now.

        A lock stays where a living git may hold it.
        """
        with self._exclusive("taken"):
            indexfile.drop_own_lock(self._tree.repository.git_dir)
            return locks.set_aside(self._tree.repository, since, self._state_dir / "locks")

    def restore(self, commit: str, undo_ref: str, on_change: Callable[[], None] = _nothing) -> Restored:
        """Gives the workspace the state of a checkpoint.

        The undo checkpoint is complete before the first byte changes. Its ref is `undo_ref`, with a number added if
        that is taken. `on_change` is called after every change of the file system. After a kill in the middle,
        restoring again and restoring the undo checkpoint both work. A restore that was cut short and is repeated with
        the same arguments returns its first undo checkpoint. Where single files cannot be changed, restores the rest
        and raises `RestoreIncomplete`.
        """
        with self._exclusive("restored"):
            target = self._tree.load(commit)
            indexfile.wait_until_unlocked(self._tree.repository, self._patience)
            lost = tuple(self._tree.losses(target))
            rewind = self._tree.rewind(target)
            undo = self._save_undo(rewind.saved, target.top, undo_ref)
            saved = rewind.saved.snapshot
            stat = diffs.total(differences.changes(self._tree, target, saved))
            moves = self._tree.moves(target, saved)
            failed = self._tree.apply(rewind, on_change, self._tree.load(undo.commit))
            if failed:
                # The journal stays: restoring again goes on with this restore.
                raise incomplete(failed)
            self._journal.unlink(missing_ok=True)
            return Restored(undo, moves, stat, lost)

    def preview(self, commit: str) -> Preview:
        """What a restore would take away: files, commits, the branch."""
        with self._exclusive("compared"):
            then, now = self._tree.load(commit), self._tree.present().snapshot
            stat = diffs.total(differences.changes(self._tree, then, now))
            commits: list[str] = []
            if now.meta.head and now.meta.head != then.meta.head:
                without = [f"^{then.meta.head}"] if then.meta.head else []
                commits = self._tree.shadow.git.text("rev-list", now.meta.head, *without).splitlines()
            branches = short_name(then.meta.branch), short_name(now.meta.branch)
            moves, lost = self._tree.moves(then, now), tuple(self._tree.losses(then))
            return Preview(stat.files, stat.insertions, stat.deletions, tuple(commits), *branches, moves, lost)

    def lost(self, commit: str) -> tuple[Loss, ...]:
        """Repositories, this and those nested in it, that are gone, broken or others than at a checkpoint.

        A preview also tells whether single objects are lost, which takes longer.
        """
        with self._exclusive("compared"):
            return tuple(self._tree.losses(self._tree.load(commit), objects=False))

    def moved(self, commit: str) -> tuple[BranchMove, ...]:
        """Branches other than the checkpoint's own, tags and stashes that are not as it has them."""
        with self._exclusive("compared"):
            return self._tree.moves(self._tree.load(commit), self._tree.present().snapshot)

    def bring_back(self, commit: str, move: BranchMove) -> None:
        """Sets a branch, a tag or a stash to what it was at a checkpoint. A rollback leaves them alone."""
        with self._exclusive("restored"):
            self._tree.bring_back(self._tree.load(commit), move)

    def same_as(self, commit: str) -> bool:
        """Whether HEAD, index, files and git's merge or rebase are those of the checkpoint."""
        with self._exclusive("compared"):
            return differences.same(self._tree, self._tree.load(commit), self._tree.present())

    def patch(self, old: str, new: str | None, write: Callable[[bytes], object]) -> None:
        """Writes a patch for `git apply` from one checkpoint to another, or to the present, piece by piece."""
        found = self._pair(old, new)
        with found as (then, now), contextlib.closing(differences.patch(self._tree, then, now)) as pieces:
            for piece in pieces:
                write(piece)

    def diff(self, old: str, new: str | None = None, path: str | None = None, limit: int = DIFF_LIMIT) -> Patch:
        """`patch` for people, of all files or one. Git is ended after `limit` bytes.

        Bytes that are not UTF-8 become replacement characters.
        """
        with self._pair(old, new) as (then, now):
            named = None if path is None else os.fsdecode(names.raw(path))
            return _shown(differences.patch(self._tree, then, now, named), limit)

    def stat(self, old: str, new: str | None = None) -> DiffStat:
        with self._pair(old, new) as (then, now):
            return diffs.total(differences.changes(self._tree, then, now))

    def planted(self, old: str, new: str) -> tuple[Program, ...]:
        """The hooks and settings by which git runs a program at one checkpoint and did not, or not so, at the other."""
        with self._pair(old, new) as (then, now):
            return planted.between(self._tree, then, now)

    def contents(self, old: str, new: str, paths: Collection[str]) -> tuple[Contents, Contents]:
        """The content of those of `paths` that differ, in one checkpoint and in the other.

        Leaves out files over `CONTENT_LIMIT`.
        """
        if not paths:
            return {}, {}
        with self._pair(old, new) as (then, now):
            return differences.contents(self._tree, then, now, frozenset(map(names.raw, paths)), CONTENT_LIMIT)

    def fit(self, base: str, proposed: str) -> Fit:
        """Tells whether a proposal made from `base` can be written over the workspace as it is now."""
        with self._exclusive("compared"):
            return self._fit(self._compare(base, proposed))

    def write_over(
        self,
        base: str,
        proposed: str,
        undo_ref: str,
        merge: str | None = None,
        on_change: Callable[[], None] = _nothing,
    ) -> Applied:
        """Writes what `proposed` changed from `base`: bytes and modes only; HEAD and index stay.

        If the workspace has other files than `base`, writes the three-way merge that `merge` names, or raises
        `MergeNeeded`. `ProposalRefused` names files that cannot be written. As in `restore`, the undo checkpoint is
        complete before the first byte changes, and both writing again and undoing work after a kill.
        """
        with self._exclusive("applied"):
            indexfile.wait_until_unlocked(self._tree.repository, self._patience)
            overlay = self._compare(base, proposed)
            fit = self._fit(overlay)
            if fit.clashes:
                raise refusal(fit)
            if fit.merge and fit.merge != merge and not self._cut_short(base, proposed, undo_ref, merge):
                raise question(fit)
            undo = self._save_undo(overlay.saved(), _mark(base, proposed, merge), undo_ref)
            overlay.apply(self._patience, on_change)
            self._journal.unlink(missing_ok=True)
            return Applied(undo)

    def forget(self, ref_prefix: str) -> int:
        """Deletes the ref of that name and all below it. The next `tidy` frees what they kept."""
        with self._exclusive("deleted"):
            return self._tree.forget(ref_prefix)

    def tidy(self) -> None:
        """Frees what no checkpoint needs any more. Takes long, so it is done now and then."""
        with self._exclusive("deleted"):
            self._tree.tidy()

    def refs(self, prefix: str = PREFIX) -> list[Checkpoint]:
        return [self._tree.checkpoint(commit, ref) for ref, commit in self._tree.refs.list(prefix).items()]

    def size(self) -> int:
        """The bytes on disk that are kept only for checkpoints."""
        with self._exclusive("measured"):
            return self._tree.size()

    @property
    def workspace(self) -> Path:
        return self._tree.repository.root

    @contextlib.contextmanager
    def opened(self, what: str) -> Iterator[WorkingTree]:
        """Lends the working tree to the rest of this package, exclusively."""
        with self._exclusive(what):
            yield self._tree

    def preview_over(self, base: str, proposed: str) -> Fit:
        """`fit`, for what is confirmed in any case: `merge`, `stat` and `patch` are there if anything would change."""
        with self._exclusive("compared"):
            overlay = self._compare(base, proposed)
            clashes = tuple(clash for part in overlay.every() for clash in part.clashes)
            if clashes or not any(part.write or part.remove or part.modes for part in overlay.every()):
                return Fit(clashes)
            return Fit((), overlay.name(), diffs.total(overlay.changes()), _shown(overlay.patch(), DIFF_LIMIT))

    @contextlib.contextmanager
    def _exclusive(self, what: str) -> Iterator[None]:
        """One at a time, over threads and processes."""
        with self._mutex, (self._state_dir / "lock").open("w") as lock, _refused(what):
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._tree.refresh()
            yield

    @contextlib.contextmanager
    def _pair(self, old: str, new: str | None) -> Iterator[tuple[Snapshot, Snapshot]]:
        """Two checkpoints to compare, or a checkpoint and the present.

        Two checkpoints do not change, so comparing them waits for nobody. The present and nested trees do.
        """
        with _refused("compared"):
            pair = (self._tree.load(old), self._tree.load(new)) if new is not None else None
            if pair and not pair[0].meta.nested and not pair[1].meta.nested:
                yield pair
                return
        with self._exclusive("compared"):
            yield pair or (self._tree.load(old), self._tree.present().snapshot)

    def _compare(self, base: str, proposed: str) -> Overlay:
        return compare(self._tree, self._tree.present(), self._tree.load(base), self._tree.load(proposed))

    @staticmethod
    def _fit(overlay: Overlay) -> Fit:
        every = list(overlay.every())
        clashes = tuple(clash for part in every for clash in part.clashes)
        if clashes or not any(part.merged for part in every):
            return Fit(clashes)
        return Fit((), overlay.name(), diffs.total(overlay.changes()), _shown(overlay.patch(), DIFF_LIMIT))

    def _cut_short(self, base: str, proposed: str, undo_ref: str, merge: str | None) -> bool:
        """Whether this merge was confirmed and begun. Half-way through, the rest of it has another name."""
        mark = {"target": _mark(base, proposed, merge), "undo_ref": undo_ref}
        return merge is not None and self._unfinished() == mark

    @property
    def _journal(self) -> Path:
        return self._state_dir / "restoring.json"

    def _save_undo(self, saved: Present, target: str, undo_ref: str) -> Checkpoint:
        """Saves the undo checkpoint. A repeated restore keeps the first one: it would save the half-way state."""
        mark = {"target": target, "undo_ref": undo_ref}
        first = self._tree.refs.read(undo_ref)
        free = undo_ref
        if first is not None:
            numbered = (f"{undo_ref}.{n}" for n in itertools.count(2))
            free = next(ref for ref in numbered if self._tree.refs.read(ref) is None)
        commit = self._tree.save(saved, free)
        if first is not None and self._unfinished() == mark:
            return self._tree.checkpoint(first, undo_ref)
        durable.write(self._journal, json.dumps(mark))
        return self._tree.checkpoint(commit, free)

    def _unfinished(self) -> object:
        """The last restore, if it did not end."""
        try:
            return json.loads(self._journal.read_text())
        except (FileNotFoundError, ValueError):
            return None


@contextlib.contextmanager
def _refused(what: str) -> Iterator[None]:
    """Turns errors of git and of the system into one kind."""
    try:
        yield
    except GitFailed as error:
        raise CheckpointFailed(say(f"checkpoint.not.{what}", problem=error.message), error.details) from error
    except OSError as error:
        raise CheckpointFailed(say(f"checkpoint.not.{what}", problem=str(error))) from error


def _mark(base: str, proposed: str, merge: str | None) -> str:
    return f"{base} {proposed} {merge or ''}"


def _shown(found: Generator[bytes, None, None], limit: int) -> Patch:
    content = bytearray()
    with contextlib.closing(found) as pieces:
        for piece in pieces:
            content += piece
            if len(content) > limit:
                break
    truncated = len(content) > limit
    # Leaves out a character that the limit cut in two.
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return Patch(decoder.decode(bytes(content[:limit]), final=not truncated), truncated)


def refusal(fit: Fit) -> ProposalRefused:
    named = [say("proposal.clash", path=clash.path, reason=clash.reason) for clash in fit.clashes[:3]]
    more = say("proposal.more_clashes", count=len(fit.clashes) - 3) if len(fit.clashes) > 3 else ""
    return ProposalRefused(
        sentences(say("proposal.refused"), *named, more),
        {"clashes": [{"path": clash.path, "reason": clash.reason} for clash in fit.clashes]},
    )


def question(fit: Fit) -> MergeNeeded:
    stat = fit.stat or DiffStat((), 0, 0)
    return MergeNeeded(
        say("proposal.merge"),
        {
            "merge": fit.merge,
            "files": [change.path for change in stat.files],
            "insertions": stat.insertions,
            "deletions": stat.deletions,
            "patch": fit.patch.text if fit.patch else "",
            "truncated": fit.patch.truncated if fit.patch else False,
        },
    )
