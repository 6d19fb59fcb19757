"""Exact checkpoints of a workspace, and the way back to them."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import itertools
import json
import os
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterator
from pathlib import Path

from pilothouse.errors import CheckpointFailed, GitFailed, MergeNeeded, ProposalRefused
from pilothouse.git import abandoned, diffs, durable, indexfile
from pilothouse.git.applying import Change, weigh
from pilothouse.git.model import Applied, Checkpoint, DiffStat, Fit, Patch, Preview, Restored
from pilothouse.git.refs import PREFIX
from pilothouse.git.snapshot import Snapshot, moved_branches
from pilothouse.git.workspace import Contents, Present, WorkingTree
from pilothouse.words import say, sentences

DIFF_LIMIT = 1_000_000
CONTENT_LIMIT = 2_000_000


Seen = tuple[str, Present, float]
"""For which name, what, and the moment until which it holds."""


def _nothing() -> None:
    """The default of `on_change`."""


class Checkpoints:
    """The checkpoints of one workspace. Calls from several threads or processes wait for one another.

    `state_dir` holds the private git directory and what was moved aside; the repository itself gets objects and
    one entry below `worktrees/` that keeps them (see `guard`). `patience`: how long to wait, in seconds, for a
    git of the user that holds the index lock. `recent`: for how many seconds a look at the present holds; what a
    person writes this shortly after sending a message counts as written after it.
    """

    def __init__(self, workspace: Path, state_dir: Path, patience: float = 5.0, recent: float = 0.5) -> None:
        self._state_dir = state_dir
        self._patience = patience
        self._recent = recent
        self._mutex = threading.RLock()
        self._tree = WorkingTree(workspace, state_dir, patience)
        self._seen: Seen | None = None
        self._look_seconds = 0.0
        """What the last one took."""

    def look(self, ref: str) -> None:
        """Have the present ready for a `take` under this name that follows at once; whatever else is done here
        meanwhile forgets it. Where a look takes long, nobody looks: it would not hold, and be waited for in vain."""
        with self._exclusive("taken"):
            until = time.monotonic() + self._recent
            if self._look_seconds > self._recent / 2 or indexfile.is_locked(self._tree.repository):
                return
            self._tree.expect(ref)
            present = self._present()
            self._tree.store(present.snapshot)
            self._seen = ref, present, until

    def disregard(self) -> None:
        """The tree is being changed by other means: what was seen of it does not hold."""
        self._seen = None

    def take(self, ref: str, *, looked: bool = False) -> Checkpoint:
        """Save the present under `ref`, a full name below refs/pilothouse/, in the place of what was there.

        `looked`: the present of a moment ago will do, where there was a `look` at it.
        """
        with self._exclusive("taken") as seen:
            present = self._recently_seen(ref, seen) if looked else None
            if present is None:
                indexfile.wait_until_unlocked(self._tree.repository, self._patience)
                self._tree.expect(ref)
                present = self._present()
            return self._tree.checkpoint(self._tree.save(present, ref), ref)

    def _present(self) -> Present:
        began = time.monotonic()
        present = self._tree.present()
        self._look_seconds = time.monotonic() - began
        return present

    def _recently_seen(self, ref: str, seen: Seen | None) -> Present | None:
        if seen is None or seen[0] != ref or time.monotonic() >= seen[2]:
            return None
        # A git that is at work now may have begun before the agent, and is waited for.
        return None if indexfile.is_locked(self._tree.repository) else seen[1]

    def free(self, since: float) -> list[Path]:
        """Move aside the locks of a git that was killed, which an agent had started after `since` (seconds of the
        epoch) and of which nothing lives any more; where they are now. What a living git may hold stays."""
        with self._exclusive("taken"):
            indexfile.drop_own_lock(self._tree.repository.git_dir)
            return abandoned.set_aside(self._tree.repository, since, self._state_dir / "locks")

    def restore(self, commit: str, undo_ref: str, on_change: Callable[[], None] = _nothing) -> Restored:
        """Give the workspace the state of a checkpoint.

        The undo checkpoint is complete and referenced before the first byte changes; its ref is `undo_ref`, or
        that with a number where it is taken. `on_change` is called after every change of the file system. After
        a kill in the middle, restoring again and restoring the undo checkpoint both work; repeated with the same
        arguments, the first undo checkpoint is the one returned.
        """
        with self._exclusive("restored"):
            target = self._tree.load(commit)
            indexfile.wait_until_unlocked(self._tree.repository, self._patience)
            plan = self._tree.plan(target)
            undo = self._save_undo(plan.saved, plan.target.top, undo_ref)
            saved = plan.saved.snapshot
            stat = diffs.total(self._tree.changes(target, saved))
            self._tree.apply(plan, on_change)
            self._journal.unlink(missing_ok=True)
            return Restored(undo, moved_branches(target.meta, saved.meta.branches), stat)

    def preview(self, commit: str) -> Preview:
        """What a restore would take away: files, commits, the branch."""
        with self._exclusive("compared"):
            then, now = self._tree.load(commit), self._tree.present().snapshot
            stat = diffs.total(self._tree.changes(then, now))
            commits: list[str] = []
            if now.meta.head and now.meta.head != then.meta.head:
                without = [f"^{then.meta.head}"] if then.meta.head else []
                commits = self._tree.repository.git.text("rev-list", now.meta.head, *without).splitlines()
            names = [name.removeprefix("refs/heads/") if name else None for name in (then.meta.branch, now.meta.branch)]
            moves = moved_branches(then.meta, now.meta.branches)
            return Preview(stat.files, stat.insertions, stat.deletions, tuple(commits), names[0], names[1], moves)

    def same_as(self, commit: str) -> bool:
        """Whether HEAD, index, files and what git has under way are those of the checkpoint."""
        with self._exclusive("compared"):
            return self._tree.same(self._tree.load(commit), self._tree.present())

    def patch(self, old: str, new: str | None, write: Callable[[bytes], object]) -> None:
        """What changed from one checkpoint to another, or to the present, as `git apply` takes it, piece by piece."""
        with self._pair(old, new) as (then, now), contextlib.closing(self._tree.patch(then, now)) as pieces:
            for piece in pieces:
                write(piece)

    def diff(self, old: str, new: str | None = None, path: str | None = None, limit: int = DIFF_LIMIT) -> Patch:
        """`patch` for people, of all files or of one, up to `limit` bytes; no more than that is asked of git.

        Bytes that are not UTF-8 are shown as replacement characters.
        """
        with self._pair(old, new) as (then, now):
            found = self._tree.patch(then, now) if path is None else self._tree.file_patch(then, now, path)
            return _shown(found, limit)

    def stat(self, old: str, new: str | None = None) -> DiffStat:
        with self._pair(old, new) as (then, now):
            return diffs.total(self._tree.changes(then, now))

    def contents(self, old: str, new: str, paths: Collection[str]) -> tuple[Contents, Contents]:
        """What those of these files that differ hold in the one checkpoint and in the other; None where there is none.

        Files over `CONTENT_LIMIT` are left out.
        """
        if not paths:
            return {}, {}
        with self._pair(old, new) as (then, now):
            return self._tree.contents(then, now, frozenset(map(os.fsencode, paths)), CONTENT_LIMIT)

    def fit(self, base: str, proposed: str) -> Fit:
        """Whether a proposal made from `base` can be written over the workspace as it is now."""
        with self._exclusive("compared"):
            return self._fit(self._weigh(base, proposed))

    def write_over(
        self,
        base: str,
        proposed: str,
        undo_ref: str,
        merge: str | None = None,
        on_change: Callable[[], None] = _nothing,
    ) -> Applied:
        """Write what `proposed` changed from `base`: its bytes and modes, nothing else; HEAD and index stay.

        Where a file of the workspace is not that of `base`, the three-way merge is written if `merge` names it, and
        `MergeNeeded` raised otherwise. `ProposalRefused` names the files where nothing can be written. The undo
        checkpoint is complete before the first byte changes, and after a kill both writing again and restoring it
        work, as with `restore`.
        """
        with self._exclusive("applied"):
            indexfile.wait_until_unlocked(self._tree.repository, self._patience)
            change = self._weigh(base, proposed)
            fit = self._fit(change)
            if fit.clashes:
                raise refusal(fit)
            if fit.merge and fit.merge != merge and not self._cut_short(base, proposed, undo_ref, merge):
                raise question(fit)
            undo = self._save_undo(change.saved(), _applying(base, proposed, merge), undo_ref)
            change.apply(self._patience, on_change)
            self._journal.unlink(missing_ok=True)
            return Applied(undo)

    def forget(self, ref_prefix: str) -> int:
        """Delete the ref of that name and all below it; the next `git gc` there frees what only they kept."""
        with self._exclusive("deleted"):
            return self._tree.forget(ref_prefix)

    def refs(self, prefix: str = PREFIX) -> list[Checkpoint]:
        return [self._tree.checkpoint(commit, ref) for ref, commit in self._tree.refs.list(prefix).items()]

    def size(self) -> int:
        """An estimate of the bytes on disk that the repository keeps for checkpoints alone."""
        with self._exclusive("measured"):
            guard = self._tree.guard.commit
            if guard is None:
                return 0
            git = self._tree.repository.git
            branch, head = self._tree.repository.head()
            detached = [head] if head and not branch else []
            args = ("rev-list", "--objects", "--disk-usage", guard, "--not", "--branches", "--tags", "--remotes")
            return int(git.text(*args, *detached))

    @property
    def workspace(self) -> Path:
        return self._tree.repository.root

    @contextlib.contextmanager
    def opened(self, what: str) -> Iterator[WorkingTree]:
        """For the rest of this package: the working tree itself, for as long as nobody else uses it."""
        with self._exclusive(what):
            yield self._tree

    @contextlib.contextmanager
    def _exclusive(self, what: str) -> Iterator[Seen | None]:
        """One at a time, over threads and processes. Gives what was just seen: nobody after this one gets it."""
        with self._mutex, (self._state_dir / "lock").open("w") as lock, _refused(what):
            fcntl.flock(lock, fcntl.LOCK_EX)
            seen, self._seen = self._seen, None
            yield seen

    @contextlib.contextmanager
    def _pair(self, old: str, new: str | None) -> Iterator[tuple[Snapshot, Snapshot]]:
        """Two checkpoints to compare, or one with the present.

        What is stored stays as it is, so that comparing it waits for nobody; the present and nested trees may move.
        """
        with _refused("compared"):
            pair = (self._tree.load(old), self._tree.load(new)) if new is not None else None
            if pair and not pair[0].meta.nested and not pair[1].meta.nested:
                yield pair
                return
        with self._exclusive("compared"):
            yield pair or (self._tree.load(old), self._tree.present().snapshot)

    def _weigh(self, base: str, proposed: str) -> Change:
        return weigh(self._tree, self._tree.present(), self._tree.load(base), self._tree.load(proposed))

    @staticmethod
    def _fit(change: Change) -> Fit:
        every = list(change.every())
        clashes = tuple(clash for part in every for clash in part.clashes)
        if clashes or not any(part.merged for part in every):
            return Fit(clashes)
        return Fit((), change.name(), diffs.total(change.changes()), _shown(change.patch(), DIFF_LIMIT))

    def _cut_short(self, base: str, proposed: str, undo_ref: str, merge: str | None) -> bool:
        """Whether this very merge was confirmed and begun: half-way through, what is left of it has another name."""
        mark = {"target": _applying(base, proposed, merge), "undo_ref": undo_ref}
        return merge is not None and self._unfinished() == mark

    @property
    def _journal(self) -> Path:
        return self._state_dir / "restoring.json"

    def _save_undo(self, saved: Present, target: str, undo_ref: str) -> Checkpoint:
        """Never over an undo checkpoint that is there: a repeated restore would save the half-way state."""
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
        """The restore that was begun last and did not end."""
        try:
            return json.loads(self._journal.read_text())
        except (FileNotFoundError, ValueError):
            return None


@contextlib.contextmanager
def _refused(what: str) -> Iterator[None]:
    """What git or the system refuses becomes one kind of error."""
    try:
        yield
    except GitFailed as error:
        raise CheckpointFailed(say(f"checkpoint.not.{what}", problem=error.message), error.details) from error
    except OSError as error:
        raise CheckpointFailed(say(f"checkpoint.not.{what}", problem=str(error))) from error


def _applying(base: str, proposed: str, merge: str | None) -> str:
    return f"{base} {proposed} {merge or ''}"


def _shown(found: Generator[bytes, None, None], limit: int) -> Patch:
    content = bytearray()
    with contextlib.closing(found) as pieces:
        for piece in pieces:
            content += piece
            if len(content) > limit:
                break
    truncated = len(content) > limit
    # A character that the limit cut in two is left out, not shown as a broken one.
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
